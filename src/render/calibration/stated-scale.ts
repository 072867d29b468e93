import type { Asset, LinearScale, Scene } from '../../catalog/index.ts';
import type { Calibration } from '../../sensors/index.ts';

/** The scale that ingest found for a file; null when nobody said one. */
export const statedScale = ({ scale, offset }: Asset): LinearScale | null =>
  scale === 1 && offset === 0 ? null : { mult: scale, add: offset };

type Quantified = Extract<Calibration, { readonly kind: 'quantified' }>;

/** Sentinel-2 by the rule alone: the offset is that of the baseline in the product's name, `N0400`. */
export function quantifiedScale({ quantification, offsets }: Quantified, { productId }: Scene): LinearScale {
  const [, major, minor] = /_N(\d{2})(\d{2})_/.exec(productId ?? '') ?? [];
  // The oldest names say no baseline, and have no offset.
  const baseline = major === undefined ? '00.00' : `${major}.${minor}`;
  const offset = offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  return { mult: 1 / quantification, add: offset / quantification };
}
