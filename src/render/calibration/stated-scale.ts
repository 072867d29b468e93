import type { Asset, LinearScale, Scene } from '../../catalog/index.ts';
import type { Calibration } from '../../sensors/index.ts';

/** The scale that ingest found for a file; null if none is stated. */
export const statedScale = ({ scale, offset }: Asset): LinearScale | null =>
  scale === 1 && offset === 0 ? null : { mult: scale, add: offset };

type Quantified = Extract<Calibration, { readonly kind: 'quantified' }>;

/** By the rule alone: the offset is that of the baseline in the product's name. */
export function quantifiedScale(rule: Quantified, { productId }: Scene): LinearScale {
  const { quantification, offsets, baselineInName } = rule;
  const { major = '00', minor = '00' } = baselineInName.exec(productId ?? '')?.groups ?? {};
  const baseline = `${major}.${minor}`;
  const offset = offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  return { mult: 1 / quantification, add: offset / quantification };
}
