import { z } from 'zod';
import type { AreaParser } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import { sensors, sensorsByDataset } from '../../sensors/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { NamedDataset } from './body.ts';
import { parseSearch } from './body.ts';
import { toHit } from './hit.ts';

/** What searching needs. */
export interface SearchDeps {
  readonly scenes: SceneStore;
  readonly areaParser: Pick<AreaParser, 'parse'>;
}

const bodySchema = z.object({
  search: z
    .record(z.string(), z.unknown())
    .describe(
      'Filters by field: a value, a list, or {from, to}; shape: GeoJSON, a Point or an area as the cropper takes it ' +
        '(where longitudes leap, as from 179 to -179, an edge crosses the antimeridian).',
    ),
  sort: z
    .record(z.string(), z.enum(['asc', 'desc']))
    .optional()
    .describe('One entry; {"date": "desc"} by default.'),
  page: z.int().min(1).optional(),
  limit: z.int().min(1).max(1000).optional().describe('500 by default.'),
  fields: z.array(z.string()).optional().describe('Fields to return; all by default.'),
});

const answerSchema = z.object({
  meta: z.object({ name: z.string(), page: z.int(), found: z.int(), limit: z.int() }),
  results: z.array(
    z.looseObject({ sceneID: z.string(), view_id: z.string(), tms: z.string(), date: z.string() }),
  ),
});

/** Datasets of one sensor, and those that mean several. */
const datasetIds = [
  ...new Set(sensors.flatMap(({ dataset, datasetGroups }) => [dataset, ...datasetGroups])),
].sort();

const answers = {
  200: { description: 'A page of scenes.', content: { 'application/json': answerSchema } },
  400: { description: 'The body is wrong; the text names the field.' },
  404: { description: 'Unknown dataset.' },
};

/** `POST /api/lms/search/v2/{dataset_id}`: scenes of one dataset. */
export const searchDataset = (deps: SearchDeps): Endpoint => ({
  summary: 'Find scenes of one dataset',
  tag: 'Search',
  params: {
    dataset_id: {
      description: 'Dataset id.',
      schema: z.enum(datasetIds),
      example: 'sentinel2',
    },
  },
  body: {
    description: 'What to look for.',
    schema: bodySchema,
    example: { search: { date: { from: '2026-06-01' }, cloudCoverage: { to: 20 } }, limit: 10 },
  },
  answers,
  handle(request) {
    const id = request.params.dataset_id ?? '';
    const known = sensorsByDataset(id);
    if (known.length === 0) {
      throw notFound('unknown-dataset', `There is no such dataset. Datasets are ${datasetIds.join(', ')}.`);
    }
    return search(deps, request, { id, sensors: known });
  },
});

/** `POST /api/lms/search/v2`: scenes of several datasets, named in `search.satellites`. */
export const searchDatasets = (deps: SearchDeps): Endpoint => ({
  summary: 'Find scenes across datasets',
  tag: 'Search',
  body: {
    description: 'What to look for; search.satellites lists the datasets.',
    schema: bodySchema,
    example: { search: { satellites: ['sentinel2'], date: { from: '2026-06-01' } }, limit: 10 },
  },
  answers,
  handle: (request) => search(deps, request, null),
});

async function search(
  { scenes, areaParser }: SearchDeps,
  request: ApiRequest,
  named: NamedDataset | null,
): Promise<Response> {
  const { publicUrl } = request;
  const parseArea = (geometry: unknown) => areaParser.parse(geometry, request.ticket);
  const { query, page, limit, fields } = await parseSearch(await request.readJson(), {
    named,
    publicUrl,
    parseArea,
  });
  const { found, hits } = await scenes.searchHits(query);
  const results = hits.map((scene) => toHit(scene, { fields, publicUrl, withDataset: named === null }));
  return Response.json(
    { meta: { name: 'satellite-meta-service', page, found, limit }, results },
    { headers: { 'cache-control': 'no-store' } },
  );
}
