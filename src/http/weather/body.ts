import { badInput } from '../../errors.ts';
import type { Params } from '../request/params.ts';

/** Whether a body names a stored area; programs send an empty text for an id that they do not have. */
export const hasPolygonId = ({ polygon_id: id }: Params): boolean => (id ?? '') !== '';

/** The fields of a body: an object that says where, whatever is wrong with the rest of it. */
export function parseFields(body: unknown): Params {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badInput('bad-body', 'The body must be an object with a geometry or a polygon_id.');
  const params = body as Params;
  // The sentence is that of the interface: programs compare it.
  if ((params.geometry ?? null) === null && !hasPolygonId(params))
    throw badInput('no-location', 'Geometry or polygon_id are required.');
  return params;
}
