import type { NaturalRange } from '../definition/natural.ts';

/** A normalised difference of two bands cannot leave this range. */
const normalised: NaturalRange = { min: -1, max: 1 };

/** Values that become black and full brightness in natural colour, by alias: what the index can reach over land. */
const ranges: ReadonlyMap<string, NaturalRange> = new Map([
  ['NDVI', normalised],
  ['NDSI', normalised],
  ['NDWI', normalised],
  ['NDMI', normalised],
  ['EVI', normalised],
  ['SAVI', normalised],
  ['MSAVI', normalised],
  ['ARVI', normalised],
  ['NBR', normalised],
  ['NDRE', normalised],
  ['GNDVI', normalised],
  // from wet leaves to dry ones
  ['MSI', { min: 0, max: 2 }],
  // from bare ground to a full canopy
  ['RECI', { min: 0, max: 10 }],
  ['GCI', { min: 0, max: 10 }],
  // healthy plants are near 1
  ['SIPI', { min: 0, max: 2 }],
  ['CCCI', { min: 0, max: 1 }],
  // forest is near 1, fire far above
  ['FIDET', { min: 0, max: 10 }],
  ['PR_FD', { min: 0, max: 10 }],
]);

/** The range of an index, in any case; null for an unknown name, and for several indices at once. */
export const findIndexRange = (alias: string): NaturalRange | null => ranges.get(alias.toUpperCase()) ?? null;
