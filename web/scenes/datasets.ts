/** Which datasets there are scenes of, so that the filter offers no empty one. */
import type { ScenePage } from './scene.ts';

interface DatasetSearch {
  /** The newest scenes of all datasets. */
  readonly page: ScenePage;
  /** Every dataset there could be, in the order to answer. */
  readonly all: readonly string[];
  search(datasets: readonly string[]): Promise<ScenePage>;
}

const isWhole = ({ found, scenes, unreadable }: ScenePage): boolean => found <= scenes.length + unreadable;

/**
 * The datasets with scenes. A page of newest scenes may hide an older dataset, so while there is more than was seen the
 * rest is requested; every round brings at least one dataset, or it is the last.
 */
export const readDatasets = async ({ page, all, search }: DatasetSearch): Promise<string[]> => {
  const seen = new Set<string>();
  for (let latest = page; ; ) {
    const before = seen.size;
    for (const { sensor } of latest.scenes) seen.add(sensor.dataset);
    const unseen = all.filter((dataset) => !seen.has(dataset));
    if (seen.size === before || unseen.length === 0 || isWhole(latest)) break;
    latest = await search(unseen);
  }
  return all.filter((dataset) => seen.has(dataset));
};
