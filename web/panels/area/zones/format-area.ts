/** Areas of ground as people write them. */
import type { Preferences } from '../../../state/preferences.ts';

/** An international acre. */
const ACRE_M2 = 4046.8564224;

/** `12.3 ha` or `30.4 ac`; small areas have more digits. */
export const formatArea = (areaM2: number, units: Preferences['units'], locale: string): string => {
  const value = areaM2 / (units === 'imperial' ? ACRE_M2 : 10_000);
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  return `${number} ${units === 'imperial' ? 'ac' : 'ha'}`;
};
