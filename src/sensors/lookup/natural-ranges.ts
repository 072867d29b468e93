import type { NaturalRange } from '../definition/natural.ts';
import { INFRARED_GAMMA } from '../definition/natural.ts';
import type { Band, Sensor } from '../definition/sensor.ts';

/** The range of a band's physical values; null if the sensor has none. `level` is that of the scene's name. */
export function findPhysicalRange(
  { natural }: Sensor,
  band: Band,
  level: string | null,
): NaturalRange | null {
  const ofLevel = natural.ofLevels?.find(({ levels }) => level !== null && levels.includes(level));
  return findRange(ofLevel?.ranges ?? {}, band) ?? findRange(natural.ranges, band);
}

/** The range of a band's stored numbers; null if the sensor has none. */
export const findStoredRange = ({ natural }: Sensor, band: Band): NaturalRange | null =>
  findRange(natural.stored, band);

const findRange = (
  ranges: Readonly<Record<string, NaturalRange>>,
  { name, role }: Band,
): NaturalRange | null => ranges[name] ?? (role === null ? undefined : ranges[role]) ?? null;

/** The eye sees no longer waves. */
const MAX_VISIBLE_NM = 700;

const isInfrared = ({ kind, centreNm }: Band): boolean =>
  kind === 'reflective' && centreNm !== null && centreNm > MAX_VISIBLE_NM;

/** Ranges of bands that are shown together: beside infrared bands, visible ones have the gamma of those. */
export const joinRanges = (
  shown: readonly { readonly band: Band; readonly range: NaturalRange }[],
): readonly NaturalRange[] =>
  shown.some(({ band }) => isInfrared(band))
    ? shown.map(({ range }) => (range.gamma === undefined ? range : { ...range, gamma: INFRARED_GAMMA }))
    : shown.map(({ range }) => range);
