import type { LonLatBounds } from '../../src/geo/index.ts';
import type { DemFile, DemLayer, DemStore } from '../../src/terrain/index.ts';

/** More files than any test stores. */
export const ALL = 1_000_000;
/** All longitudes and latitudes. */
export const WORLD: LonLatBounds = { west: -180, south: -90, east: 180, north: 90 };

/** Bounds by their four numbers. */
export const box = (west: number, south: number, east: number, north: number): LonLatBounds => ({
  west,
  south,
  east,
  north,
});

/** A layer of a model; its files as ingested by default. */
export const layer = (dem: string, overview = 0): DemLayer => ({ dem, overview });

/** The ids of the files that are found. */
export const idsOf = async (
  dems: DemStore,
  layers: readonly DemLayer[],
  bounds: LonLatBounds,
  limit = ALL,
): Promise<readonly string[]> => (await dems.findFiles(layers, bounds, limit)).map(({ id }) => id);

/** All files of a layer. */
export async function collect(dems: DemStore, dem: string, overview = 0): Promise<DemFile[]> {
  const files: DemFile[] = [];
  for await (const file of dems.listFiles({ dem, overview })) files.push(file);
  return files;
}
