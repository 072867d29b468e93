/** The searches of this bench as bodies of requests. */
import type { FieldFilter, SceneQuery } from '../../src/catalog/index.ts';

/** The scene that a query asks for by its name; null if it asks for something else. */
export function sceneIdOf({ datasets }: SceneQuery): string | null {
  const filter = findFilter(datasets, 'sceneID');
  const [name] = filter?.kind === 'one-of' ? filter.values : [];
  return typeof name === 'string' ? name : null;
}

const findFilter = (datasets: SceneQuery['datasets'], name: string): FieldFilter | undefined =>
  datasets[0]?.filters.find(({ field }) => field === name);

/** A body of `POST /stac/search`, and of the same of others; `toItem` finds a scene by its name. */
export function toStacBody(query: SceneQuery, limit: number, toItem: (sceneId: string) => object): object {
  const { datasets, shape } = query;
  const name = sceneIdOf(query);
  const [date, cloud] = [findFilter(datasets, 'date'), findFilter(datasets, 'cloudCoverage')];
  const toTime = (day: unknown, time: string): string => (typeof day === 'string' ? `${day}T${time}Z` : '..');
  return {
    collections: datasets.map(({ id }) => id),
    limit,
    ...(date?.kind === 'range'
      ? { datetime: `${toTime(date.from, '00:00:00')}/${toTime(date.to, '23:59:59')}` }
      : {}),
    ...(cloud?.kind === 'range' ? { query: { 'eo:cloud_cover': { lte: cloud.to } } } : {}),
    ...(shape === undefined ? {} : { intersects: shape.geometry }),
    ...(name === null ? {} : toItem(name)),
  };
}

/** The dataset and the body of our own search. */
export function toOwnSearch(
  query: SceneQuery,
  limit: number,
): { readonly path: string; readonly body: object } {
  const { datasets, shape } = query;
  const name = sceneIdOf(query);
  const toRange = (filter: FieldFilter | undefined): object | undefined =>
    filter?.kind === 'range' ? { from: filter.from, to: filter.to } : undefined;
  const search = {
    date: toRange(findFilter(datasets, 'date')),
    cloudCoverage: toRange(findFilter(datasets, 'cloudCoverage')),
    shape: shape?.geometry,
    sceneID: name ?? undefined,
  };
  return { path: `/api/lms/search/v2/${datasets[0]?.id}`, body: { search, limit } };
}
