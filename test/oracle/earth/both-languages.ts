import type { Wanted } from './random-searches.ts';

/** The path and the body of our search. */
export function toOurSearch(wanted: Wanted, page: number): { readonly path: string; readonly body: object } {
  const { datasets, from, to, maxCloud, shape, relation, scenes, sort, limit } = wanted;
  const search = {
    ...(datasets.length === 1 ? {} : { satellites: datasets }),
    ...(from === null && to === null
      ? {}
      : { date: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) } }),
    ...(maxCloud === null ? {} : { cloudCoverage: { to: maxCloud } }),
    ...(shape === null ? {} : { shape, shapeRelation: relation }),
    ...(scenes === null ? {} : { sceneID: [...new Set(scenes.map(({ sceneId }) => sceneId))] }),
  };
  return {
    path: `/api/lms/search/v2${datasets.length === 1 ? `/${datasets[0]}` : ''}`,
    body: { search, ...(sort === null ? {} : { sort: { [sort.field]: sort.direction } }), page, limit },
  };
}

/** The property of items that an order of ours follows. */
export const SORT_PROPERTIES = { date: 'datetime', cloudCoverage: 'eo:cloud_cover' } as const;

/**
 * The arguments of pystac-client's search of some collections. Conditions are written in CQL2 or for the older query
 * extension, which find the same; relations other than `INTERSECTS` exist in CQL2 only.
 */
export function toTheirSearch(
  { from, to, maxCloud, shape, relation, scenes, sort }: Wanted,
  collections: readonly string[],
  language: 'cql2' | 'query',
): Readonly<Record<string, unknown>> {
  const { field, direction } = sort ?? { field: 'date', direction: 'desc' };
  const isByRelation = shape !== null && relation !== 'INTERSECTS';
  const args = [
    ...(maxCloud === null ? [] : [{ op: '<=', args: [{ property: 'eo:cloud_cover' }, maxCloud] }]),
    ...(isByRelation
      ? [{ op: relation === 'CONTAINS' ? 's_contains' : 's_within', args: [{ property: 'geometry' }, shape] }]
      : []),
  ];
  const usesCql2 = args.length > 0 && (isByRelation || language === 'cql2');
  return {
    collections,
    ...(from === null && to === null
      ? {}
      : {
          datetime: `${from === null ? '..' : `${from}T00:00:00Z`}/${to === null ? '..' : `${to}T23:59:59.999999Z`}`,
        }),
    ...(shape === null || isByRelation ? {} : { intersects: shape }),
    ...(scenes === null ? {} : { ids: [...new Set(scenes.map(({ item }) => item.id))] }),
    ...(usesCql2 ? { filter_lang: 'cql2-json', filter: { op: 'and', args } } : {}),
    ...(usesCql2 || maxCloud === null ? {} : { query: { 'eo:cloud_cover': { lte: maxCloud } } }),
    sortby: [{ field: `properties.${SORT_PROPERTIES[field]}`, direction }],
  };
}
