/** Items of the STAC API: searched for, listed and read one by one. */
import type { AreaParser } from '../../areas/index.ts';
import { makeGate, makePause } from '../../async/index.ts';
import type { CatalogNote, FiledHit, Scene, SceneHit, SceneStore } from '../../catalog/index.ts';
import { notFound } from '../errors.ts';
import { writePieces } from '../kit/answer-bodies.ts';
import { Answer, answerCached, freeWhenSent } from '../kit/answers.ts';
import { writeJson } from '../kit/bodies.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { AttributionDeps } from '../mosaic/attribution.ts';
import type { TileTokenDeps } from '../ogc/map-addresses.ts';
import { makeToMapAddress } from '../ogc/map-addresses.ts';
import type { ThumbnailAddressDeps } from '../pictures/thumbnails.ts';
import { makeToThumbnailAddress } from '../pictures/thumbnails.ts';
import type { StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, makeAddresses, toRootLink } from './addresses.ts';
import { collectionParameter, findCollection } from './collections.ts';
import type { SceneFileDeps } from './files.ts';
import type { FoundItems, ItemSearch } from './find-items.ts';
import { findHit, findItems } from './find-items.ts';
import type { ItemTools } from './item.ts';
import { makeWriteItem } from './item.ts';
import type { ItemFields } from './item-fields.ts';
import { needsAssets, pickFields, toWantedParts } from './item-fields.ts';
import { toToken } from './item-position.ts';
import { toViewId } from './item-properties.ts';
import type { KnownItems } from './known-items.ts';
import { makeWriteKnownItem } from './known-items.ts';
import type { StacDeps } from './landing.ts';
import { DOCUMENT_S, linkSchema } from './landing.ts';
import { itemsParameters, searchBodySchema, searchParameters } from './search-parameters.ts';
import type { SearchRequest } from './search-request.ts';
import { readSearchBody, readSearchQuery } from './search-request.ts';

/** What items are found and written with. */
export interface StacItemDeps
  extends StacDeps,
    ThumbnailAddressDeps,
    AttributionDeps,
    TileTokenDeps,
    Pick<SceneFileDeps, 'readFileLinks'> {
  readonly scenes: SceneStore;
  readonly areaParser: AreaParser;
  readonly knownItems: KnownItems;
}

export const itemSchema = json.named(
  'StacItem',
  json.object(
    {
      type: json.literal('Feature'),
      id: json.string(),
      'stac_version?': json.string(),
      'collection?': json.string(),
      'geometry?': json.map(json.any()),
      'properties?': json.map(json.any()),
      'links?': json.list(linkSchema),
      'assets?': json.map(json.any()),
    },
    { isOpen: true },
  ),
);

const pageAnswers: Endpoint['answers'] = {
  200: {
    description: 'A page of items; its next link leads to the next page.',
    content: {
      [GEOJSON_TYPE]: json.object({
        type: json.literal('FeatureCollection'),
        features: json.list(itemSchema),
        links: json.list(linkSchema),
        numberReturned: json.integer({ min: 0 }),
        'numberMatched?': json.integer({
          min: 0,
          description: 'On the first page, where it is known without reading every scene.',
        }),
      }),
    },
  },
  400: { description: 'A parameter is malformed; the description names it.' },
  422: { description: 'Too many scenes of one day match to be sorted by their times.' },
};

/** `GET /stac/search`. */
export const stacSearch = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: search for items',
  tag: 'STAC',
  query: searchParameters,
  answers: pageAnswers,
  async handle(request) {
    const asked = await readSearchQuery(request.query, {
      ...(await toContext(request, deps)),
      collection: null,
    });
    return answerPage(request, asked, deps, { path: makeAddresses(request.publicUrl).search });
  },
});

/** `POST /stac/search`. */
export const stacSearchByBody = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: search for items with a body',
  tag: 'STAC',
  body: {
    description: 'What to look for.',
    required: false,
    schema: searchBodySchema,
    example: { collections: ['sentinel2l2a'], bbox: [-123, 48, -122, 49], limit: 5 },
  },
  answers: pageAnswers,
  async handle(request) {
    const asked = await readSearchBody(await request.readOptionalJson(), await toContext(request, deps));
    return answerPage(request, asked, deps, { path: makeAddresses(request.publicUrl).search, isPost: true });
  },
});

/** `GET /stac/collections/{collection_id}/items`. */
export const stacItems = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: items of a collection',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  query: itemsParameters,
  answers: { ...pageAnswers, 404: { description: 'No such collection.' } },
  async handle(request) {
    const { sensor } = await findCollection(request.params.collection_id ?? '', deps.datasets);
    const { dataset } = sensor;
    const asked = await readSearchQuery(request.query, {
      ...(await toContext(request, deps)),
      collection: dataset,
    });
    const addresses = makeAddresses(request.publicUrl);
    return answerPage(request, asked, deps, { path: addresses.items(dataset), dataset });
  },
});

export async function toContext(request: ApiRequest, { areaParser, datasets }: StacItemDeps) {
  return {
    parseArea: (geometry: unknown) => areaParser.parse(writeJson(geometry), request.ticket),
    datasets: await datasets.list(),
    tellIgnored: request.tellIgnored,
  };
}

interface PagePlace {
  /** The address of the page, without its query. */
  readonly path: string;
  readonly dataset?: string;
  readonly isPost?: boolean;
}

async function answerPage(
  request: ApiRequest,
  { search, fields }: SearchRequest,
  deps: StacItemDeps,
  place: PagePlace,
): Promise<Answer> {
  const withFiles = needsAssets(fields);
  const found = await findItems({ ...search, withFiles }, deps.scenes, request.pay);
  const writeOne = await makeWriteParts(request, fields, deps);
  const scenes = withFiles ? await readRecords(found.hits, deps.scenes) : found.hits;
  const end = {
    links: toPageLinks(request, found, search, place),
    numberReturned: found.hits.length,
    ...(found.matched === null ? {} : { numberMatched: found.matched }),
  };
  const headers = { 'content-type': GEOJSON_TYPE, 'cache-control': 'no-store' };
  const bytes = await writePieces(toPieces(scenes, writeOne, end), scenes.length);
  // Short buffers share their memory.
  if (bytes.buffer.byteLength > Buffer.poolSize) freeWhenSent(request, bytes);
  return new Answer(bytes, {
    headers: { ...headers, ...toCatalogHeader(found.catalogs) },
  });
}

/**
 * The pieces of a page. No function inside another: each call of one that generates makes a class of objects, which only a long
 * collection of garbage removes, with all hits of the page.
 */
function* toPieces<Hit>(
  hits: readonly Hit[],
  write: (hit: Hit) => string | Uint8Array,
  end: object,
): Generator<string | Uint8Array, void, void> {
  let before = '{"type":"FeatureCollection","features":[';
  for (const hit of hits) {
    yield before;
    yield write(hit);
    before = ',';
  }
  yield `${before === ',' ? '' : before}],${JSON.stringify(end).slice(1)}`;
}

/** Names the live catalogs that did not answer completely. */
export function toCatalogHeader(notes: readonly CatalogNote[]): Readonly<Record<string, string>> {
  const incomplete = notes.flatMap(({ catalog, problem }) =>
    problem === null ? [] : `${catalog}; reason=${problem.code}`,
  );
  return incomplete.length === 0 ? {} : { 'x-incomplete-catalogs': [...new Set(incomplete)].join(', ') };
}

function toPageLinks(
  request: ApiRequest,
  { next }: FoundItems,
  { order }: ItemSearch,
  { path, dataset, isPost = false }: PagePlace,
): readonly StacLink[] {
  const addresses = makeAddresses(request.publicUrl);
  const toHref = (token: string | null): string => {
    // Links never hold a key: they are shown, stored and passed on.
    const kept = [...request.query].filter(([name]) => name !== 'token' && !/^api_?key$/i.test(name));
    const text = new URLSearchParams([
      ...kept,
      ...(token === null ? [] : [['token', token] as [string, string]]),
    ]);
    return text.size === 0 ? path : `${path}?${text.toString()}`;
  };
  const own = request.query.get('token') ?? null;
  const token = next === null ? null : toToken(next, order);
  return [
    { rel: 'self', href: isPost ? path : toHref(own), type: GEOJSON_TYPE },
    toRootLink(addresses),
    ...(dataset === undefined
      ? []
      : ['parent', 'collection'].map((rel) => ({
          rel,
          href: addresses.collection(dataset),
          type: JSON_TYPE,
        }))),
    ...(token === null
      ? []
      : isPost
        ? [{ rel: 'next', href: path, type: GEOJSON_TYPE, method: 'POST', body: { token }, merge: true }]
        : [{ rel: 'next', href: toHref(token), type: GEOJSON_TYPE, method: 'GET' }]),
  ];
}

/** Records that are read at the same time. */
const READ_AT_ONCE = 8;

/** Writes the wanted parts of items. */
async function makeWriteParts(
  request: ApiRequest,
  fields: ItemFields,
  deps: StacItemDeps,
): Promise<(scene: FiledHit | Scene | SceneHit) => string | Uint8Array> {
  const parts = toWantedParts(fields);
  const tools = await makeTools(request, deps);
  const withAssets = fields.exclude.join() !== 'assets';
  if (parts !== null && fields.exclude.length > 0 && withAssets) return makeWriteItem(tools, parts);
  const write = makeWriteKnownItem(tools, deps.knownItems, { withAssets: parts === null || withAssets });
  return parts === null
    ? (scene) => JSON.stringify(pickFields(JSON.parse(String(write(scene))), fields))
    : write;
}

/** The records of hits that search has not read. Those of live catalogs stay hits: their files would have to be opened, one by one. */
async function readRecords(
  hits: FoundItems['hits'],
  scenes: Pick<SceneStore, 'findByViewId' | 'findHit'>,
): Promise<readonly (FiledHit | Scene | SceneHit)[]> {
  const gate = makeGate(READ_AT_ONCE);
  const pause = makePause();
  return Promise.all(
    hits.map((hit) =>
      'files' in hit || 'assets' in hit || hit.provenance === 'live'
        ? hit
        : gate.run(async () => {
            await pause();
            return (await findHit(hit.viewId, scenes)) ?? hit;
          }),
    ),
  );
}

async function makeTools(request: ApiRequest, deps: StacItemDeps): Promise<ItemTools> {
  const { publicUrl } = request;
  const links = await deps.readFileLinks();
  const keyId = request.key?.id ?? '';
  const signedFor = `${keyId} ${links.readExpiry()}`;
  const toMap = await makeToMapAddress(request, deps);
  return {
    publicUrl,
    addresses: makeAddresses(publicUrl),
    toThumbnail: await makeToThumbnailAddress(deps, publicUrl),
    toFolder: rememberLast((viewId) => publicUrl + links.sign({ keyId, viewId })),
    toMap: toMap && rememberLast((itemId) => toMap(`scene.${itemId}`)),
    signedFor,
  };
}

/** An item is signed when it is written, and again when it is kept. */
function rememberLast(sign: (id: string) => string): (id: string) => string {
  let [last, signed] = ['', ''];
  return (id) => {
    if (id !== last || signed === '') [last, signed] = [id, sign(id)];
    return signed;
  };
}

export const itemParameters: NonNullable<Endpoint['params']> = {
  collection_id: collectionParameter,
  item_id: {
    description: 'The view id, with _ for /.',
    schema: json.string(),
    example: 'S2L2A_10_U_EU_2026_6_21_1',
  },
};

/** `GET /stac/collections/{collection_id}/items/{item_id}`. */
export const stacItem = (deps: StacItemDeps): Endpoint => ({
  summary: 'The STAC API: one item',
  tag: 'STAC',
  params: itemParameters,
  answers: {
    200: { description: 'The item.', content: { [GEOJSON_TYPE]: itemSchema } },
    304: { description: 'The item you have (If-None-Match) is still current.' },
    404: { description: 'No such collection or item.' },
  },
  async handle(request) {
    const scene = await findItem(request, deps);
    const content = await writeItem(request, scene, deps);
    return answerCached(request, {
      content,
      type: GEOJSON_TYPE,
      maxAgeS: DOCUMENT_S,
      read: async () => content,
    });
  },
});

/** An item as JSON. */
export const writeItem = async (request: ApiRequest, scene: Scene, deps: StacItemDeps): Promise<string> =>
  makeWriteItem(await makeTools(request, deps))(scene).toString();

/** The scene of an item's path. */
export async function findItem({ params }: ApiRequest, deps: StacItemDeps): Promise<Scene> {
  const { sensor } = await findCollection(params.collection_id ?? '', deps.datasets);
  const { dataset } = sensor;
  const viewId = toViewId(params.item_id ?? '');
  const scene = viewId === null ? null : await deps.scenes.findByViewId(viewId);
  if (scene === null || scene.dataset !== dataset)
    throw notFound('unknown-item', 'There is no such item in this collection.');
  return scene;
}
