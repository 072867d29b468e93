import type { Asset } from '../../catalog/index.ts';
import type { ChosenBand } from './choose-bands.ts';

/** Bands that go into one file: their pixels lie on the same ground. */
export interface BandGroup {
  readonly bands: readonly [ChosenBand, ...ChosenBand[]];
}

/** Transforms of files that were written by different programs differ by rounding only. */
const SAME_PX = 1e-3;

function isSameGrid(one: Asset, other: Asset): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  if (one.epsg !== other.epsg || one.proj !== other.proj) return false;
  // Channels of one recording have one geometry, whatever the last digits of their points are.
  if (one.lattice !== undefined || other.lattice !== undefined) {
    return one.lattice !== undefined && other.lattice !== undefined;
  }
  const [, pixelWidth, rowShear, , colShear, pixelHeight] = one.transform;
  const tolerance = SAME_PX * Math.max(...[pixelWidth, rowShear, colShear, pixelHeight].map(Math.abs));
  return one.transform.every((value, i) => {
    const slack = i % 3 === 0 ? tolerance : tolerance / Math.max(one.width, one.height);
    return Math.abs(value - other.transform[i]!) <= slack;
  });
}

/** Bands of the same grid together, in the order of the first of each; one group a band unless they are merged. */
export function groupBands(bands: readonly ChosenBand[], merges: boolean): readonly BandGroup[] {
  const groups: [ChosenBand, ...ChosenBand[]][] = [];
  for (const chosen of bands) {
    const group = merges ? groups.find(([first]) => isSameGrid(first.asset, chosen.asset)) : undefined;
    if (group === undefined) groups.push([chosen]);
    else group.push(chosen);
  }
  return groups.map((group) => ({ bands: group }));
}
