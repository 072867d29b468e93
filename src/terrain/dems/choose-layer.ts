import type { Dem } from './dem.ts';
import type { DemLayer } from './dem-store.ts';

/**
 * Pixels of an overview mosaic are at most this part of a pixel at the equator. Pixels of a map are smaller towards the
 * poles: up to 60° of latitude nothing is lost.
 */
const FINEST_SHARE = 0.5;

/** The layer of a model to read for pixels of so many degrees; the same for a whole zoom level. */
export function chooseLayer(
  { name, overviews }: Pick<Dem, 'name' | 'overviews'>,
  pixelDeg: number,
): DemLayer {
  const coarseEnough = overviews.findLastIndex((overview) => overview.pixelDeg <= FINEST_SHARE * pixelDeg);
  return { dem: name, overview: coarseEnough + 1 };
}
