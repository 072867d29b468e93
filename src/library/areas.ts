import { randomBytes } from 'node:crypto';
import type { AreaParser, CheckedArea, WrittenArea } from '../areas/index.ts';
import type { Ticket } from '../pool/index.ts';
import { toMib } from '../units.ts';
import { conflict } from './errors.ts';
import type { OwnedStore, Shelf, ShelfTimes } from './shelf.ts';
import { MAX_RECENT, makeShelf } from './shelf.ts';

/** Stores areas of interest and finds them by their ref. */
export interface Areas extends Shelf<KeptArea> {
  /**
   * Parses an area from untrusted JSON text and stores it for its owner; equal features of one owner get the same ref.
   * Throws `too-many-areas` or `area-storage-full` when the owner has reached its limit.
   */
  create(text: string, ticket: Ticket): Promise<string>;
}

/** An area that was found, ready to be drawn. */
export interface KeptArea extends CheckedArea {
  /** The feature as it was sent, as JSON. */
  readonly feature: string;
}

/** An area on its way into the store. */
export interface NewArea extends WrittenArea {
  /** Its ref, unless the same area is stored already. */
  readonly ref: string;
  readonly owner: string;
}

/** An area read from the store. */
export type StoredArea = Pick<WrittenArea, 'feature' | 'geometry'>;

/** What one owner has stored. */
export interface AreaUsage {
  readonly areas: number;
  /** The size of the JSON texts as stored. */
  readonly bytes: number;
}

/** The result of a put: stored (also if it already was), or refused because its owner has reached a limit. */
export type AreaPut =
  | { readonly kind: 'stored'; readonly ref: string }
  | { readonly kind: 'full'; readonly used: AreaUsage; readonly bytes: number };

/** Where areas are stored, each for one owner. */
export interface AreaStore extends OwnedStore<StoredArea, AreaUsage> {
  /**
   * Stores the area, unless one with this digest is stored already; resolves to the ref of the stored one when it has
   * reached the disk. Concurrent puts with the same digest get the same ref. Usage is counted in the same
   * transaction, so that many writers at once cannot exceed the limit together.
   */
  put(area: NewArea, limit: AreaUsage): Promise<AreaPut>;
}

interface AreasDeps extends ShelfTimes {
  readonly store: AreaStore;
  readonly parser: Pick<AreaParser, 'write' | 'measure'>;
  /** The storage limits of one owner. */
  readonly limit: AreaUsage;
}

/** The max number of positions in all cached areas. */
const MAX_RECENT_POSITIONS = 100_000;

/** Reading a stored area is nobody's own work: all who ask for it share the cached one. */
const READING: Ticket = { owner: 'areas', lane: 'tile', timeoutMs: 10_000 };

/**
 * Builds the service over a store. A ref is 128 random bits and says nothing about the area; the store gives equal
 * features of one owner the same ref, by their digest. A digest as the ref would let anyone who guesses the outline of
 * a field find out whether it is stored here. Nor do owners share refs: a caller who sends an outline that another
 * owner has stored would otherwise read that owner's properties instead of its own.
 */
export function makeAreas({ store, parser, limit, nowMs, outageMs, changes }: AreasDeps): Areas {
  const shelf = makeShelf<StoredArea, KeptArea>({
    name: 'areas',
    store,
    nowMs,
    outageMs,
    changes,
    // Stored areas were validated before.
    toItem: async ({ feature, geometry }) => ({ feature, ...(await parser.measure(geometry, READING)) }),
    max: MAX_RECENT_POSITIONS,
    sizeOf: (area) => Math.max((area?.outline.length ?? 0) / 4, MAX_RECENT_POSITIONS / MAX_RECENT),
  });
  return {
    ...shelf,
    async create(text, ticket) {
      const area = await parser.write(text, ticket);
      const ref = randomBytes(16).toString('hex');
      const put = await store.put({ ...area, ref, owner: ticket.owner }, limit);
      if (put.kind === 'full') throw refuseFull(put, limit);
      return put.ref;
    },
  };
}

/** Says which limit is reached, the usage, and what helps. */
function refuseFull({ used, bytes }: Extract<AreaPut, { kind: 'full' }>, limit: AreaUsage): Error {
  if (used.areas + 1 > limit.areas) {
    return conflict(
      'too-many-areas',
      `This key has ${used.areas} stored areas, and may have ${limit.areas}. DELETE areas that are no longer needed to make room.`,
    );
  }
  return conflict(
    'area-storage-full',
    `The areas of this key take ${toMib(used.bytes)} MiB, and may take ${toMib(limit.bytes)} MiB; this one needs ${toMib(bytes)} MiB more. DELETE areas that are no longer needed to make room.`,
  );
}
