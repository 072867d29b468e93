/** How much of a product each zone gets, in units of people and of machines. */
import { unsupported } from './errors.ts';

/** A quantity of ISO 11783-11 that a machine is set to. */
export interface ProcessVariable {
  /** The data dictionary identifier: four hexadecimal digits. */
  readonly ddi: string;
  /** The machine's whole units for one of the user's. */
  readonly factor: number;
  readonly decimals: number;
}

const ACRE_HA = 0.40468564224;
const POUND_KG = 0.45359237;
/** A US liquid gallon. */
const GALLON_L = 3.785411784;

/** Setpoints of mass in mg/m², of volume in mm³/m², and of counts in thousandths of one per m². */
const MASS = '0006';
const VOLUME = '0001';
const COUNT = '000B';

/** Rates by their units: 1 kg/ha is 100 mg/m², 1 l/ha is 100 mm³/m², 1 seed/ha is 0.1 thousandths per m². */
export const RATE_UNITS = {
  'kg/ha': { ddi: MASS, factor: 100, decimals: 2 },
  't/ha': { ddi: MASS, factor: 100_000, decimals: 3 },
  'lb/ac': { ddi: MASS, factor: (100 * POUND_KG) / ACRE_HA, decimals: 2 },
  'l/ha': { ddi: VOLUME, factor: 100, decimals: 2 },
  'm3/ha': { ddi: VOLUME, factor: 100_000, decimals: 3 },
  'gal/ac': { ddi: VOLUME, factor: (100 * GALLON_L) / ACRE_HA, decimals: 2 },
  'seeds/ha': { ddi: COUNT, factor: 0.1, decimals: 0 },
} as const satisfies Readonly<Record<string, ProcessVariable>>;

/** A unit of rates. */
export type RateUnit = keyof typeof RATE_UNITS;

/** What is applied. */
export interface Prescription {
  readonly product: string;
  readonly unit: RateUnit;
  /** For each zone, from the lowest. */
  readonly rates: readonly number[];
}

/** The rate in the whole units of machines. */
export const toMachineRate = (rate: number, unit: RateUnit): number =>
  Math.round(rate * RATE_UNITS[unit].factor);

/** Refuses a prescription that does not have a rate for each zone. */
export function refuseOtherCount({ rates }: Prescription, zones: number): void {
  if (rates.length === zones) return;
  throw unsupported(
    'rates-and-zones',
    `There are ${rates.length} rates for ${zones} zones; give one for each, from the zone of the lowest values on.`,
  );
}
