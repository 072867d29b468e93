import type { NaturalRange } from '../definition/natural.ts';
import type { Band, Sensor } from '../definition/sensor.ts';

/** Bands of one scene, in the order of a picture's channels. */
interface ShownBands {
  readonly bands: readonly Band[];
  /** Processing level in the scene's name; null where names have none. */
  readonly level: string | null;
}

/** The ranges of a composition that has ranges of its own; null for others. */
export const findCompositionRanges = (
  { natural }: Sensor,
  { bands }: ShownBands,
): readonly NaturalRange[] | null =>
  natural.compositions?.find((one) => one.bands.join() === bands.map(({ name }) => name).join())?.ranges ??
  null;

/** The range of a band's physical values; null if the sensor has none. */
export function findPhysicalRange(
  { natural }: Sensor,
  band: Band,
  level: string | null,
): NaturalRange | null {
  const ofLevel = natural.ofLevels?.find(({ levels }) => level !== null && levels.includes(level));
  return findRange(ofLevel?.ranges ?? natural.ranges, band);
}

/** The range of a band's stored numbers; null if the sensor has none. */
export const findStoredRange = ({ natural }: Sensor, band: Band): NaturalRange | null =>
  findRange(natural.stored, band);

const findRange = (
  ranges: Readonly<Record<string, NaturalRange>>,
  { name, role }: Band,
): NaturalRange | null => ranges[name] ?? (role === null ? undefined : ranges[role]) ?? null;
