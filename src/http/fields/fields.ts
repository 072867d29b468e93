/** Fields: how they are made, listed, read, changed and deleted. */
import type { Field, Fields } from '../../fields/index.ts';
import { isObject } from '../../json.ts';
import { includesRole } from '../../keys/index.ts';
import type { AreaDeps } from '../areas.ts';
import { badInput, notFound } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Params } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, text } from '../kit/parameters.ts';
import { noStore } from '../tasks/task.ts';
import { listParameters, readListQuery, toCursor } from './field-query.ts';
import {
  changedFieldSchema,
  exampleField,
  FIELD_ID,
  fieldSchema,
  listedFieldSchema,
  newFieldSchema,
  readFieldBody,
  toFieldText,
  toListedWire,
  toSharedWire,
} from './field-wire.ts';
import { unknownField } from './take-field.ts';

/** What fields are stored and answered with. */
export interface FieldDeps extends Pick<AreaDeps, 'areaParser'> {
  readonly fields: Fields;
}

const fieldParameter = {
  field_id: {
    description: 'As returned when the field was created.',
    schema: json.string({ pattern: FIELD_ID }),
    example: '3eb51ea04776e6ae',
  },
} as const satisfies Endpoint['params'];

/** The body of a request. */
export function toBody(value: unknown): Params {
  if (isObject(value)) return value;
  throw badInput('bad-body', 'The body must be an object.');
}

/** A field, with its version as the ETag, which a change can name. */
function answerField(field: Field, { status = 200, headers = {} }: AnswerOptions = {}): Answer {
  return new Answer(toFieldText(field), {
    status,
    headers: {
      'content-type': 'application/json',
      etag: `"${field.version}"`,
      ...noStore,
      ...headers,
    },
  });
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const one = {
  description: 'The field; its ETag is its version.',
  content: { 'application/json': fieldSchema },
};
const areaRefused = {
  description: 'The outline cannot be used; the code names the rule it breaks, the message the position.',
};
const full = {
  description:
    'The key has reached its limit of fields (too-many-fields) or of storage for them (field-storage-full); delete some.',
};
const taken = { description: 'The key has another field with this external id (field-exists).' };

/** `POST /api/fields`. */
export const createField = ({ fields, areaParser }: FieldDeps): Endpoint => ({
  summary: 'Store a field',
  description:
    'A field is a piece of land with an outline, a name, a group, a crop, a sowing date and free properties. It belongs to the key: others neither see nor change it. Many fields come in at once with an import.',
  tag: 'Fields',
  body: { description: 'Up to a mebibyte.', schema: newFieldSchema, example: exampleField },
  answers: {
    201: { ...one, description: 'The field is stored; Location is its address.' },
    400: { description: 'The body is malformed; the message says how.' },
    402: full,
    409: taken,
    413: { description: 'The body is too large.' },
    422: areaRefused,
  },
  async handle(request) {
    const body = toBody(await request.readJson());
    if (body.geometry == null) throw badInput('no-area', 'A field needs an outline: geometry is required.');
    const changes = await readFieldBody(body, request, { areaParser });
    const field = await fields.create(request.ticket.owner, changes as Parameters<Fields['create']>[1]);
    return answerField(field, {
      status: 201,
      headers: { location: `${request.publicUrl}/api/fields/${field.id}` },
    });
  },
});

const pageSchema = json.object({
  fields: json.list(listedFieldSchema),
  next: json.nullable(json.string(), {
    description: 'The `after` of the next page; null on the last page.',
  }),
  may_change: json.boolean({ description: 'Whether the caller may change these fields, and store others.' }),
});

/** Answers a page of fields of an owner; `write` decides what a reader sees of each. */
async function answerPage(
  { query, key }: ApiRequest,
  fields: Fields,
  {
    owner,
    group,
    write,
  }: { readonly owner: string; readonly group?: string; readonly write: typeof toListedWire },
): Promise<Answer> {
  const asked = { ...readListQuery(query, owner), ...(group === undefined ? {} : { group }) };
  // One more than a page shows whether there is another page.
  const found = await fields.list({ ...asked, limit: asked.limit + 1 });
  const page = found.slice(0, asked.limit);
  const last = page.at(-1);
  const next = found.length > asked.limit && last !== undefined ? toCursor(last, asked.order) : null;
  const mayChange = key !== null && includesRole(key.role, 'order');
  return answerLongJson({ fields: listEach(page, write), next, may_change: mayChange }, { headers: noStore });
}

const pageAnswers: Endpoint['answers'] = {
  200: {
    description: 'A page of fields, without their geometries.',
    content: { 'application/json': pageSchema },
  },
  400: { description: 'The query is malformed.' },
};

/** `GET /api/fields`. */
export const listFields = ({ fields }: FieldDeps): Endpoint => ({
  summary: 'List fields',
  description:
    'The fields of the key with their last values, by group, crop, text, box and position. Pages follow each other by `next`.',
  tag: 'Fields',
  query: listParameters,
  answers: pageAnswers,
  handle: (request) => answerPage(request, fields, { owner: request.ticket.owner, write: toListedWire }),
});

/** The token of a shared group. */
export const sharedParams = {
  token: { description: 'As the group has it.', schema: json.string({ pattern: /^[\w-]{75}$/ }) },
} as const satisfies Endpoint['params'];

const { group: _ofTheLink, ...sharedParameters } = listParameters;

/** `GET /api/public/{token}/fields`: the fields of a shared group, for anyone. */
export const listSharedFields = ({ fields }: FieldDeps): Endpoint => ({
  summary: 'The fields of a shared group, without a key',
  description: 'As `GET /api/fields`, of the one group that the token opens.',
  tag: 'Fields',
  params: sharedParams,
  query: sharedParameters,
  answers: {
    ...pageAnswers,
    404: { description: 'No such link.' },
    410: {
      description: 'The group is not shared any more (link-revoked), or was until a day (link-expired).',
    },
    429: {
      description: 'The limit of the link is reached; retry after the number of seconds in Retry-After.',
    },
  },
  handle(request) {
    const { group } = request;
    if (group === null) throw notFound('unknown-map', 'There is no such link to fields.');
    return answerPage(request, fields, { owner: group.owner, group: group.group, write: toSharedWire });
  },
});

/** `GET /api/fields/{field_id}`. */
export const readField = ({ fields }: FieldDeps): Endpoint => ({
  summary: 'Read a field',
  tag: 'Fields',
  params: fieldParameter,
  answers: { 200: one, 404: { description: 'This key has no such field.' } },
  async handle({ params, ticket }) {
    const field = await fields.find(ticket.owner, params.field_id ?? '');
    if (field === null) throw unknownField();
    return answerField(field);
  },
});

/** `PATCH /api/fields/{field_id}`. */
export const changeField = ({ fields, areaParser }: FieldDeps): Endpoint => ({
  summary: 'Change a field',
  description:
    'What the body leaves out stays as it is; null removes it. With If-Match and the ETag of the field that you have read, the change is refused if someone else has changed it since.',
  tag: 'Fields',
  params: fieldParameter,
  body: {
    description: 'What changes.',
    schema: changedFieldSchema,
    example: { crop: 'maize', sown_on: '2026-05-02' },
  },
  answers: {
    200: one,
    400: { description: 'The body is malformed; the message says how.' },
    402: full,
    404: { description: 'This key has no such field.' },
    409: taken,
    412: { description: 'The field has another version than If-Match names (field-version).' },
    422: areaRefused,
  },
  async handle(request) {
    const { params, ticket, headers } = request;
    const changes = await readFieldBody(toBody(await request.readJson()), request, { areaParser });
    const version = readIfMatch(headers.get('if-match'));
    const field = await fields.change(ticket.owner, params.field_id ?? '', changes, version);
    if (field === null) throw unknownField();
    return answerField(field);
  },
});

/** The version that a caller has seen; null for any. */
function readIfMatch(written: string | null): number | null {
  if (written === null || written.trim() === '*') return null;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(written.trim()) ?? [];
  if (version === undefined)
    throw badInput('bad-if-match', 'If-Match must be the ETag of the field, such as "3".');
  return Number(version);
}

/** `DELETE /api/fields/{field_id}`. */
export const deleteField = ({ fields }: FieldDeps): Endpoint => ({
  summary: 'Delete a field',
  tag: 'Fields',
  params: fieldParameter,
  answers: {
    204: { description: 'The field is deleted.' },
    404: { description: 'This key has no such field (any more).' },
  },
  async handle({ params, ticket }) {
    if (!(await fields.remove(ticket.owner, params.field_id ?? ''))) throw unknownField();
    return new Answer(null, { status: 204, headers: noStore });
  },
});

const groupQuery = defineParameters({ group: text({ description: 'The group whose fields go.' }) });

/** `DELETE /api/fields?group=…`. */
export const deleteGroup = ({ fields }: FieldDeps): Endpoint => ({
  summary: 'Delete all fields of a group',
  tag: 'Fields',
  query: groupQuery,
  answers: {
    200: {
      description: 'How many fields were deleted; 0 for a group that the key does not have.',
      content: { 'application/json': json.object({ deleted: json.integer() }) },
    },
    400: { description: 'No group is given.' },
  },
  async handle({ query, ticket }) {
    const deleted = await fields.removeGroup(ticket.owner, groupQuery.group.read(query));
    return Answer.json({ deleted }, { headers: noStore });
  },
});
