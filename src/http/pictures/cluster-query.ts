import { unsupported } from '../../errors.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { Query } from '../request/query.ts';
import { parseDecimal, parseWhole } from '../request/strict-number.ts';
import { isOff } from '../request/switch.ts';

/** What CLUSTERING may say. */
export const CLUSTERING_NAMES = ['kmeans'] as const;

const DEFAULT_CLUSTERS = 5;

/** Fewer are no classes. */
export const MIN_CLUSTERS = 2;

/** More can hardly be told apart by their colours. */
export const MAX_CLUSTERS = 20;

/**
 * Reads `CLUSTERING=kmeans`, `CLUSTERS_NO` and `MIN_AREA`; nothing when it is not asked for. The other two say nothing
 * without it, and are refused alone.
 */
export function parseClusters(query: Query): Pick<RenderOptions, 'clusters'> {
  const clustering = query.get('CLUSTERING')?.toLowerCase();
  const [countText, areaText] = [query.get('CLUSTERS_NO'), query.get('MIN_AREA')];
  if (clustering === undefined && (countText !== undefined || areaText !== undefined)) {
    throw unsupported('lone-clusters-no', 'CLUSTERS_NO and MIN_AREA need CLUSTERING=kmeans as well.');
  }
  if (clustering === undefined || isOff(clustering)) return {};
  if (clustering !== CLUSTERING_NAMES[0]) {
    throw unsupported('bad-clustering', `CLUSTERING must be ${CLUSTERING_NAMES[0]}, or 0 for none.`);
  }
  const count = countText === undefined ? DEFAULT_CLUSTERS : parseWhole(countText);
  if (count === null || count < MIN_CLUSTERS || count > MAX_CLUSTERS) {
    throw unsupported(
      'bad-clusters-no',
      `CLUSTERS_NO must be a whole number from ${MIN_CLUSTERS} to ${MAX_CLUSTERS}.`,
    );
  }
  const minAreaM2 = areaText === undefined ? 0 : parseDecimal(areaText);
  if (minAreaM2 === null || minAreaM2 < 0) {
    throw unsupported('bad-min-area', 'MIN_AREA must be a number of square metres from 0 up.');
  }
  return { clusters: { count, minAreaM2 } };
}
