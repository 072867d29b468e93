/** The admissions of routes, each with builders of route table lines. */
import type { Admission, Endpoint, Route, RouteMethod } from './endpoint.ts';

/** The lines of one admission, by method: path, name of the operation, endpoint, and what else the line says. */
export const allow = (admission: Admission) => {
  const line =
    (method: RouteMethod) =>
    (path: string, name: string, endpoint: Endpoint, more: Partial<Route> = {}): Route => ({
      ...admission,
      method,
      path,
      name,
      endpoint,
      ...more,
    });
  return { get: line('GET'), post: line('POST'), remove: line('DELETE') };
};

const own = { lane: 'tile', answersWhileDraining: false } as const;
/** Draws or measures with any key, in a slot of the front door. */
export const drawn = allow({ ...own, access: 'read', door: 'render' });
/** Drawn too, but the signature is the permission; all callers without a key share the slots of one. */
export const signed = allow({ ...own, access: 'open', door: 'render' });
/** Any key. */
export const read = allow({ ...own, access: 'read', door: 'free' });
/** Keys that may change things; counted as a write. */
export const write = allow({ ...own, access: 'write', door: 'free' });
/** Facts about Swath itself and not about anyone's data. */
export const open = allow({ ...own, access: 'open', door: 'free' });
/** The link is the permission. Passing a file on takes no slot from renders. */
export const linked = allow({ ...own, access: 'open', door: 'free', lane: 'task' });
/** Open to anyone, also while the service shuts down. */
export const always: Admission = { ...own, access: 'open', door: 'free', answersWhileDraining: true };
/** Pages, and what monitoring must see to the end. */
export const page = allow(always);
