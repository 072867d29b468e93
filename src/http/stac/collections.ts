/** Collections of the STAC API, one for each dataset, and what can be asked of their items. */
import type { Band, Sensor } from '../../sensors/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { notFound } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import { answerCached, answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { StacAddresses, StacLink } from './addresses.ts';
import { GEOJSON_TYPE, JSON_TYPE, makeAddresses, SCHEMA_TYPE, toRootLink } from './addresses.ts';
import type { DatasetExtent, StacDatasets } from './datasets.ts';
import type { ItemProperty } from './item-properties.ts';
import { itemProperties } from './item-properties.ts';
import type { StacDeps } from './landing.ts';
import { DOCUMENT_S, linkSchema, QUERYABLES, SORTABLES } from './landing.ts';
import { sortableNames } from './search-values.ts';

/** A collection, for the documentation. */
const collectionSchema = json.named(
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
  description: 'A dataset that has scenes.',
  schema: json.string(),
  example: 'sentinel2l2a',
} as const;

/** The dataset of a path; throws when it has no scenes. */
export async function findCollection(id: string, datasets: StacDatasets): Promise<Sensor> {
  const sensor = sensorByDataset(id);
  const known = await datasets.list();
  if (sensor !== null && known.includes(id)) return sensor;
  const names = known.length === 0 ? 'There are none' : `They are ${known.join(', ')}`;
  throw notFound('unknown-collection', `There is no such collection. ${names}.`);
}

/** `GET /stac/collections`. */
export const stacCollections = ({ datasets }: StacDeps): Endpoint => ({
  summary: 'The STAC API: all collections',
  tag: 'STAC',
  answers: {
    200: {
      description: 'One collection for each dataset that has scenes.',
      content: {
        'application/json': json.object({
          collections: json.list(collectionSchema),
          links: json.list(linkSchema),
        }),
      },
    },
    304: { description: 'The list you have (If-None-Match) is still current.' },
  },
  async handle(request) {
    const addresses = makeAddresses(request.publicUrl);
    const ids = await datasets.list();
    const collections = await Promise.all(
      ids.map(async (id) => {
        const sensor = sensorByDataset(id);
        return sensor === null ? [] : [toCollection(sensor, await datasets.readExtent(id), addresses)];
      }),
    );
    const links: readonly StacLink[] = [
      { rel: 'self', href: addresses.collections, type: JSON_TYPE },
      { rel: 'parent', href: addresses.root, type: JSON_TYPE },
      toRootLink(addresses),
    ];
    return answerCachedJson(
      request,
      { collections: collections.flat(), links, numberMatched: ids.length, numberReturned: ids.length },
      { maxAgeS: DOCUMENT_S },
    );
  },
});

/** `GET /stac/collections/{collection_id}`. */
export const stacCollection = ({ datasets }: StacDeps): Endpoint => ({
  summary: 'The STAC API: one collection',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  answers: {
    200: { description: 'The collection.', content: { 'application/json': collectionSchema } },
    304: { description: 'The document you have (If-None-Match) is still current.' },
    404: { description: 'No such collection.' },
  },
  async handle(request) {
    const sensor = await findCollection(request.params.collection_id ?? '', datasets);
    const extent = await datasets.readExtent(sensor.dataset);
    const collection = toCollection(sensor, extent, makeAddresses(request.publicUrl));
    return answerCachedJson(request, collection, { maxAgeS: DOCUMENT_S });
  },
});

function toCollection(sensor: Sensor, { box, from, to }: DatasetExtent, addresses: StacAddresses) {
  const { dataset, title, bands } = sensor;
  const facts = sensor.facts;
  const self = addresses.collection(dataset);
  const links: readonly StacLink[] = [
    { rel: 'self', href: self, type: JSON_TYPE, title },
    { rel: 'parent', href: addresses.root, type: JSON_TYPE },
    toRootLink(addresses),
    { rel: 'items', href: addresses.items(dataset), type: GEOJSON_TYPE, title: 'Scenes' },
    { rel: QUERYABLES, href: `${self}/queryables`, type: SCHEMA_TYPE, title: 'Queryables' },
    { rel: SORTABLES, href: `${self}/sortables`, type: SCHEMA_TYPE, title: 'Sortables' },
    ...(facts.terms === null ? [] : [{ rel: 'license', href: facts.terms, title: 'Terms of use' }]),
  ];
  return {
    type: 'Collection',
    id: dataset,
    stac_version: '1.1.0',
    // The names of bands and wavelengths in `item_assets`.
    stac_extensions: bands.some(({ centreNm }) => centreNm !== null)
      ? ['https://stac-extensions.github.io/eo/v2.0.0/schema.json']
      : [],
    title,
    description: `Scenes of ${title} in the catalog of this service.`,
    keywords: facts.keywords,
    license: facts.license,
    providers: facts.providers,
    extent: { spatial: { bbox: [box] }, temporal: { interval: [[from, to]] } },
    summaries: {
      ...(facts.constellation === null ? {} : { constellation: [facts.constellation] }),
      ...(facts.instruments.length === 0 ? {} : { instruments: facts.instruments }),
      gsd: [...new Set(bands.map(({ resolutionM }) => resolutionM))].sort((a, b) => a - b),
    },
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
    const sensor = isOfCollection ? await findCollection(request.params.collection_id ?? '', datasets) : null;
    return answerSchema(request, listed, sensor);
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
