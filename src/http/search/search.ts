/** The search: its two endpoints, and its hits. */
import type { AreaParser } from '../../areas/index.ts';
import type { CatalogNote, SceneHit, SceneStore } from '../../catalog/index.ts';
import { toSearchFields } from '../../catalog/index.ts';
import type { MeasureCoverage, SceneCoverage } from '../../coverage/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import type { HitField } from '../../sensors/index.ts';
import { sensors, sensorsByName } from '../../sensors/index.ts';
import { notFound } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import type { Answer } from '../kit/answers.ts';
import { writeJson } from '../kit/bodies.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';
import { RENDER_ROOT } from '../kit/paths.ts';
import type { ThumbnailAddressDeps, ToThumbnailAddress } from '../pictures/thumbnails.ts';
import { makeToThumbnailAddress, toStoredThumbnails } from '../pictures/thumbnails.ts';
import type { NamedDataset } from './body.ts';
import { bodyAcrossSchema, bodySchema, datasetIds, parseSearch } from './body.ts';
import { areaHitFields, inAreaSchema, searchInArea, toAreaFields } from './in-area.ts';

/** GeoJSON as existing clients know it. */
const withCrs = <G extends object>(geometry: G) => ({
  ...geometry,
  crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG:8.9:4326' } },
});

/** The tile of a scene and its upper left corner: the position that lies farthest to the north-west. */
function toTileFields(frame: AreaGeometry) {
  const rings = frame.type === 'Polygon' ? frame.coordinates : frame.coordinates.flat();
  const origin = rings.flat().reduce((best, one) => (one[1] - one[0] > best[1] - best[0] ? one : best));
  return {
    tileGeometry: withCrs(frame),
    tileOrigin: withCrs({ type: 'Point', coordinates: origin }),
  };
}

/** Fields that every hit has, even if `fields` does not list them. */
const ALWAYS: ReadonlySet<string> = new Set(['sceneID', 'view_id', 'tms', 'date', 'satellite']);

interface HitOptions {
  readonly fields: ReadonlySet<string> | null;
  readonly publicUrl: string;
  readonly toThumbnail: ToThumbnailAddress;
  readonly withDataset: boolean;
  /** What was measured of the hits; null if the search asks for nothing of it. */
  readonly coverageOf: ReadonlyMap<SceneHit, SceneCoverage> | null;
}

/** A scene on the wire; the tile template never holds a key. */
function toHit(
  scene: SceneHit,
  { fields, publicUrl, toThumbnail, withDataset, coverageOf }: HitOptions,
): Record<string, unknown> {
  const { thumbnail, ...stored } = toSearchFields(scene);
  const hit: Record<string, unknown> = {
    ...stored,
    // Signing takes some microseconds, which a page of a thousand hits need not spend if no one reads them.
    ...(typeof thumbnail === 'string' && (fields === null || fields.has('thumbnail'))
      ? { thumbnail: toThumbnail({ stored: thumbnail, viewId: scene.viewId, isLive: isLive(scene) }) }
      : {}),
    view_id: scene.viewId,
    tms: `${publicUrl}${RENDER_ROOT}${scene.viewId}/{band}/{z}/{x}/{y}`,
    dataGeometry: withCrs(scene.footprint),
    ...(scene.frame === undefined ? {} : toTileFields(scene.frame)),
    ...(withDataset ? { satellite: scene.dataset } : {}),
    ...(coverageOf === null ? {} : toAreaFields(coverageOf.get(scene))),
  };
  if (fields === null) return hit;
  return Object.fromEntries(Object.entries(hit).filter(([name]) => ALWAYS.has(name) || fields.has(name)));
}

const isLive = ({ provenance }: SceneHit): boolean => provenance === 'live';

const geometry = json.named(
  'HitGeometry',
  json.object(
    { type: json.choice(['Point', 'Polygon', 'MultiPolygon']), coordinates: json.list(json.any()) },
    { isOpen: true },
  ),
);

const valueSchemas: Readonly<Record<HitField['type'], JsonSchema>> = {
  string: json.string(),
  date: json.string({ format: 'date' }),
  number: json.number(),
  boolean: json.boolean(),
  geometry,
};

/** Fields of the hits of all sensors by name, with the datasets that have them, in the order of the sensors. */
function readFields(): ReadonlyMap<
  string,
  { readonly field: HitField; readonly datasets: readonly string[] }
> {
  const fields = new Map<string, { field: HitField; datasets: string[] }>();
  for (const { dataset, hit } of sensors) {
    for (const field of hit) {
      const known = fields.get(field.name);
      if (known === undefined) fields.set(field.name, { field, datasets: [dataset] });
      else known.datasets.push(dataset);
    }
  }
  return fields;
}

/** A field of a dataset that a scene may lack: its provider did not say it, or `fields` left it out. */
const optionalFields = Object.fromEntries(
  [...readFields()].map(([name, { field, datasets }]) => [
    `${name}?`,
    json.nullable(valueSchemas[field.type], {
      description: datasets.length === sensors.length ? 'Of all datasets.' : `Of ${datasets.join(', ')}.`,
    }),
  ]),
);

/** Those that every hit has. */
const ownFields: Readonly<Record<string, JsonSchema>> = {
  sceneID: json.string({ description: 'The name of the scene.' }),
  view_id: json.string({ description: 'The address of the scene in paths of pictures.' }),
  tms: json.string({ description: 'Template of map tiles; add your key as ?api_key=… .' }),
  date: json.string({ format: 'date', description: 'The day of the acquisition, UTC.' }),
};

const hitSchema = json.named(
  'Hit',
  json.object(
    {
      ...optionalFields,
      ...ownFields,
      'satellite?': json.string({ description: 'The dataset, where several are searched.' }),
      ...areaHitFields,
    },
    { isOpen: true },
  ),
);

const catalogSchema = json.named(
  'SearchedCatalog',
  json.object({
    name: json.string({ description: 'The live catalog, as SWATH_CATALOGS names it.' }),
    dataset: json.string(),
    found: json.integer({ min: 0, description: 'Scenes of this catalog that match.' }),
    found_by: json.choice(['counted', 'stated', 'at-least'], {
      description:
        'counted: all of them were read; stated: the catalog says so; at-least: so many were read, and there may be more.',
    }),
    'problem?': json.object(
      { code: json.string(), message: json.string() },
      { description: 'Why the page may lack scenes of this catalog.' },
    ),
  }),
);

/** A page of search results, for the documentation. */
const searchAnswerSchema = json.named(
  'SearchAnswer',
  json.object({
    meta: json.object({
      name: json.string(),
      page: json.integer({ min: 1 }),
      found: json.integer({ min: 0, description: 'Scenes that match, on all pages.' }),
      limit: json.integer({ min: 1 }),
      'catalogs?': json.list(catalogSchema, {
        description: 'What live catalogs have added; absent where none was asked.',
      }),
      'in_area?': inAreaSchema,
    }),
    results: json.list(hitSchema),
  }),
);

/** What searching needs. */
export interface SearchDeps extends ThumbnailAddressDeps {
  readonly scenes: SceneStore;
  readonly areaParser: AreaParser;
  readonly measureCoverage: MeasureCoverage;
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
  const { query, page, limit, fields, inArea } = await parseSearch(await request.readOptionalJson(), {
    named,
    parseArea,
    tellIgnored: request.tellIgnored,
  });
  const stored = await toStoredThumbnails(query, { publicUrl, scenes });
  const measured = inArea === null ? null : await searchInArea(deps, { query: stored, inArea }, request);
  const { found, hits, catalogs } = measured ?? (await scenes.searchHits(stored));
  const toThumbnail = await makeToThumbnailAddress(deps, publicUrl);
  const coverageOf = measured?.coverageOf ?? null;
  const options = { fields, publicUrl, toThumbnail, withDataset: named === null, coverageOf };
  const results = listEach(hits, (scene) => toHit(scene, options));
  const meta = {
    name: 'satellite-meta-service',
    page,
    found,
    limit,
    ...(catalogs === undefined ? {} : { catalogs: catalogs.map(toCatalogMeta) }),
    ...(measured === null ? {} : { in_area: measured.meta }),
  };
  return answerLongJson(
    { meta, results },
    { headers: { 'cache-control': 'no-store', ...toCatalogHeader(catalogs ?? []) } },
  );
}

const toCatalogMeta = ({ catalog, dataset, found, foundBy, problem }: CatalogNote) => ({
  name: catalog,
  dataset,
  found,
  found_by: foundBy,
  ...(problem === null ? {} : { problem }),
});

/** Names the catalogs that did not answer completely, for clients that read no `meta`. */
function toCatalogHeader(notes: readonly CatalogNote[]): Readonly<Record<string, string>> {
  const incomplete = notes.flatMap(({ catalog, problem }) =>
    problem === null ? [] : `${catalog}; reason=${problem.code}`,
  );
  return incomplete.length === 0 ? {} : { 'x-incomplete-catalogs': [...new Set(incomplete)].join(', ') };
}
