/** Collections that are created, described and removed. A collection is a dataset of a sensor; an operator gives it its words. */

import { isObject } from '../../json.ts';
import type { DatasetProvider, DatasetText, DatasetTextStore } from '../../library/index.ts';
import { sensorByDataset, sensors } from '../../sensors/index.ts';
import { badInput, conflict, notFound, unsupported } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, refuseField, text, titleField, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { makeAddresses } from './addresses.ts';
import { collectionParameter, collectionSchema, describeCollection, findCollection } from './collections.ts';
import type { StacCollectionDeps } from './landing.ts';

/** What collections are changed with. */
export interface CollectionTransactionDeps extends StacCollectionDeps {
  readonly datasetTexts: DatasetTextStore;
}

const MAX_DESCRIPTION = 10_000;
const MAX_KEYWORDS = 50;
const MAX_PROVIDERS = 20;
const ROLES = ['licensor', 'producer', 'processor', 'host'];
/** As in the schema of STAC 1.0. */
const LICENSE = /^[\w.+-]{1,100}$/;

const keywordsField: Field<readonly string[] | null> = {
  schema: json.nullable(json.list(json.string({ max: 200 }), { max: MAX_KEYWORDS }), {
    description: 'Words that the collection is found by.',
  }),
  parse(value, name) {
    if (value == null) return null;
    if (!Array.isArray(value) || value.length > MAX_KEYWORDS)
      throw refuseField(name, `must be a list of at most ${MAX_KEYWORDS} texts.`);
    return value.map((word: unknown) => titleField.parse(word, name));
  },
};

const providersField: Field<readonly DatasetProvider[] | null> = {
  schema: json.nullable(
    json.list(
      json.object({
        name: json.string({ max: 200 }),
        'roles?': json.list(json.choice(ROLES)),
        'url?': json.string({ description: 'An address with http or https.' }),
        'description?': json.string({ max: MAX_DESCRIPTION }),
      }),
      { max: MAX_PROVIDERS },
    ),
    { description: 'Who made, licensed, processed or hosts the data.' },
  ),
  parse(value, name) {
    if (value == null) return null;
    if (!Array.isArray(value) || value.length > MAX_PROVIDERS)
      throw refuseField(name, `must be a list of at most ${MAX_PROVIDERS} providers.`);
    return value.map((provider: unknown) => parseProvider(provider, name));
  },
};

function parseProvider(value: unknown, name: string): DatasetProvider {
  if (!isObject(value)) throw refuseField(name, 'must be a list of objects with a name.');
  const { roles = [], url = null, description } = value;
  if (!Array.isArray(roles) || roles.length > ROLES.length || !roles.every((role) => ROLES.includes(role)))
    throw refuseField(name, `may have the roles ${ROLES.join(', ')}.`);
  if (url !== null && !(typeof url === 'string' && url.length <= 2_000 && isWebAddress(url)))
    throw refuseField(name, 'must have addresses with http or https.');
  const about = describeField.parse(description, name);
  return {
    name: titleField.parse(value.name, name),
    ...(roles.length === 0 ? {} : { roles: roles as readonly string[] }),
    ...(url === null ? {} : { url }),
    ...(about === null ? {} : { description: about }),
  };
}

function isWebAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && ['http:', 'https:'].includes(url.protocol);
}

const describeField = text({
  max: MAX_DESCRIPTION,
  description: 'What the collection is; CommonMark is allowed.',
});

/** What can be said of a collection. All else of a STAC collection follows from its sensor and scenes. */
const textFields = defineFields({
  title: {
    schema: json.nullable(titleField.schema),
    parse: (value: unknown, name: string) => (value == null ? null : titleField.parse(value, name)),
  },
  description: describeField,
  keywords: keywordsField,
  license: {
    schema: json.nullable(json.string({ pattern: LICENSE, description: 'An SPDX identifier, or other.' })),
    parse(value: unknown, name: string) {
      if (value == null) return null;
      if (typeof value === 'string' && LICENSE.test(value)) return value;
      throw refuseField(name, 'must be an SPDX identifier such as CC-BY-4.0, or other.');
    },
  },
  providers: providersField,
});

const textNames = Object.keys(textFields) as readonly (keyof DatasetText)[];

const readText = (body: Params): DatasetText => ({
  title: textFields.title.read(body),
  description: textFields.description.read(body),
  keywords: textFields.keywords.read(body),
  license: textFields.license.read(body),
  providers: textFields.providers.read(body),
});

const example = {
  type: 'Collection',
  id: 'sentinel2l2a',
  title: 'Our fields from above',
  description: 'Sentinel-2 over the fields of the cooperative, since 2017.',
  license: 'other',
};

const collectionBody: NonNullable<Endpoint['body']> = {
  description: `A STAC collection. Its ${textNames.join(', ')} are stored; all else follows from the sensor and its scenes, and is ignored.`,
  schema: json.object(
    {
      id: json.string(),
      ...Object.fromEntries(textNames.map((name) => [`${name}?`, textFields[name].schema])),
    },
    { isOpen: true },
  ),
  example,
};

const answers: Endpoint['answers'] = {
  200: { description: 'The collection as it is now.', content: { 'application/json': collectionSchema } },
  400: { description: 'The body is not such a collection; the description names the field.' },
  403: { description: 'The key may not change the catalog.' },
  404: { description: 'No such collection.' },
  409: { description: 'Someone else has changed it meanwhile: read it and try again.' },
};

/** `POST /stac/collections`. */
export const createCollection = (deps: CollectionTransactionDeps): Endpoint => ({
  summary: 'The STAC API: create a collection',
  description:
    'Makes a dataset a collection before it has scenes, and gives it its words. Its id is one of the datasets that Swath knows: a collection needs a sensor.',
  tag: 'STAC',
  body: collectionBody,
  answers: {
    201: { description: 'The collection.', content: { 'application/json': collectionSchema } },
    400: answers[400]!,
    403: answers[403]!,
    409: { description: 'The collection is there already: PUT replaces what is said of it.' },
    422: { description: 'Swath knows no such dataset.' },
  },
  async handle(request) {
    const body = await readObject(request);
    const sensor = typeof body.id === 'string' ? sensorByDataset(body.id) : null;
    if (sensor === null) {
      const names = sensors.map(({ dataset }) => dataset).join(', ');
      throw unsupported('not-a-dataset', `id must be a dataset that Swath knows: ${names}.`);
    }
    const { dataset } = sensor;
    const after = readText(body);
    const isNew =
      (await deps.datasets.find(dataset)) === null &&
      (await deps.datasetTexts.replace(dataset, { before: null, after }));
    if (!isNew)
      throw conflict(
        'collection-exists',
        `There is a collection ${dataset} already; PUT replaces what is said of it.`,
      );
    const location = makeAddresses(request.publicUrl).collection(dataset);
    return answerChanged(request, dataset, deps, { status: 201, headers: { location } });
  },
});

/** `PUT /stac/collections/{collection_id}`. */
export const replaceCollection = (deps: CollectionTransactionDeps): Endpoint => ({
  summary: 'The STAC API: describe a collection',
  description:
    'Replaces what is said of a collection. What the body leaves out is what Swath says of the sensor.',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  body: collectionBody,
  answers,
  async handle(request) {
    const { sensor } = await findCollection(request.params.collection_id ?? '', deps.datasets);
    const body = await readObject(request);
    if (body.id !== undefined && body.id !== sensor.dataset)
      throw badInput('other-collection', `id must be ${sensor.dataset}, as in the address.`);
    await change(sensor.dataset, deps, () => readText(body));
    return answerChanged(request, sensor.dataset, deps, { status: 200 });
  },
});

/** `PATCH /stac/collections/{collection_id}`. */
export const changeCollection = (deps: CollectionTransactionDeps): Endpoint => ({
  summary: 'The STAC API: correct what is said of a collection',
  description: `A JSON Merge Patch of ${textNames.join(', ')}; null brings back what Swath says of the sensor.`,
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  body: {
    description: 'What changes.',
    schema: toObjectSchema(textFields),
    example: { title: 'Our fields from above' },
  },
  answers: {
    ...answers,
    422: { description: 'The patch changes something that follows from the sensor or its scenes.' },
  },
  async handle(request) {
    const { sensor } = await findCollection(request.params.collection_id ?? '', deps.datasets);
    const patch = await readObject(request);
    const other = Object.keys(patch).find((name) => !Object.hasOwn(textFields, name));
    if (other !== undefined)
      throw unsupported(
        'not-correctable',
        `${other.slice(0, 60)} cannot be changed; ${textNames.join(', ')} can.`,
      );
    const said = readText(patch);
    await change(sensor.dataset, deps, (before) => {
      const kept = textNames.filter((name) => !Object.hasOwn(patch, name));
      return { ...said, ...Object.fromEntries(kept.map((name) => [name, before?.[name] ?? null])) };
    });
    return answerChanged(request, sensor.dataset, deps, { status: 200 });
  },
});

/** `DELETE /stac/collections/{collection_id}`. */
export const deleteCollection = (deps: CollectionTransactionDeps): Endpoint => ({
  summary: 'The STAC API: remove a collection',
  description: 'Removes a collection that has no scenes, with what is said of it.',
  tag: 'STAC',
  params: { collection_id: collectionParameter },
  answers: {
    204: { description: 'It is gone.' },
    403: answers[403]!,
    404: answers[404]!,
    409: { description: 'It has scenes, or a live catalog has some.' },
  },
  async handle(request) {
    const { sensor, hasScenes } = await findCollection(request.params.collection_id ?? '', deps.datasets);
    if (hasScenes)
      throw conflict(
        'collection-has-items',
        `The collection ${sensor.dataset} has items, or a live catalog has some. Remove its items first; to take back only what is said of it, PATCH title, description, keywords, license and providers to null.`,
      );
    await change(sensor.dataset, deps, () => null);
    deps.datasets.forget();
    return new Answer(null, { status: 204 });
  },
});

async function readObject(request: ApiRequest): Promise<Params> {
  const body = await request.readJson();
  if (!isObject(body)) throw badInput('bad-body', 'The body must be a JSON object.');
  return body;
}

/** Changes what is said of a dataset, unless someone else does so at the same time. */
async function change(
  dataset: string,
  { datasetTexts }: CollectionTransactionDeps,
  toAfter: (before: DatasetText | null) => DatasetText | null,
): Promise<void> {
  const before = (await datasetTexts.list()).get(dataset) ?? null;
  if (await datasetTexts.replace(dataset, { before, after: toAfter(before) })) return;
  throw conflict('collection-changed', 'The collection has changed meanwhile; read it and try again.');
}

async function answerChanged(
  request: ApiRequest,
  dataset: string,
  deps: CollectionTransactionDeps,
  { status, headers = {} }: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
): Promise<Answer> {
  deps.datasets.forget();
  const found = await deps.datasets.find(dataset);
  // Removed at the same time.
  if (found === null) throw notFound('unknown-collection', 'There is no such collection.');
  const collection = await describeCollection(request, found, deps);
  return new Answer(JSON.stringify(collection), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}
