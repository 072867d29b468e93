/**
 * Everything that takes a stored area takes a field or a group of fields: before an endpoint sees a request, `field` or
 * `group` in its query or body is replaced by the reference of that outline, `cropper_ref`.
 */

import type { Fields, GroupOutlines } from '../../fields/index.ts';
import { isObject } from '../../json.ts';
import type { Ticket } from '../../pool/index.ts';
import { badInput, notFound, unsupported } from '../errors.ts';
import { LongJson, StoredGeometry } from '../kit/bodies.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { text as textField } from '../kit/fields.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
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

/** `group` of a query, for the documentation. */
export const groupQuery = text({
  description: 'The ground that a group of fields of the key covers, by its name, in place of cropper_ref.',
  fallback: null,
});

/** `group` of a body. */
export const groupOfBody = textField({
  description: 'The ground that a group of fields of the key covers, by its name, in place of cropper_ref.',
});

/** A request that may name a field. */
interface Naming {
  readonly endpoint: Endpoint;
  readonly owner: string;
  readonly fields: Pick<Fields, 'find' | 'findRef'>;
  readonly groups: GroupOutlines;
  readonly ticket: Ticket;
}

async function findRef(id: string, { owner, fields }: Naming): Promise<string> {
  const ref = await fields.findRef(owner, id);
  if (ref === null) throw unknownField();
  return ref;
}

/** The answer to an id that names no field of the caller. */
export const unknownField = (): Error => notFound('no-such-field', 'This key has no field with this id.');

/** The answer to the name of a group without fields. */
const unknownGroup = (): Error =>
  notFound('no-such-group', 'This key has no fields in a group of this name.');

const refuseBoth = (one: string, other: string): Error =>
  badInput('several-areas', `Only one of ${one} and ${other} may be given.`);

async function findGroupRef(group: string, { groups, ticket }: Naming): Promise<string> {
  const ref = await groups.findRef(group, ticket);
  if (ref === null) throw unknownGroup();
  return ref;
}

/** The way in which a part names an area: a field, a group, or neither. Programs send null or an empty text for nothing. */
function findNamed({ field, group }: Part, takesGroup: boolean): 'field' | 'group' | null {
  if (typeof field === 'string' && field !== '') {
    if (takesGroup && typeof group === 'string' && group !== '') throw refuseBoth('field', 'group');
    return 'field';
  }
  return takesGroup && typeof group === 'string' && group !== '' ? 'group' : null;
}

const findRefOf = (kind: 'field' | 'group', name: string, naming: Naming): Promise<string> =>
  kind === 'field' ? findRef(name, naming) : findGroupRef(name, naming);

/** The query with the reference of its field. */
export async function takeFieldOfQuery(query: Query, naming: Naming): Promise<Query> {
  const documented = naming.endpoint.query;
  if (documented?.field === undefined) return query;
  const kind = findNamed({ field: query.get('field'), group: query.get('group') }, 'group' in documented);
  if (kind === null) return query;
  if (query.has('cropper_ref')) throw refuseBoth(kind, 'cropper_ref');
  const named = new Map(query);
  named.delete('field');
  if ('group' in documented) named.delete('group');
  return named.set('cropper_ref', await findRefOf(kind, query.get(kind) ?? '', naming));
}

/** Parts of bodies that name an area as a body does. */
const PARTS = ['params', 'style'] as const;

/** The body with the references of its fields, in the places where bodies name areas. */
export async function takeFieldOfBody(body: unknown, naming: Naming): Promise<unknown> {
  if (!isObject(body)) return body;
  const takesGroup = takesGroups(naming.endpoint) && body.type !== OF_ROWS;
  const taken: Record<string, unknown> = { ...(await takeFieldOf(body, naming, takesGroup)) };
  for (const name of PARTS) {
    const part = taken[name];
    if (name === 'style' && isObject(part)) refuseGroup(part);
    if (isObject(part)) taken[name] = await takeFieldOf(part, naming, takesGroup);
  }
  const { search } = taken;
  const kind = isObject(search) && isObject(search.shape) ? findNamed(search.shape, true) : null;
  if (isObject(search) && isObject(search.shape) && kind !== null) {
    const name = String(search.shape[kind]);
    const shape = kind === 'field' ? toShape(name, naming) : toGroupShape(name, naming);
    taken.search = { ...search, shape: await shape };
  }
  return taken;
}

/** A recipe keeps its area for good; the outline of a group is stored only while it is used. */
function refuseGroup({ group }: Part): void {
  if (typeof group !== 'string' || group === '') return;
  throw unsupported(
    'group-not-kept',
    'A recipe keeps its area, and the ground of a group changes with its fields: store the outline as an area, and name its cropper_ref.',
  );
}

/** The type of task whose `group` is measured field by field, and not as one area. */
const OF_ROWS = 'mt_stats';

const taking = new WeakMap<Endpoint, boolean>();

/** Whether the documented body of an endpoint has a group as an area: others have groups of their own. */
function takesGroups(endpoint: Endpoint): boolean {
  const known = taking.get(endpoint);
  if (known !== undefined) return known;
  const holds = (schema: unknown): boolean =>
    schema === groupOfBody.schema ||
    (typeof schema === 'object' && schema !== null && Object.values(schema as JsonSchema).some(holds));
  const found = holds(endpoint.body?.schema);
  taking.set(endpoint, found);
  return found;
}

type Part = Readonly<Record<string, unknown>>;

async function takeFieldOf(part: Part, naming: Naming, takesGroup: boolean): Promise<Part> {
  const kind = findNamed(part, takesGroup);
  if (kind === null) return part;
  const { [kind]: given, ...others } = part;
  const name = naming.endpoint.tag === 'Weather' ? 'polygon_id' : 'cropper_ref';
  if ((others[name] ?? '') !== '') throw refuseBoth(kind, name);
  return { ...others, [name]: await findRefOf(kind, given as string, naming) };
}

/** The outline of a field as the shape of a search; long lists stay text, as those of a body do. */
async function toShape(id: string, { owner, fields }: Naming): Promise<object> {
  const field = await fields.find(owner, id);
  if (field === null) throw unknownField();
  if (field.geometry.length < limits.longListChars) return JSON.parse(field.geometry) as object;
  const start = field.geometry.indexOf('[');
  return { type: 'MultiPolygon', coordinates: new LongJson(field.geometry.slice(start, -1)) };
}

/** The ground of a group as the shape of a search. */
async function toGroupShape(group: string, naming: Naming): Promise<object> {
  const geometry = await naming.groups.findGeometry(group, naming.ticket);
  if (geometry === null) throw unknownGroup();
  return new StoredGeometry(geometry);
}
