/** `/api/keys`: people and administrators make and revoke keys. */
import { isObject } from '../../json.ts';
import type { KeyRecord, Keys } from '../../keys/index.ts';
import { includesRole, ROLES } from '../../keys/index.ts';
import type { People } from '../../sign-in/index.ts';
import { badInput, notAllowed, notFound } from '../errors.ts';
import { answerLongJson, listEach } from '../kit/answer-bodies.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { Field } from '../kit/fields.ts';
import { choice, defineFields, requiredText, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, flag } from '../kit/parameters.ts';
import { readExpiry } from '../recipes/recipe-fields.ts';
import { noStore } from '../tasks/task.ts';
import { needKey } from './account.ts';

/** What these endpoints need. */
export interface KeysDeps {
  readonly keys: Pick<Keys, 'create' | 'list' | 'revoke'>;
  readonly people: Pick<People, 'find'>;
}

/** Keys that work, of one person. */
const MAX_KEYS = 100;
const BODY_BYTES = 4_096;

const expires: Field<string | null> = {
  schema: json.nullable(json.string(), {
    description: 'The last day, such as 2027-01-01, or a time in UTC; no end by default.',
  }),
  parse: readExpiry,
};

const fields = defineFields({
  label: requiredText({ description: 'What the key is for, up to 100 characters.' }),
  role: choice({
    description: 'Not more than your own; read by default.',
    names: ROLES,
    fallback: 'read' as const,
  }),
  expires,
});

const shown = {
  id: json.string(),
  label: json.string(),
  role: json.choice(ROLES),
  created_at: json.string(),
  expires_at: json.nullable(json.string()),
  revoked_at: json.nullable(json.string()),
  made_by: json.nullable(json.string(), { description: 'The id of the person or key that made it.' }),
};

const toShown = ({ id, label, role, createdAt, expiresAt, revokedAt, parent }: KeyRecord) => ({
  id,
  label,
  role,
  created_at: createdAt,
  expires_at: expiresAt,
  revoked_at: revokedAt,
  made_by: parent,
});

/** A key that a key makes has the same parent as that key, so that both end together. */
const toRoot = ({ id, parent }: KeyRecord): string => parent ?? id;

const isAdmin = ({ role }: KeyRecord): boolean => includesRole(role, 'admin');

const unknownKey = (): Error => notFound('unknown-key', 'You have no key with this id.');

const listParameters = defineParameters({
  all: flag({
    description: 'All keys, for the role admin; otherwise those that you have made.',
    fallback: false,
  }),
});

/** `GET /api/keys`. */
export const listKeys = ({ keys }: KeysDeps): Endpoint => ({
  summary: 'List keys',
  description: 'The keys that the caller has made, revoked ones too; never the keys themselves.',
  tag: 'Service',
  query: listParameters,
  answers: {
    200: {
      description: 'The keys, oldest first.',
      content: { 'application/json': json.object({ keys: json.list(json.object(shown)) }) },
    },
    403: { description: 'All keys need the role admin (role-needed).' },
  },
  async handle(request) {
    const key = needKey(request);
    const wantsAll = listParameters.all.read(request.query);
    if (wantsAll && !isAdmin(key)) throw refuseRole('This needs the role "admin": all keys.');
    const root = toRoot(key);
    const found = (await keys.list()).filter(({ parent }) => wantsAll || parent === root);
    return answerLongJson({ keys: listEach(found, toShown) }, { headers: noStore });
  },
});

/** `POST /api/keys`. */
export const createKey = ({ keys, people }: KeysDeps): Endpoint => ({
  summary: 'Make a key',
  description:
    'For people who have signed in, and for keys with the role admin. The key works as long as the access of its maker, and never with a higher role.',
  tag: 'Service',
  body: {
    description: 'What the key is for.',
    schema: toObjectSchema(fields),
    example: { label: 'field app', role: 'read', expires: '2030-12-31' },
  },
  answers: {
    201: {
      description: 'The key; it is shown only here.',
      content: { 'application/json': json.object({ secret: json.string(), key: json.object(shown) }) },
    },
    400: { description: 'The body is malformed; the message says how.' },
    402: { description: `You have ${MAX_KEYS} keys that work (key-limit); revoke some.` },
    403: { description: 'The role is higher than your own, or your key may not make keys (role-needed).' },
  },
  async handle(request) {
    const key = needKey(request);
    if (!isAdmin(key) && (await people.find(key.id)) === null)
      throw refuseRole('This needs the role "admin", or a person who has signed in.');
    const body = await request.readJson(BODY_BYTES);
    if (!isObject(body))
      throw badInput('bad-body', 'The body must be an object with label, role and expires.');
    const role = fields.role.read(body);
    if (!includesRole(key.role, role))
      throw notAllowed('role-needed', `This needs the role "${role}"; yours is "${key.role}".`, {
        details: { role },
      });
    const parent = toRoot(key);
    const own = (await keys.list()).filter((record) => record.parent === parent && record.revokedAt === null);
    if (own.length >= MAX_KEYS)
      throw notAllowed('key-limit', `You have ${own.length} keys; revoke some that are no longer needed.`);
    const { secret, record } = await keys.create({
      label: fields.label.read(body),
      role,
      expiresAt: fields.expires.read(body),
      parent,
    });
    return Answer.json({ secret, key: toShown(record) }, { status: 201, headers: noStore });
  },
});

/** `DELETE /api/keys/:key_id`. */
export const revokeKey = ({ keys }: KeysDeps): Endpoint => ({
  summary: 'Revoke a key',
  description: 'Ends a key that the caller has made; the role admin ends any other.',
  tag: 'Service',
  params: { key_id: { description: 'The id of a key.', schema: json.string(), example: '1f0c9a2b' } },
  answers: {
    204: { description: 'The key does not work any more.' },
    404: { description: 'The caller has no such key (unknown-key).' },
  },
  async handle(request: ApiRequest) {
    const key = needKey(request);
    const { key_id: id = '' } = request.params;
    const found = (await keys.list()).find((record) => record.id === id);
    // The caller's own key is not in this list: administrators could lock themselves out.
    const mayRevoke =
      found !== undefined && id !== toRoot(key) && (isAdmin(key) || found.parent === toRoot(key));
    if (!mayRevoke) throw unknownKey();
    await keys.revoke(id);
    return new Answer(null, { status: 204, headers: noStore });
  },
});

const refuseRole = (sentence: string): Error =>
  notAllowed('role-needed', sentence, { details: { role: 'admin' } });
