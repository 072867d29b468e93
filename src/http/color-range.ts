import type { Stretch } from '../color/index.ts';
import { unsupported } from '../errors.ts';
import { parseRange } from './picture-query.ts';
import type { Query } from './query.ts';

/** MIN_MAX of a legend or colorbar, as pictures read it; null when it is not given. */
export function parseColorRange(query: Query): Stretch | null {
  const range = parseRange(query.get('MIN_MAX'));
  if (range === null) return null;
  // Data are float32: what is one number there leaves no room for colours.
  if (Math.fround(range.min) >= Math.fround(range.max))
    throw unsupported('flat-min-max', 'MIN_MAX leaves no contrast: min must be below max.');
  return range;
}
