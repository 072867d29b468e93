import { randomBytes } from 'node:crypto';
import type { AreaOutline } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import type { AreaStore } from './area-store.ts';
import { digestArea } from './digest-area.ts';
import type { Area } from './parse-area.ts';
import { parseArea } from './parse-area.ts';

/** Keeps areas of interest and finds them again. */
export interface Areas {
  /** Reads an area from untrusted JSON and keeps it for its owner, whose same feature always gets the same ref. */
  create(untrusted: unknown, owner: string): Promise<string>;
  /** Null for what is no ref and for unknown ones alike. */
  find(ref: string): Promise<KeptArea | null>;
}

/** An area that was found, ready to be drawn. */
export interface KeptArea extends Area {
  readonly outline: AreaOutline;
}

interface AreasDeps {
  readonly store: AreaStore;
}

/** Areas remembered at most, and positions in all of them: a map shows one or two, and asks for them tile by tile. */
const MAX_RECENT = 64;
const MAX_RECENT_POSITIONS = 100_000;

/**
 * Builds the service over a store. A ref is 128 random bits and says nothing of the area; that equal features of one
 * owner share one is the store's doing, by their digest. A digest as the ref would let anyone who guesses the outline of
 * a field find out whether it is kept here. Nor do owners share refs: whoever sends an outline that somebody else has
 * kept would read the properties that came with that one, and not get back what was sent (interface 4.9).
 */
export function makeAreas({ store }: AreasDeps): Areas {
  // Areas never change, so what was found once stays right.
  const recent = new Map<string, KeptArea>();
  let positions = 0;
  const remember = (ref: string, area: KeptArea): void => {
    if (recent.has(ref)) return;
    recent.set(ref, area);
    positions += sizeOf(area);
    for (const [oldest, gone] of recent) {
      if (recent.size <= MAX_RECENT && positions <= MAX_RECENT_POSITIONS) break;
      recent.delete(oldest);
      positions -= sizeOf(gone);
    }
  };
  return {
    async create(untrusted, owner) {
      const area = parseArea(untrusted);
      const ref = randomBytes(16).toString('hex');
      return store.put({ ...area, ref, digest: digestArea(area.feature, owner) });
    },
    async find(ref) {
      if (!/^[0-9a-f]{32}$/.test(ref)) return null;
      const known = recent.get(ref);
      if (known !== undefined) return known;
      const found = await store.find(ref);
      if (found === null) return null;
      const area = { ...found, outline: toOutline(found.geometry) };
      remember(ref, area);
      return area;
    },
  };
}

const sizeOf = ({ outline }: KeptArea): number => outline.length / 4;
