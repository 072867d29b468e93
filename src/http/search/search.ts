import type { AreaParser } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import { sensorsByName } from '../../sensors/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/api-request.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { writeJson } from '../kit/json-body.ts';
import { json } from '../kit/json-schema.ts';
import { answerLongJson, listEach } from '../kit/long-json-answer.ts';
import type { NamedDataset } from './body.ts';
import { bodyAcrossSchema, bodySchema, datasetIds, parseSearch } from './body.ts';
import { searchAnswerSchema, toHit } from './hit.ts';
import type { ThumbnailAddressDeps } from './thumbnail.ts';
import { makeToThumbnailAddress, toStoredThumbnails } from './thumbnail.ts';

/** What searching needs. */
export interface SearchDeps extends ThumbnailAddressDeps {
  readonly scenes: SceneStore;
  readonly areaParser: AreaParser;
}

const answers = {
  200: { description: 'A page of scenes.', content: { 'application/json': searchAnswerSchema } },
  400: { description: 'The body is malformed; the message names the field.' },
  404: { description: 'Unknown dataset.' },
};

/** `POST /api/lms/search/v2/{dataset_id}`: scenes of one dataset. */
export const searchDataset = (deps: SearchDeps): Endpoint => ({
  summary: 'Find scenes of one dataset',
  tag: 'Search',
  params: {
    dataset_id: {
      description: 'Dataset id, or the abbreviation of its sensor; in any case.',
      schema: json.choice(datasetIds),
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

async function search(deps: SearchDeps, request: ApiRequest, named: NamedDataset | null): Promise<Answer> {
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
