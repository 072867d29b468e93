import { z } from 'zod';
import type { AreaParser } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import { sensors, sensorsByName } from '../../sensors/index.ts';
import { answerLongJson, listEach } from '../answer/long-json-answer.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { limits } from '../request/limits.ts';
import { writeJson } from '../request/long-json.ts';
import type { NamedDataset } from './body.ts';
import { parseSearch } from './body.ts';
import { toHit } from './hit.ts';
import { searchAnswerSchema } from './hit-schema.ts';
import type { ThumbnailAddressDeps } from './thumbnail.ts';
import { makeToThumbnailAddress, toStoredThumbnails } from './thumbnail.ts';

/** What searching needs. */
export interface SearchDeps extends ThumbnailAddressDeps {
  readonly scenes: SceneStore;
  readonly areaParser: AreaParser;
}

/** Datasets of one sensor, and those that mean several. Abbreviations are read too, but clients are not made of them. */
const datasetIds = [
  ...new Set(sensors.flatMap(({ dataset, datasetGroups }) => [dataset, ...datasetGroups])),
].sort();

const toCount = (max: number) => z.union([z.int().min(1).max(max), z.string().regex(/^0{0,9}[1-9]\d{0,5}$/)]);

const bodySchema = z.object({
  search: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe(
      'Filters by field: a value, a list, or {from, to}; shape: GeoJSON, a Point or an area as the cropper takes it ' +
        '(where longitudes leap, the ring runs counter-clockwise: a box from -179 to 179 is wide, one from 179 to -179 ' +
        'crosses the antimeridian). Words such as passDirection are compared without case. No filter by default.',
    ),
  sort: z
    .record(z.string(), z.string().regex(/^(?:[aA][sS][cC]|[dD][eE][sS][cC])$/))
    .refine((sort) => Object.keys(sort).length === 1)
    .nullish()
    .describe('One entry; {"date": "desc"} by default.'),
  page: toCount(limits.searchWindow).nullish().describe('1 by default; page × limit is at most 100,000.'),
  limit: toCount(limits.searchLimit).nullish().describe('Hits of a page; 500 by default, at most 1,000.'),
  fields: z
    .array(z.string())
    .max(limits.searchListItems)
    .nullish()
    .describe('Fields to return; all by default.'),
  onAmazon: z.union([z.boolean(), z.string()]).optional().describe('As in search.'),
});

const bodyAcrossSchema = bodySchema.extend({
  search: z
    .looseObject({ satellites: z.array(z.enum(datasetIds)).min(1).max(limits.searchDatasets) })
    .describe('The datasets, and filters as for one.'),
});

const answers = {
  200: { description: 'A page of scenes.', content: { 'application/json': searchAnswerSchema } },
  400: { description: 'The body is wrong; the text names the field.' },
  404: { description: 'Unknown dataset.' },
};

/** `POST /api/lms/search/v2/{dataset_id}`: scenes of one dataset. */
export const searchDataset = (deps: SearchDeps): Endpoint => ({
  summary: 'Find scenes of one dataset',
  tag: 'Search',
  params: {
    dataset_id: {
      description: 'Dataset id, or the abbreviation of its sensor; in any case.',
      schema: z.enum(datasetIds),
      example: 'sentinel2l2a',
    },
  },
  body: {
    description: 'What to look for.',
    required: false,
    schema: bodySchema,
    example: { search: { date: { from: '2026-06-01' }, cloudCoverage: { to: 20 } }, limit: 10 },
  },
  answers,
  handle(request) {
    const id = request.params.dataset_id ?? '';
    const known = sensorsByName(id);
    if (known.length === 0) {
      throw notFound('unknown-dataset', `There is no such dataset. Datasets are ${datasetIds.join(', ')}.`);
    }
    // Named as search itself names it, whatever spelling was sent.
    const [only, ...more] = known;
    return search(deps, request, {
      id: more.length === 0 ? (only?.dataset ?? id) : id.toLowerCase(),
      sensors: known,
    });
  },
});

/** `POST /api/lms/search/v2`: scenes of several datasets, named in `search.satellites`. */
export const searchDatasets = (deps: SearchDeps): Endpoint => ({
  summary: 'Find scenes across datasets',
  tag: 'Search',
  body: {
    description: 'What to look for; search.satellites lists the datasets.',
    required: false,
    schema: bodyAcrossSchema,
    example: {
      search: { satellites: ['sentinel2l2a', 'landsat8'], date: { from: '2026-06-01' } },
      limit: 10,
    },
  },
  answers,
  handle: (request) => search(deps, request, null),
});

async function search(deps: SearchDeps, request: ApiRequest, named: NamedDataset | null): Promise<Response> {
  const { scenes, areaParser } = deps;
  const { publicUrl } = request;
  const parseArea = (geometry: unknown) => areaParser.parse(writeJson(geometry), request.ticket);
  const { query, page, limit, fields } = await parseSearch(await request.readOptionalJson(), {
    named,
    parseArea,
    tellIgnored: request.tellIgnored,
  });
  const { found, hits } = await scenes.searchHits(await toStoredThumbnails(query, { publicUrl, scenes }));
  const toThumbnail = await makeToThumbnailAddress(deps, publicUrl);
  const options = { fields, publicUrl, toThumbnail, withDataset: named === null };
  const results = listEach(hits, (scene) => toHit(scene, options));
  return answerLongJson(
    { meta: { name: 'satellite-meta-service', page, found, limit }, results },
    { headers: { 'cache-control': 'no-store' } },
  );
}
