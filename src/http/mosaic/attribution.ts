import type { SceneHit } from '../../catalog/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { SceneOrigins } from '../reference.ts';

/** What is known of who took a scene. */
export type SceneSource = Pick<SceneHit, 'dataset' | 'provenance' | 'acquiredAt'>;

/** How scenes are attributed. */
export interface AttributionDeps {
  readonly origins: Pick<SceneOrigins, 'readCatalogs'>;
}

/**
 * Whom a map must name for the scenes that it shows, each once: the live catalog that a scene comes from, or who took it,
 * with the years of the scenes.
 */
export async function nameSources(
  scenes: readonly SceneSource[],
  { origins: { readCatalogs } }: AttributionDeps,
): Promise<string> {
  const catalogs = scenes.some(({ provenance }) => provenance === 'live') ? await readCatalogs() : [];
  const groups = Map.groupBy(scenes, ({ dataset, provenance }) => `${provenance} ${dataset}`);
  const names = [...groups.values()].flatMap((group) => {
    const { dataset, provenance } = group[0] as SceneSource;
    if (provenance === 'demo') return ['Swath demo world'];
    const catalog =
      provenance === 'live' ? catalogs.find(({ datasets }) => datasets.includes(dataset)) : undefined;
    const text = catalog?.attribution || sensorByDataset(dataset)?.attribution;
    return text === undefined ? [] : [text.replace('{years}', toYears(group))];
  });
  return [...new Set(names)].join('; ');
}

function toYears(scenes: readonly SceneSource[]): string {
  const years = scenes.map(({ acquiredAt }) => acquiredAt.slice(0, 4)).sort();
  const [first, last] = [years[0], years.at(-1)];
  return first === last ? `${first}` : `${first}–${last}`;
}
