/** OGC API - Tiles and Maps over the same layers: the landing page, collections, and tile matrix sets. */
import type { Answer } from '../kit/answers.ts';
import { answerCachedJson } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { toCoverageFacts } from './coverage-facts.ts';
import { writeProblem } from './door-errors.ts';
import type { OgcDeps } from './layer-request.ts';
import { keyQuery } from './layer-request.ts';
import type { Layer } from './layers.ts';
import { listLimits } from './matrix-tiles.ts';
import type { TileMatrixSet } from './tile-matrix-sets.ts';
import { toAxes } from './tile-matrix-sets.ts';
import { layerTilejsonSchema, toLayerTilejson } from './tilejson.ts';
import { DOCUMENT_S } from './wmts.ts';

const SPEC = 'http://www.opengis.net/spec';

/** What the door conforms to. */
const CONFORMANCE = [
  ...['core', 'landing-page', 'json'].map((name) => `${SPEC}/ogcapi-common-1/1.0/conf/${name}`),
  `${SPEC}/ogcapi-common-2/1.0/conf/collections`,
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'png', 'jpeg'].map(
    (name) => `${SPEC}/ogcapi-tiles-1/1.0/conf/${name}`,
  ),
  ...[
    'core',
    'collection-map',
    'scaling',
    'spatial-subsetting',
    'crs',
    'background',
    'datetime',
    'png',
    'jpeg',
  ].map((name) => `${SPEC}/ogcapi-maps-1/1.0/conf/${name}`),
  ...['core', 'scaling', 'subsetting', 'fieldselection', 'crs', 'geotiff'].map(
    (name) => `${SPEC}/ogcapi-coverages-1/1.0/conf/${name}`,
  ),
  ...['tilematrixset', 'json-tilematrixset'].map((name) => `${SPEC}/tms/2.0/conf/${name}`),
];

const REL = 'http://www.opengis.net/def/rel/ogc/1.0';
const JSON_TYPE = 'application/json';

/** The media type of coverages. */
export const COVERAGE_TYPE = 'image/tiff; application=geotiff';

/** An answer in JSON, for the documentation. */
const answersJson = (description: string): Endpoint['answers'] => ({
  200: { description, content: { 'application/json': json.map(json.any()) } },
  304: { description: 'The document you have (If-None-Match) is still current.' },
  404: { description: 'No such layer or tile matrix set.' },
});

const answerDocument = (request: ApiRequest, value: object): Promise<Answer> =>
  answerCachedJson(request, value, { maxAgeS: DOCUMENT_S });

/** Addresses below the door, with the key that came in the query. */
function makeHref(request: ApiRequest): (path: string) => string {
  const key = keyQuery(request);
  return (path) => `${request.publicUrl}/ogc${path}${key === '' ? '' : `?${key}`}`;
}

/** `GET /ogc`. */
export const ogcLanding: Endpoint = {
  summary: 'OGC API: the landing page',
  tag: 'OGC',
  answers: answersJson('Links to all there is.'),
  writeError: writeProblem,
  handle(request) {
    const href = makeHref(request);
    const { publicUrl } = request;
    return answerDocument(request, {
      title: 'Swath',
      description: 'Satellite scenes, mosaics, recipes and terrain of a Swath service.',
      links: [
        { rel: 'self', type: JSON_TYPE, href: href('') },
        { rel: 'conformance', type: JSON_TYPE, href: href('/conformance') },
        { rel: `${REL}/conformance`, type: JSON_TYPE, href: href('/conformance') },
        { rel: 'data', type: JSON_TYPE, href: href('/collections') },
        { rel: `${REL}/data`, type: JSON_TYPE, href: href('/collections') },
        { rel: `${REL}/tiling-schemes`, type: JSON_TYPE, href: href('/tileMatrixSets') },
        {
          rel: 'service-desc',
          type: 'application/vnd.oai.openapi+json;version=3.1',
          href: `${publicUrl}/openapi.json`,
        },
        { rel: 'service-doc', type: 'text/html', href: `${publicUrl}/docs` },
      ],
    });
  },
};

/** `GET /ogc/conformance`. */
export const ogcConformance: Endpoint = {
  summary: 'OGC API: what it conforms to',
  tag: 'OGC',
  answers: answersJson('Conformance classes.'),
  writeError: writeProblem,
  handle: (request) => answerDocument(request, { conformsTo: CONFORMANCE }),
};

/** `GET /ogc/collections`. */
export const ogcCollections = ({ layers, tileSets }: OgcDeps): Endpoint => ({
  summary: 'OGC API: all layers as collections',
  tag: 'OGC',
  answers: answersJson('The collections.'),
  writeError: writeProblem,
  async handle(request) {
    const href = makeHref(request);
    const collections = (await layers.list(request.ticket.owner)).map((layer) =>
      toCollection(layer, tileSets.of(layer), href),
    );
    const links = [{ rel: 'self', type: JSON_TYPE, href: href('/collections') }];
    return answerDocument(request, { links, collections });
  },
});

/** The collection in a path, for the documentation. */
export const collectionParams = {
  collection: {
    description: 'A layer of the collections, or scene. and the id of a STAC item.',
    schema: json.string(),
    example: 'sentinel2l2a',
  },
} as const;

/** The layer of a path. */
export async function findLayer(request: ApiRequest, { layers }: OgcDeps): Promise<Layer> {
  const { collection = '' } = request.params;
  return layers.describe(await layers.find(collection, request.ticket.owner));
}

/** `GET /ogc/collections/{collection}`. */
export const ogcCollection = (deps: OgcDeps): Endpoint => ({
  summary: 'OGC API: one layer',
  tag: 'OGC',
  params: collectionParams,
  answers: answersJson('The collection.'),
  writeError: writeProblem,
  async handle(request) {
    const layer = await findLayer(request, deps);
    const collection = toCollection(layer, deps.tileSets.of(layer), makeHref(request));
    return answerDocument(request, { ...collection, ...toCoverageFacts(layer) });
  },
});

function toCollection(layer: Layer, sets: readonly TileMatrixSet[], href: (path: string) => string) {
  const { name, title, abstract, attribution, bounds, time, styles } = layer;
  const { west, south, east, north } = bounds;
  const self = `/collections/${name}`;
  return {
    id: name,
    title,
    description: abstract,
    attribution,
    dataType: 'map',
    extent: {
      spatial: { bbox: [[west, south, Math.min(180, east), north]], crs: `${CRS}/OGC/1.3/CRS84` },
      ...(time === null
        ? {}
        : { temporal: { interval: [[`${time.from}T00:00:00Z`, `${time.to}T23:59:59Z`]] } }),
    },
    crs: [...new Set(sets.map(({ crsUri }) => crsUri))],
    styles: styles.map((style) => ({ id: style.name, title: style.title })),
    links: [
      { rel: 'self', type: JSON_TYPE, href: href(self) },
      { rel: `${REL}/map`, type: 'image/png', href: href(`${self}/map`) },
      ...(layer.source.kind === 'terrain'
        ? []
        : [{ rel: `${REL}/coverage`, type: COVERAGE_TYPE, href: href(`${self}/coverage`) }]),
      { rel: `${REL}/tilesets-map`, type: JSON_TYPE, href: href(`${self}/map/tiles`) },
      { rel: 'tilejson', type: JSON_TYPE, href: href(`${self}/tilejson.json`) },
    ],
  };
}

const CRS = 'http://www.opengis.net/def/crs';

/** `GET /ogc/collections/{collection}/map/tiles`. */
export const ogcTilesets = (deps: OgcDeps): Endpoint => ({
  summary: 'OGC API: the tilesets of a layer',
  tag: 'OGC',
  params: collectionParams,
  answers: answersJson('One for each tile matrix set.'),
  writeError: writeProblem,
  async handle(request) {
    const layer = await findLayer(request, deps);
    const href = makeHref(request);
    const tilesets = deps.tileSets.of(layer).map((set) => toTileset(layer, set, href));
    const links = [{ rel: 'self', type: JSON_TYPE, href: href(`/collections/${layer.name}/map/tiles`) }];
    return answerDocument(request, { links, tilesets });
  },
});

/** The tile matrix set in a path, for the documentation. */
export const setParams = {
  set: {
    description: 'A tile matrix set.',
    schema: json.string(),
    example: 'WebMercatorQuad',
  },
} as const;

/** `GET /ogc/collections/{collection}/map/tiles/{set}`. */
export const ogcTileset = (deps: OgcDeps): Endpoint => ({
  summary: 'OGC API: a tileset of a layer',
  tag: 'OGC',
  params: { ...collectionParams, ...setParams },
  answers: answersJson('Its zoom levels, limits and the address of its tiles.'),
  writeError: writeProblem,
  async handle(request) {
    const layer = await findLayer(request, deps);
    const set = deps.tileSets.find(request.params.set ?? '');
    return answerDocument(request, toTileset(layer, set, makeHref(request)));
  },
});

function toTileset(layer: Layer, set: TileMatrixSet, href: (path: string) => string) {
  const self = `/collections/${layer.name}/map/tiles/${set.id}`;
  const { west, south, east, north } = layer.bounds;
  return {
    title: `${layer.title} (${set.id})`,
    dataType: 'map',
    crs: set.crsUri,
    ...(set.uri === null ? {} : { tileMatrixSetURI: set.uri }),
    boundingBox: {
      lowerLeft: [west, south],
      upperRight: [Math.min(180, east), north],
      crs: `${CRS}/OGC/1.3/CRS84`,
    },
    tileMatrixSetLimits: listLimits(set, layer).map(({ matrix, minRow, maxRow, minColumn, maxColumn }) => ({
      tileMatrix: matrix,
      minTileRow: minRow,
      maxTileRow: maxRow,
      minTileCol: minColumn,
      maxTileCol: maxColumn,
    })),
    links: [
      { rel: 'self', type: JSON_TYPE, href: href(self) },
      { rel: `${REL}/tiling-scheme`, type: JSON_TYPE, href: href(`/tileMatrixSets/${set.id}`) },
      {
        rel: 'item',
        type: 'image/png',
        templated: true,
        href: href(`${self}/{tileMatrix}/{tileRow}/{tileCol}`),
      },
    ],
  };
}

/** `GET /ogc/collections/{collection}/tilejson.json`. */
export const ogcTilejson = (deps: OgcDeps): Endpoint => ({
  summary: 'TileJSON 3.0 of a layer',
  description: 'A key that came in the query is part of the address of its tiles.',
  tag: 'OGC',
  params: collectionParams,
  answers: {
    ...answersJson('The document.'),
    200: { description: 'The document.', content: { 'application/json': layerTilejsonSchema } },
  },
  writeError: writeProblem,
  async handle(request) {
    const layer = await findLayer(request, deps);
    const tiles = makeHref(request)(`/collections/${layer.name}/map/tiles/WebMercatorQuad/{z}/{y}/{x}`);
    return answerDocument(request, toLayerTilejson(layer, tiles));
  },
});

/** `GET /ogc/tileMatrixSets`. */
export const ogcTileMatrixSets = ({ tileSets }: OgcDeps): Endpoint => ({
  summary: 'OGC API: the tile matrix sets',
  tag: 'OGC',
  answers: answersJson('The sets.'),
  writeError: writeProblem,
  handle(request) {
    const href = makeHref(request);
    return answerDocument(request, {
      tileMatrixSets: tileSets.all.map(({ id, title, uri, crsUri }) => ({
        id,
        title,
        ...(uri === null ? {} : { uri }),
        crs: crsUri,
        links: [{ rel: 'self', type: JSON_TYPE, href: href(`/tileMatrixSets/${id}`) }],
      })),
    });
  },
});

/** `GET /ogc/tileMatrixSets/{set}`. */
export const ogcTileMatrixSet = ({ tileSets }: OgcDeps): Endpoint => ({
  summary: 'OGC API: a tile matrix set',
  tag: 'OGC',
  params: setParams,
  answers: answersJson('The set, by the standard 2D Tile Matrix Set 2.0.'),
  writeError: writeProblem,
  async handle(request) {
    const set = tileSets.find(request.params.set ?? '');
    return answerDocument(request, {
      id: set.id,
      title: set.title,
      ...(set.uri === null ? {} : { uri: set.uri }),
      crs: set.crsUri,
      tileMatrices: set.matrices.map(({ origin, columns, rows, ...matrix }) => ({
        ...matrix,
        cornerOfOrigin: 'topLeft',
        pointOfOrigin: toAxes(origin, set),
        matrixWidth: columns,
        matrixHeight: rows,
      })),
    });
  },
});
