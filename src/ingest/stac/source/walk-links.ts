import { isSwathError } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { toShownAddress } from '../../../net/index.ts';
import type { DocumentLocation } from '../addresses.ts';
import type { Json } from '../item.ts';
import { toObjects, toText } from '../item.ts';
import type { Found, SourceLimits } from './source.ts';

/** How documents of a static catalog are read: from files or from a host. A ref is a path or an address. */
export interface DocumentDoor {
  readonly read: (ref: string) => Promise<unknown>;
  /** The target of a link; null if it is outside the catalog's folder or host. */
  readonly resolve: (href: string, from: string) => string | null;
  readonly locationOf: (ref: string) => DocumentLocation;
}

/** Further links of a document are ignored: a collection of a static catalog may list all of its items. */
const MAX_LINKS = 200_000;
/** Documents read concurrently. */
const AT_ONCE = 8;

interface Pending {
  readonly ref: string;
  readonly depth: number;
}

/**
 * Follows the links of a static catalog down to catalogs, collections, items and lists of items. Every document is read
 * once, even if links form a cycle.
 */
export async function* walkLinks(
  root: { readonly ref: string; readonly document: unknown },
  { door, limits }: { readonly door: DocumentDoor; readonly limits: SourceLimits },
): AsyncGenerator<Found> {
  const seen = new Set([root.ref]);
  const pending: Pending[] = [];
  const take = function* (document: unknown, { ref, depth }: Pending): Generator<Found> {
    const location = door.locationOf(ref);
    for (const value of toItems(document)) yield { kind: 'item', value, location };
    for (const href of toLinks(document)) {
      const next = door.resolve(href, ref);
      if (next === null) {
        yield fault(href, 'stac-other-host', 'It is outside the catalog.');
      } else if (!seen.has(next)) {
        seen.add(next);
        pending.push({ ref: next, depth: depth + 1 });
      }
    }
  };
  yield* take(root.document, { ref: root.ref, depth: 0 });
  for (let documents = 1; pending.length > 0; ) {
    // Last in, first out: items follow their collection, and the queue stays short.
    const batch = pending.splice(-AT_ONCE);
    documents += batch.length;
    if (documents > limits.maxDocuments) {
      const reason = `The catalog has more than ${limits.maxDocuments} documents.`;
      yield { ...fault(batch[0]!.ref, 'stac-too-many-documents', reason), ends: true };
      return;
    }
    const read = await Promise.all(batch.map((one) => tryRead(one, { door, limits })));
    for (const [i, result] of read.entries()) {
      if ('fault' in result) yield result.fault;
      else yield* take(result.document, batch[i]!);
    }
  }
}

type Fault = Extract<Found, { kind: 'fault' }>;

const fault = (address: string, code: string, reason: string): Fault => ({
  kind: 'fault',
  name: toShownAddress(address),
  code,
  reason,
});

/** A document that cannot be read is reported, and its links are not followed. */
async function tryRead(
  { ref, depth }: Pending,
  { door, limits }: { readonly door: DocumentDoor; readonly limits: SourceLimits },
): Promise<{ readonly document: unknown } | { readonly fault: Fault }> {
  if (depth > limits.maxDepth) {
    return { fault: fault(ref, 'stac-too-deep', `It is more than ${limits.maxDepth} links deep.`) };
  }
  try {
    return { document: await door.read(ref) };
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal' || error.tag === 'cancelled') throw error;
    return { fault: fault(ref, error.code, error.message) };
  }
}

/** The items in a document: itself, a list, or a GeoJSON feature collection. */
export function toItems(document: unknown): readonly unknown[] {
  // Nested lists are not supported.
  if (Array.isArray(document)) return document.flatMap((one) => (Array.isArray(one) ? [] : toItems(one)));
  if (!isObject(document)) return [];
  if (document.type === 'Feature') return [document];
  return document.type === 'FeatureCollection' && Array.isArray(document.features) ? document.features : [];
}

/** Links to children and items; items have none. */
function toLinks(document: unknown): readonly string[] {
  if (!isCatalog(document)) return [];
  return toObjects(document.links, MAX_LINKS)
    .filter(({ rel }) => rel === 'child' || rel === 'item' || rel === 'items')
    .flatMap(({ href }) => toText(href) ?? []);
}

/** True for catalogs and collections; the oldest versions have no type. */
export const isCatalog = (document: unknown): document is Json =>
  isObject(document) &&
  (document.type === 'Catalog' || document.type === 'Collection' || document.type === undefined) &&
  Array.isArray(document.links);
