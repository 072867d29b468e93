/** Collections of the STAC API, one for each dataset, and what can be asked of their items. */

import { boundsRing } from '../../geo/index.ts';
import type { Recipe } from '../../library/index.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import { sensorByDataset, sensors } from '../../sensors/index.ts';
import { notFound } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCached, answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { refuseField } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters } from '../kit/parameters.ts';
import type { TileTokenDeps } from '../ogc/map-addresses.ts';
import { makeToMapAddress } from '../ogc/map-addresses.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import {
  GEOJSON_TYPE,
  JSON_TYPE,
  makeAddresses,
  SCHEMA_TYPE,
  STAC_VERSION,
  toRootLink,
  toWmtsLink,
  WEB_MAP_LINKS,
} from './addresses.ts';
import { toSearchedText } from './collection-text.ts';
import type { DatasetExtent, StacDataset, StacDatasets } from './datasets.ts';
import type { FilterShape, Span } from './filter/filter-tree.ts';
import type { ItemProperty } from './item-properties.ts';
import { itemProperties } from './item-properties.ts';
import { parseSpan } from './item-times.ts';
import type { StacCollectionDeps, StacDeps } from './landing.ts';
import { DOCUMENT_S, linkSchema, QUERYABLES, SORTABLES } from './landing.ts';
import { listRenders, RENDER_EXTENSION } from './renders.ts';
import { boxParameter } from './search-parameters.ts';
import { readLimit, sortableNames } from './search-values.ts';

/** A collection, for the documentation. */
export const collectionSchema = json.named(
  'StacCollection',
  json.object(
    {
      type: json.literal('Collection'),
      id: json.string(),
      stac_version: json.string(),
      title: json.string(),
      description: json.string(),
      license: json.string(),
      extent: json.map(json.any()),
      links: json.list(linkSchema),
    },
    { isOpen: true },
  ),
);

/** The collection in a path, for the documentation. */
export const collectionParameter = {
  description: 'A dataset that has scenes, or was described.',
  schema: json.string(),
  example: 'sentinel2l2a',
} as const;

/** The dataset of a path; throws when it is not a collection. */
export async function findCollection(id: string, datasets: StacDatasets): Promise<StacDataset> {
  const found = await datasets.find(id);
  if (found !== null) return found;
  const known = (await datasets.list()).map(({ sensor }) => sensor.dataset);
  const names = known.length === 0 ? 'There are none' : `They are ${known.join(', ')}`;
  throw notFound('unknown-collection', `There is no such collection. ${names}.`);
}

/** The longest list of words. */
const MAX_WORDS_CHARS = 300;

/** The parameters of a search of collections. */
const collectionParameters = defineParameters({
  bbox: boxParameter({
    description: 'West, south, east and north in degrees: collections whose extent meets the box.',
  }),
  datetime: custom({
    description: 'A time, or an interval of two: collections whose interval meets it.',
    schema: json.string(),
    fallback: null,
    read: readSpan,
  }),
  q: custom({
    description: 'Words with commas between them: collections that have one of them in their texts.',
    schema: json.string(),
    fallback: null,
    read: (text) => (text.length > MAX_WORDS_CHARS ? null : text.toLowerCase().split(',')),
    rule: `may have at most ${MAX_WORDS_CHARS} characters.`,
  }),
  limit: custom({
    description: 'How many collections a page has; all by default.',
    schema: json.integer({ min: 1 }),
    fallback: null,
    read: readLimit,
  }),
  token: custom({
    description: 'Of a next link: the collection that its page begins behind.',
    schema: json.string(),
    fallback: null,
    read: (text) => (sensorByDataset(text) === null ? null : text),
    rule: 'must be that of a next link.',
  }),
});

/** `GET /stac/collections`. */
export const stacCollections = ({ datasets, ...tokens }: StacDeps & TileTokenDeps): Endpoint => ({
  summary: 'The STAC API: all collections',
  tag: 'STAC',
  query: collectionParameters,
  answers: {
    200: {
      description: 'One collection for each dataset that has scenes, or was described.',
      content: {
        'application/json': json.object({
          collections: json.list(collectionSchema),
          links: json.list(linkSchema),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
    400: { description: 'A parameter is malformed; the description names it.' },
  },
  async handle(request) {
    const { query } = request;
    const [box, span] = [collectionParameters.bbox.read(query), collectionParameters.datetime.read(query)];
    const [words, limit] = [collectionParameters.q.read(query), collectionParameters.limit.read(query)];
    const addresses = makeAddresses(request.publicUrl);
    const toMap = await makeToMapAddress(request, tokens);
    const all = await Promise.all(
      (await datasets.list()).map(async (found) => {
        if (words !== null && !hasWord(found, words)) return [];
        const extent = await datasets.readExtent(found.sensor.dataset);
        return isInside(extent, box, span)
          ? [toCollection(found, extent, { publicUrl: request.publicUrl, toMap })]
          : [];
      }),
    );
    const found = all.flat();
    const token = collectionParameters.token.read(query);
    // Collections are in the order of the sensors, whichever of them have scenes.
    const order = sensors.map(({ dataset }) => dataset);
    const behind = found.filter(({ id }) => token === null || order.indexOf(id) > order.indexOf(token));
    const collections = limit === null ? behind : behind.slice(0, limit);
    const last = collections.length < behind.length ? collections.at(-1) : undefined;
    const links: readonly StacLink[] = [
      { rel: 'self', href: addresses.collections, type: JSON_TYPE },
      { rel: 'parent', href: addresses.root, type: JSON_TYPE },
      toRootLink(addresses),
      ...(last === undefined ? [] : [toNextLink(request, addresses, last.id)]),
    ];
    return answerCachedJson(
      request,
      { collections, links, numberMatched: found.length, numberReturned: collections.length },
      { maxAgeS: DOCUMENT_S },
    );
  },
});

/** The link to the next page; it never holds a key. */
function toNextLink({ query }: ApiRequest, { collections }: StacAddresses, token: string): StacLink {
  const kept = [...query].filter(([name]) => name !== 'token' && !/^api_?key$/i.test(name));
  const href = `${collections}?${new URLSearchParams([...kept, ['token', token]]).toString()}`;
  return { rel: 'next', href, type: JSON_TYPE, method: 'GET' };
}

function readSpan(text: string): Span | null {
  const span = parseSpan(text);
  if (span !== null) return span;
  throw refuseField('datetime', 'must be a time by RFC 3339, or two with a slash between them.');
}

/** Whether an extent meets a box and a span; an open end meets everything. */
function isInside({ box, from, to }: DatasetExtent, shape: FilterShape | null, span: Span | null): boolean {
  const [west, south, east, north] = box;
  const ring = boundsRing({ west, south, east, north });
  if (shape !== null && !shape.meets({ type: 'Polygon', coordinates: [ring] })) return false;
  if (span === null) return true;
  return (from === null || Date.parse(from) <= span.toMs) && (to === null || Date.parse(to) >= span.fromMs);
}

/** Whether one of some words is in the texts of a collection, in any case. */
function hasWord({ sensor, text }: StacDataset, words: readonly string[]): boolean {
  const searched = toSearchedText(sensor.dataset, text).toLowerCase();
  return words.some((word) => searched.includes(word.trim()));
}

/** `GET /stac/collections/{collection_id}`. */
export const stacCollection = (deps: StacCollectionDeps): Endpoint => ({
  summary: 'The STAC API: one collection',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  answers: {
    200: { description: 'The collection.', content: { 'application/json': collectionSchema } },
    304: { description: 'The document you have (If-None-Match) is still current.' },
    404: { description: 'No such collection.' },
  },
  async handle(request) {
    const found = await findCollection(request.params.collection_id ?? '', deps.datasets);
    const collection = await describeCollection(request, found, deps);
    return answerCachedJson(request, collection, { maxAgeS: DOCUMENT_S });
  },
});

/** Recipes of a key that a collection lists. */
const MAX_RECIPES = 100;

/** The document of one collection, with the recipes of the key that asks. */
export async function describeCollection(
  { key, publicUrl }: ApiRequest,
  found: StacDataset,
  { datasets, recipes, ...tokens }: StacCollectionDeps,
) {
  const extent = await datasets.readExtent(found.sensor.dataset);
  const own = await recipes.list(key?.id ?? '', { after: null, limit: MAX_RECIPES });
  const toMap = await makeToMapAddress({ key, publicUrl }, tokens);
  return toCollection(found, extent, { publicUrl, toMap }, own);
}

/** What addresses of a collection begin with. */
interface CollectionAddresses {
  readonly publicUrl: string;
  /** What those of a layer's map begin with, which work without a key; null where there are none. */
  readonly toMap: ((layer: string) => string) | null;
}

function toCollection(
  { sensor, text }: StacDataset,
  { box, from, to }: DatasetExtent,
  { publicUrl, toMap }: CollectionAddresses,
  recipes: readonly Recipe[] = [],
) {
  const addresses = makeAddresses(publicUrl);
  const renders = listRenders(sensor, recipes);
  const isDrawn = Object.keys(renders).length > 0;
  const { dataset, bands } = sensor;
  const facts = sensor.facts;
  const self = addresses.collection(dataset);
  const links: readonly StacLink[] = [
    { rel: 'self', href: self, type: JSON_TYPE, title: text.title },
    { rel: 'parent', href: addresses.root, type: JSON_TYPE },
    toRootLink(addresses),
    { rel: 'items', href: addresses.items(dataset), type: GEOJSON_TYPE, title: 'Scenes' },
    { rel: 'aggregate', href: `${self}/aggregate`, type: JSON_TYPE, title: 'Numbers' },
    { rel: 'aggregations', href: `${self}/aggregations`, type: JSON_TYPE, title: 'Names of numbers' },
    { rel: QUERYABLES, href: `${self}/queryables`, type: SCHEMA_TYPE, title: 'Queryables' },
    { rel: SORTABLES, href: `${self}/sortables`, type: SCHEMA_TYPE, title: 'Sortables' },
    ...(isDrawn
      ? [
          toWmtsLink(publicUrl, dataset),
          {
            rel: 'tilejson',
            href: `${toMap?.(dataset) ?? `${publicUrl}/ogc/collections/${encodeURIComponent(dataset)}`}/tilejson.json`,
            type: JSON_TYPE,
            title: 'TileJSON of the newest clear mosaic',
          },
        ]
      : []),
    ...(facts.terms === null ? [] : [{ rel: 'license', href: facts.terms, title: 'Terms of use' }]),
  ];
  return {
    type: 'Collection',
    id: dataset,
    stac_version: STAC_VERSION,
    // The names of bands and wavelengths in `item_assets`.
    stac_extensions: [
      ...(bands.some(({ centreNm }) => centreNm !== null)
        ? ['https://stac-extensions.github.io/eo/v2.0.0/schema.json']
        : []),
      ...(isDrawn ? [WEB_MAP_LINKS, RENDER_EXTENSION] : []),
    ],
    ...text,
    extent: { spatial: { bbox: [box] }, temporal: { interval: [[from, to]] } },
    summaries: {
      ...(facts.constellation === null ? {} : { constellation: [facts.constellation] }),
      ...(facts.instruments.length === 0 ? {} : { instruments: facts.instruments }),
      gsd: [...new Set(bands.map(({ resolutionM }) => resolutionM))].sort((a, b) => a - b),
    },
    ...(isDrawn ? { renders } : {}),
    item_assets: {
      ...Object.fromEntries(bands.map((band) => [band.name, toItemAsset(band)])),
      thumbnail: { title: 'Thumbnail', type: 'image/png', roles: ['thumbnail'] },
    },
    links,
  };
}

function toItemAsset({ name, kind, centreNm, widthNm, resolutionM }: Band) {
  return {
    title: name,
    roles: [kind === 'quality' ? 'data-mask' : 'data'],
    gsd: resolutionM,
    bands: [
      {
        name,
        ...(centreNm === null ? {} : { 'eo:center_wavelength': centreNm / 1_000 }),
        ...(widthNm === null ? {} : { 'eo:full_width_half_max': widthNm / 1_000 }),
      },
    ],
  };
}

/** Properties that items of a dataset may have; of all without one. */
function listProperties(sensor: Sensor | null): readonly (readonly [string, ItemProperty])[] {
  const all = Object.entries<ItemProperty>(itemProperties);
  if (sensor === null) return all;
  return all.filter(([name, { searchedAs, isOfDataset, read }]) => {
    // Every record has these, whether search knows them for the dataset or not.
    if (name === 'eo:cloud_cover' || name === 'view:sun_elevation') return true;
    if (isOfDataset) return read({} as never, sensor) !== null;
    return searchedAs === undefined || searchedAs(sensor) !== null;
  });
}

const GEOMETRY = {
  $ref: 'https://geojson.org/schema/Geometry.json',
  description: 'The ground of the scene.',
};

/** What queryables and sortables are asked with. */
type Listed = 'queryables' | 'sortables';

/** `GET /stac/queryables`, `/stac/sortables`, and those of a collection: a JSON Schema of names. */
export const stacNames = (listed: Listed, { datasets }: StacDeps, isOfCollection: boolean): Endpoint => ({
  summary: `The STAC API: ${listed}${isOfCollection ? ' of a collection' : ''}`,
  tag: 'STAC',
  ...(isOfCollection ? { params: { collection_id: collectionParameter } } : {}),
  answers: {
    200: {
      description: 'A JSON Schema with a property for each name.',
      content: { [SCHEMA_TYPE]: json.map(json.any()) },
    },
    304: { description: 'The schema you have (If-None-Match) is still current.' },
    ...(isOfCollection ? { 404: { description: 'No such collection.' } } : {}),
  },
  async handle(request) {
    const found = isOfCollection ? await findCollection(request.params.collection_id ?? '', datasets) : null;
    return answerSchema(request, listed, found?.sensor ?? null);
  },
});

function answerSchema(request: ApiRequest, listed: Listed, sensor: Sensor | null): Promise<Answer> {
  const names = listProperties(sensor).filter(
    ([name]) => listed === 'queryables' || sortableNames.includes(name),
  );
  const content = JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${request.publicUrl}${request.rawPath}`,
    type: 'object',
    title: `${listed === 'queryables' ? 'Queryables' : 'Sortables'} of ${sensor?.title ?? 'all collections'}`,
    properties: {
      ...Object.fromEntries(names.map(([name, { schema }]) => [name, schema])),
      ...(listed === 'queryables' ? { geometry: GEOMETRY } : {}),
    },
    // A condition on any other property is never met.
    additionalProperties: listed === 'queryables',
  });
  return answerCached(request, { content, type: SCHEMA_TYPE, read: async () => content });
}
