/** Aggregations of the STAC API (aggregation extension 0.3): numbers of a search in place of its items. */
import { badInput } from '../errors.ts';
import { answerLongJson } from '../kit/answer-bodies.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { defineFields, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters } from '../kit/parameters.ts';
import { JSON_TYPE, makeAddresses, toRootLink } from './addresses.ts';
import type { AggregationName } from './aggregate-items.ts';
import { aggregateItems, aggregationList } from './aggregate-items.ts';
import { collectionParameter, findCollection } from './collections.ts';
import type { StacItemDeps } from './items.ts';
import { toCatalogHeader, toContext } from './items.ts';
import { linkSchema } from './landing.ts';
import { bodyFields, itemsParameters, searchOnly } from './search-parameters.ts';
import type { SearchRequest } from './search-request.ts';
import { readSearchBody, readSearchQuery } from './search-request.ts';
import { readNames } from './search-values.ts';

const NAMES: readonly string[] = aggregationList.map(({ name }) => name);

function readAggregations(given: unknown): readonly AggregationName[] {
  const names = readNames(given, 'aggregations', NAMES.length);
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw badInput(
      'bad-aggregations',
      `aggregations has ${unknown.slice(0, 60)}; it can have ${NAMES.join(', ')}.`,
    );
  return [...new Set(names)] as AggregationName[];
}

const WHICH = `Which to compute: ${NAMES.join(', ')}. None by default.`;

const { aggregations } = defineParameters({
  aggregations: custom({
    description: WHICH,
    example: 'total_count,datetime_max',
    schema: json.string(),
    fallback: [],
    read: readAggregations,
  }),
});

/** What chooses items; pages, orders and parts of items mean nothing here. */
const { limit: _, token: __, sortby: ___, fields: ____, ...conditions } = itemsParameters;

const { limit: _l, token: _t, sortby: _s, fields: _f, ...bodyConditions } = bodyFields;
const ownFields = defineFields({
  aggregations: {
    schema: json.list(json.choice(NAMES), { max: NAMES.length, description: WHICH }),
    parse: (given: unknown) => (given == null ? [] : readAggregations(given)),
  },
});

const answers: Endpoint['answers'] = {
  200: {
    description: 'The numbers.',
    content: {
      'application/json': json.object({
        type: json.literal('AggregationCollection'),
        aggregations: json.list(json.map(json.any())),
        links: json.list(linkSchema),
      }),
    },
  },
  400: { description: 'A parameter is malformed; the description names it.' },
  422: { description: 'The search cannot be counted; the description says why.' },
};

/** `GET /stac/aggregate`. */
export const stacAggregate = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: numbers of a search',
  tag: 'STAC',
  query: { aggregations, ...conditions, ...searchOnly },
  answers,
  async handle(request) {
    const context = { ...(await toContext(request, deps)), collection: null };
    const asked = await readSearchQuery(request.query, context);
    const path = `${makeAddresses(request.publicUrl).root}/aggregate`;
    return answer(request, asked, aggregations.read(request.query), deps, path);
  },
});

/** `POST /stac/aggregate`. */
export const stacAggregateByBody = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: numbers of a search with a body',
  tag: 'STAC',
  body: {
    description: 'What to look for, and what to count.',
    required: false,
    schema: toObjectSchema({ ...ownFields, ...bodyConditions }),
    example: { collections: ['sentinel2l2a'], aggregations: ['total_count', 'cloud_cover_frequency'] },
  },
  answers,
  async handle(request) {
    const body = await request.readOptionalJson();
    const asked = await readSearchBody(body, await toContext(request, deps));
    const names = ownFields.aggregations.read((body ?? {}) as Parameters<typeof bodyFields.bbox.read>[0]);
    return answer(request, asked, names, deps, `${makeAddresses(request.publicUrl).root}/aggregate`);
  },
});

/** `GET /stac/collections/{collection_id}/aggregate`. */
export const stacAggregateOne = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: numbers of the items of a collection',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  query: { aggregations, ...conditions },
  answers: { ...answers, 404: { description: 'No such collection.' } },
  async handle(request) {
    const { sensor } = await findCollection(request.params.collection_id ?? '', deps.datasets);
    const { dataset } = sensor;
    const context = { ...(await toContext(request, deps)), collection: dataset };
    const asked = await readSearchQuery(request.query, context);
    const path = `${makeAddresses(request.publicUrl).collection(dataset)}/aggregate`;
    return answer(request, asked, aggregations.read(request.query), deps, path);
  },
});

async function answer(
  request: ApiRequest,
  { search }: SearchRequest,
  names: readonly AggregationName[],
  deps: StacItemDeps,
  path: string,
): Promise<Answer> {
  const found = await aggregateItems(search, names, deps.scenes, request.pay);
  const headers = { 'cache-control': 'no-store', ...toCatalogHeader(found.catalogs) };
  return answerLongJson(
    {
      type: 'AggregationCollection',
      aggregations: found.aggregations,
      links: [{ rel: 'self', href: path, type: JSON_TYPE }, toRootLink(makeAddresses(request.publicUrl))],
    },
    { headers },
  );
}

/** `GET /stac/aggregations`, and those of a collection. */
export const stacAggregations = (deps: StacItemDeps, isOfCollection: boolean): Endpoint => ({
  summary: `The STAC API: which numbers there are${isOfCollection ? ' of a collection' : ''}`,
  tag: 'STAC',
  ...(isOfCollection ? { params: { collection_id: collectionParameter } } : {}),
  answers: {
    200: {
      description: 'Their names and what they say.',
      content: {
        'application/json': json.object({
          aggregations: json.list(
            json.object({ name: json.string(), data_type: json.string(), description: json.string() }),
          ),
          links: json.list(linkSchema),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
    ...(isOfCollection ? { 404: { description: 'No such collection.' } } : {}),
  },
  async handle(request) {
    const addresses = makeAddresses(request.publicUrl);
    const parent = isOfCollection
      ? addresses.collection(
          (await findCollection(request.params.collection_id ?? '', deps.datasets)).sensor.dataset,
        )
      : addresses.root;
    return answerCachedJson(request, {
      aggregations: aggregationList,
      links: [
        { rel: 'self', href: `${parent}/aggregations`, type: JSON_TYPE },
        { rel: 'aggregate', href: `${parent}/aggregate`, type: JSON_TYPE },
        toRootLink(addresses),
      ],
    });
  },
});
