import { randomBytes } from 'node:crypto';
import { makeTtlCache } from '../async/index.ts';
import { conflict } from '../errors.ts';
import type { Ticket } from '../pool/index.ts';
import { toMib } from '../units.ts';
import type { AreaParser } from './area-parser.ts';
import type { AreaPut, AreaStore, AreaUsage, StoredArea } from './area-store.ts';
import type { CheckedArea } from './check-area.ts';

/** Stores areas of interest and finds them. */
export interface Areas {
  /**
   * Parses an area from untrusted JSON text and stores it for its owner; equal features of one owner get the same ref.
   * Throws `too-many-areas` or `area-storage-full` when the owner has reached its limit.
   */
  create(text: string, ticket: Ticket): Promise<string>;
  /** Null for an invalid ref and for an unknown one. */
  find(ref: string): Promise<KeptArea | null>;
  /** False for an unknown ref and for one of another owner. */
  remove(ref: string, owner: string): Promise<boolean>;
}

/** An area that was found, ready to be drawn. */
export interface KeptArea extends CheckedArea {
  /** The feature as it was sent, as JSON. */
  readonly feature: string;
}

interface AreasDeps {
  readonly store: AreaStore;
  readonly parser: Pick<AreaParser, 'write' | 'measure'>;
  /** The storage limits of one owner. */
  readonly limit: AreaUsage;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long cached areas stay in use while the store does not answer. */
  readonly outageMs: number;
}

/**
 * The max number of cached areas, and of positions in all of them: a map shows one or two, and requests them tile by
 * tile.
 */
const MAX_RECENT = 64;
const MAX_RECENT_POSITIONS = 100_000;

/** After this the store is asked again: another node, or the command line, may have deleted the area. */
const FRESH_MS = 10_000;

/**
 * Builds the service over a store. A ref is 128 random bits and says nothing about the area; the store gives equal
 * features of one owner the same ref, by their digest. A digest as the ref would let anyone who guesses the outline of
 * a field find out whether it is stored here. Nor do owners share refs: a caller who sends an outline that another
 * owner has stored would otherwise read that owner's properties instead of its own.
 */
export function makeAreas({ store, parser, limit, nowMs, outageMs }: AreasDeps): Areas {
  const recent = makeTtlCache<KeptArea | null>({
    nowMs,
    freshMs: FRESH_MS,
    outageMs,
    max: MAX_RECENT_POSITIONS,
    sizeOf: (area) => Math.max(sizeOf(area), MAX_RECENT_POSITIONS / MAX_RECENT),
  });
  return {
    async create(text, ticket) {
      const area = await parser.write(text, ticket);
      const ref = randomBytes(16).toString('hex');
      const put = await store.put({ ...area, ref, owner: ticket.owner }, limit);
      if (put.kind === 'full') throw refuseFull(put, limit);
      return put.ref;
    },
    async find(ref) {
      if (!isRef(ref)) return null;
      return recent.find(ref, async ({ known }) => {
        const found = await store.find(ref);
        // Areas never change, so the cached outline is still right.
        return found === null ? null : (known ?? toKept(found, parser));
      });
    },
    async remove(ref, owner) {
      if (!isRef(ref)) return false;
      const isRemoved = await store.remove(ref, owner);
      if (isRemoved) recent.forget(ref);
      return isRemoved;
    },
  };
}

const isRef = (ref: string): boolean => /^[0-9a-f]{32}$/.test(ref);

/** Reading a stored area is nobody's own work: all who ask for it share what is remembered. */
const READING: Ticket = { owner: 'areas', lane: 'tile', timeoutMs: 10_000 };

/** Stored areas were validated before. */
const toKept = async (
  { feature, geometry }: StoredArea,
  parser: Pick<AreaParser, 'measure'>,
): Promise<KeptArea> => ({ feature, ...(await parser.measure(geometry, READING)) });

/** In positions. */
const sizeOf = (area: KeptArea | null): number => (area?.outline.length ?? 0) / 4;

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
