/** Items that are sent, replaced and removed. An item that is sent is ingested as `swath ingest stac` would. */
import type { Scene, SceneStore } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { ProductReport } from '../../ingest/index.ts';
import { isObject } from '../../json.ts';
import { sensorByDataset, takeViewId } from '../../sensors/index.ts';
import { badInput, conflict, notFound, unsupported } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { GEOJSON_TYPE, makeAddresses } from './addresses.ts';
import { collectionParameter } from './collections.ts';
import { toItemId, toViewId } from './item-properties.ts';
import type { StacItemDeps } from './items.ts';
import { itemParameters, writeItem } from './items.ts';

/** Ingests items that are sent, on a thread of its own: metadata of a scene may be megabytes of XML. */
export interface ItemWriter {
  /** Ingests the JSON of an item, or only says what an ingest would do. */
  ingest(
    order: { readonly text: string; readonly isDry: boolean },
    signal?: AbortSignal,
  ): Promise<ProductReport>;
}

/** What transactions need. */
export interface TransactionDeps extends StacItemDeps {
  readonly itemWriter: ItemWriter;
  readonly scenes: SceneStore;
}

const itemBody: NonNullable<Endpoint['body']> = {
  description:
    'A STAC item, 0.7 to 1.1, of a collection that swath ingest stac takes. Its files must be at addresses that SWATH_SOURCES allows.',
  schema: json.map(json.any()),
  example: { type: 'Feature', id: 'S2B_10UEU_20260621_1_L2A', collection: 'sentinel-2-l2a' },
};

const refusals: Endpoint['answers'] = {
  400: { description: 'The body is not an item, or one of another collection or id.' },
  403: { description: 'The key may not change the catalog.' },
  422: { description: 'The item cannot be ingested; the description says why.' },
};

/** `POST /stac/collections/{collection_id}/items`. */
export const createItem = (deps: TransactionDeps): Endpoint => ({
  summary: 'The STAC API: add an item',
  description: 'The item is ingested as swath ingest stac would: its id becomes that of the scene.',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  body: itemBody,
  answers: {
    201: {
      description: 'The item as the catalog has it.',
      content: { [GEOJSON_TYPE]: json.map(json.any()) },
    },
    ...refusals,
    404: { description: 'No such dataset.' },
    409: { description: 'The catalog has this scene already: PUT replaces it.' },
  },
  async handle(request) {
    const dataset = readDataset(request);
    const text = await request.readJsonText();
    const planned = await ingest(request, { text, isDry: true }, deps);
    checkDataset(planned.viewId, dataset);
    if (planned.change !== 'added')
      throw conflict(
        'item-exists',
        `The catalog has this scene already, as ${toItemId(planned.viewId)}; PUT replaces it.`,
      );
    const { viewId } = await ingest(request, { text, isDry: false }, deps);
    deps.datasets.forget();
    const location = makeAddresses(request.publicUrl).item(dataset, toItemId(viewId));
    return answerItem(request, viewId, deps, { status: 201, location });
  },
});

/** `PUT /stac/collections/{collection_id}/items/{item_id}`. */
export const replaceItem = (deps: TransactionDeps): Endpoint => ({
  summary: 'The STAC API: replace an item',
  tag: 'STAC',
  params: itemParameters,
  body: itemBody,
  answers: {
    200: {
      description: 'The item as the catalog has it.',
      content: { [GEOJSON_TYPE]: json.map(json.any()) },
    },
    ...refusals,
    404: { description: 'No such dataset or item.' },
  },
  async handle(request) {
    const dataset = readDataset(request);
    const known = await findStored(request, dataset, deps);
    const text = await request.readJsonText();
    const planned = await ingest(request, { text, isDry: true }, deps);
    if (planned.viewId !== known)
      throw badInput(
        'other-item',
        `The item that was sent is ${toItemId(planned.viewId)}, not the one of the address.`,
      );
    await ingest(request, { text, isDry: false }, deps);
    deps.datasets.forget();
    return answerItem(request, known, deps, { status: 200 });
  },
});

/** Properties that can be corrected: how each changes the record, and the field of search that repeats it. */
const CORRECTED: Readonly<
  Record<string, { readonly field: string; readonly key: keyof Corrections; readonly range: Range }>
> = {
  'eo:cloud_cover': { field: 'cloudCoverage', key: 'cloudPercent', range: [0, 100] },
  'view:sun_elevation': { field: 'sunElevation', key: 'sunElevationDeg', range: [-90, 90] },
  'view:sun_azimuth': { field: 'azimuthAngle', key: 'sunAzimuthDeg', range: [0, 360] },
};
type Corrections = Pick<Scene, 'cloudPercent' | 'sunElevationDeg' | 'sunAzimuthDeg'>;
type Range = readonly [min: number, max: number];

/** `PATCH /stac/collections/{collection_id}/items/{item_id}`. */
export const changeItem = (deps: TransactionDeps): Endpoint => ({
  summary: 'The STAC API: correct an item',
  description: `A JSON Merge Patch of properties: ${Object.keys(CORRECTED).join(', ')}; null removes one. All else comes from the files of the scene.`,
  tag: 'STAC',
  params: itemParameters,
  body: {
    description: 'The properties that change.',
    schema: json.object({ properties: json.map(json.nullable(json.number())) }),
    example: { properties: { 'eo:cloud_cover': 12.5 } },
  },
  answers: {
    200: {
      description: 'The item as the catalog has it.',
      content: { [GEOJSON_TYPE]: json.map(json.any()) },
    },
    400: { description: 'The body is not such a patch.' },
    403: { description: 'The key may not change the catalog.' },
    404: { description: 'No such dataset or item.' },
    409: { description: 'The scene has changed meanwhile: read it and try again.' },
    422: { description: 'The patch changes something else.' },
  },
  async handle(request) {
    const viewId = await findStored(request, readDataset(request), deps);
    const scene = await deps.scenes.findByViewId(viewId);
    if (scene === null || scene.provenance === 'live') throw unknownItem();
    const { version, ...record } = correct(scene, await request.readJson());
    if ((await deps.scenes.replace(record, version)) === null)
      throw conflict('item-changed', 'The scene has changed meanwhile; read it and try again.');
    return answerItem(request, viewId, deps, { status: 200 });
  },
});

/** The record with what a patch says. */
function correct(scene: Scene, patch: unknown): Scene {
  const { properties, ...others } = isObject(patch) ? patch : {};
  if (!isObject(properties)) throw badInput('bad-patch', 'The patch must be {"properties": {…}}.');
  const hitFields = sensorByDataset(scene.dataset)?.hitFields ?? {};
  let changed = scene;
  for (const [name, value] of [...Object.entries(properties), ...Object.entries(others)]) {
    const rule = Object.hasOwn(CORRECTED, name) ? CORRECTED[name] : undefined;
    if (rule === undefined)
      throw unsupported(
        'not-correctable',
        `${name.slice(0, 60)} cannot be changed; ${Object.keys(CORRECTED).join(', ')} can. PUT replaces the whole item.`,
      );
    const { field, key, range } = rule;
    const [min, max] = range;
    if (value !== null && !(typeof value === 'number' && value >= min && value <= max))
      throw badInput('bad-patch', `${name} must be a number from ${min} to ${max}, or null.`);
    const fields = Object.hasOwn(hitFields, field) ? { ...changed.fields, [field]: value } : changed.fields;
    changed = { ...changed, [key]: value, fields };
  }
  return changed;
}

/** `DELETE /stac/collections/{collection_id}/items/{item_id}`. */
export const deleteItem = (deps: TransactionDeps): Endpoint => ({
  summary: 'The STAC API: remove an item',
  description: 'The scene leaves the catalog; its files stay where they are.',
  tag: 'STAC',
  params: itemParameters,
  answers: {
    204: { description: 'It is gone.' },
    403: { description: 'The key may not change the catalog.' },
    404: { description: 'No such dataset or item; or one of a live catalog, which cannot be removed.' },
  },
  async handle(request) {
    const viewId = await findStored(request, readDataset(request), deps);
    if (!(await deps.scenes.remove(viewId))) throw unknownItem();
    deps.datasets.forget();
    return new Answer(null, { status: 204 });
  },
});

/** A dataset need not have scenes yet. */
function readDataset({ params }: ApiRequest): string {
  const sensor = sensorByDataset(params.collection_id ?? '');
  if (sensor === null) throw notFound('unknown-collection', 'There is no such collection.');
  return sensor.dataset;
}

async function findStored(
  { params }: ApiRequest,
  dataset: string,
  { scenes }: TransactionDeps,
): Promise<string> {
  const viewId = toViewId(params.item_id ?? '');
  const scene = viewId === null ? null : await scenes.findByViewId(viewId);
  if (scene === null || scene.dataset !== dataset) throw unknownItem();
  return scene.viewId;
}

const unknownItem = () => notFound('unknown-item', 'There is no such item in this collection.');

function checkDataset(viewId: string, dataset: string): void {
  const { sensor } = takeViewId(viewId.split('/')).view;
  if (sensor.dataset !== dataset)
    throw badInput('other-item', `The item is one of the collection ${sensor.dataset}, not of ${dataset}.`);
}

/** A report of an item that was, or would be, ingested. */
type IngestedItem = ProductReport & { readonly viewId: string };

async function ingest(
  { ticket }: ApiRequest,
  order: { readonly text: string; readonly isDry: boolean },
  { itemWriter }: TransactionDeps,
): Promise<IngestedItem> {
  const report = await itemWriter.ingest(order, ticket.signal).catch((error: unknown) => {
    // A text that is not an item at all.
    if (!isSwathError(error) || error.tag !== 'source-broken') throw error;
    throw unsupported('item-refused', `The item cannot be ingested (${error.code}). ${error.message}`);
  });
  const { outcome, viewId, code = 'internal', reason = 'It cannot be read.' } = report;
  if ((outcome === 'ingested' || outcome === 'unchanged') && viewId !== undefined)
    return { ...report, viewId };
  throw unsupported('item-refused', `The item cannot be ingested (${code}). ${reason}`);
}

async function answerItem(
  request: ApiRequest,
  viewId: string,
  deps: TransactionDeps,
  { status, location }: { readonly status: number; readonly location?: string },
): Promise<Answer> {
  const scene = await deps.scenes.findByViewId(viewId);
  if (scene === null) throw unknownItem();
  return new Answer(await writeItem(request, scene, deps), {
    status,
    headers: {
      'content-type': GEOJSON_TYPE,
      'cache-control': 'no-store',
      ...(location === undefined ? {} : { location }),
    },
  });
}
