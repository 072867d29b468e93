/**
 * Everything that takes a stored area takes a field: before an endpoint sees a request, `field` in its query or body is
 * replaced by the reference of that field's outline, `cropper_ref`.
 */

import type { Fields } from '../../fields/index.ts';
import { isObject } from '../../json.ts';
import { badInput, notFound } from '../errors.ts';
import { LongJson } from '../kit/bodies.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { text as textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import type { Query } from '../kit/parameters.ts';
import { text } from '../kit/parameters.ts';

/** `field` of a query, for the documentation: no endpoint reads it. */
export const fieldQuery = text({
  description: 'A field of the key, by its id, in place of cropper_ref.',
  fallback: null,
});

/** `field` of a body, for the documentation. */
export const fieldOfBody = textField({
  description: 'A field of the key, by its id, in place of cropper_ref.',
});

/** A request that may name a field. */
interface Naming {
  readonly endpoint: Endpoint;
  readonly owner: string;
  readonly fields: Pick<Fields, 'find' | 'findRef'>;
}

async function findRef(id: string, { owner, fields }: Naming): Promise<string> {
  const ref = await fields.findRef(owner, id);
  if (ref === null) throw unknownField();
  return ref;
}

/** The answer to an id that names no field of the caller. */
export const unknownField = (): Error => notFound('no-such-field', 'This key has no field with this id.');

const refuseBoth = (name: string): Error =>
  badInput('several-areas', `Only one of field and ${name} may be given.`);

/** The query with the reference of its field. */
export async function takeFieldOfQuery(query: Query, naming: Naming): Promise<Query> {
  const id = query.get('field') ?? '';
  if (id === '' || naming.endpoint.query?.field === undefined) return query;
  if (query.has('cropper_ref')) throw refuseBoth('cropper_ref');
  const named = new Map(query);
  named.delete('field');
  return named.set('cropper_ref', await findRef(id, naming));
}

/** Parts of bodies that name an area as a body does. */
const PARTS = ['params', 'style'] as const;

/** The body with the references of its fields, in the places where bodies name areas. */
export async function takeFieldOfBody(body: unknown, naming: Naming): Promise<unknown> {
  if (!isObject(body)) return body;
  const taken: Record<string, unknown> = { ...(await takeFieldOf(body, naming)) };
  for (const name of PARTS) {
    const part = taken[name];
    if (isObject(part)) taken[name] = await takeFieldOf(part, naming);
  }
  const { search } = taken;
  if (isObject(search) && isObject(search.shape) && typeof search.shape.field === 'string') {
    taken.search = { ...search, shape: await toShape(search.shape.field, naming) };
  }
  return taken;
}

type Part = Readonly<Record<string, unknown>>;

async function takeFieldOf(part: Part, naming: Naming): Promise<Part> {
  const { field, ...others } = part;
  // Programs send null or an empty text for what they do not set.
  if (typeof field !== 'string' || field === '') return part;
  const name = naming.endpoint.tag === 'Weather' ? 'polygon_id' : 'cropper_ref';
  if ((others[name] ?? '') !== '') throw refuseBoth(name);
  return { ...others, [name]: await findRef(field, naming) };
}

/** The outline of a field as the shape of a search; long lists stay text, as those of a body do. */
async function toShape(id: string, { owner, fields }: Naming): Promise<object> {
  const field = await fields.find(owner, id);
  if (field === null) throw unknownField();
  if (field.geometry.length < limits.longListChars) return JSON.parse(field.geometry) as object;
  const start = field.geometry.indexOf('[');
  return { type: 'MultiPolygon', coordinates: new LongJson(field.geometry.slice(start, -1)) };
}
