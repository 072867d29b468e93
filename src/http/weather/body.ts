import { badInput } from '../../errors.ts';
import type { Params } from '../request/params.ts';

/** The fields of a body; it must be an object. */
export function parseFields(body: unknown): Params {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Params;
  throw badInput('bad-body', 'The body must be an object with a geometry or a polygon_id.');
}
