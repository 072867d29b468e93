import type { SceneStore } from '../catalog/index.ts';
import { coverWithCells } from '../catalog/index.ts';
import { sensors } from '../sensors/index.ts';

/** Around a spot: a field. */
const HALF_DEG = 0.01;

/**
 * Whether no scene of the catalog shows some spots, and scenes show them with latitude and longitude swapped. Live catalogs
 * show all land, so that nothing can be told where there are any.
 */
export function makeFindSwapped({
  scenes,
  hasLiveCatalogs,
}: {
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly hasLiveCatalogs: boolean;
}): (spots: readonly (readonly [lon: number, lat: number])[]) => Promise<boolean> {
  async function isShown(spots: readonly (readonly [number, number])[]): Promise<boolean> {
    const ground = coverWithCells(
      spots.map(([lon, lat]) => ({
        west: Math.max(-180, lon - HALF_DEG),
        south: Math.max(-90, lat - HALF_DEG),
        east: Math.min(180, lon + HALF_DEG),
        north: Math.min(90, lat + HALF_DEG),
      })),
    );
    if (ground === null) return false;
    const { found } = await scenes.searchHits({
      datasets: sensors.map(({ dataset: id }) => ({ id, filters: [] })),
      shape: { geometry: ground, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 1,
    });
    return found > 0;
  }
  return async (spots) => {
    if (hasLiveCatalogs || spots.some(([lon]) => Math.abs(lon) > 90)) return false;
    const swapped = spots.map(([lon, lat]) => [lat, lon] as const);
    return !(await isShown(spots)) && isShown(swapped);
  };
}
