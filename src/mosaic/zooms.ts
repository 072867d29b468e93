import { sensorByDataset } from '../sensors/index.ts';

/** Metres of a pixel of zoom 0 at the equator. */
const WORLD_PX_M = 156_543;
/** Pixels of the finest band to one of the picture: with more, a picture has too many scenes. */
const COARSEST = 64;

/** From the zoom level at which a tile has a few scenes to the one at which its pixels are those of the finest band. */
export function toZooms(datasets: readonly string[]): { readonly minzoom: number; readonly maxzoom: number } {
  const maxzoom = Math.ceil(Math.log2(WORLD_PX_M / finestM(datasets)));
  return { minzoom: Math.max(0, maxzoom - Math.log2(COARSEST)), maxzoom };
}

/** The size of the finest pixels of some sensors. */
export const finestM = (datasets: readonly string[]): number =>
  Math.min(
    ...datasets.flatMap((id) => sensorByDataset(id)?.bands.map(({ resolutionM }) => resolutionM) ?? []),
  );
