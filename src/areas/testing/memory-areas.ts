import { aTicket } from '../../pool/testing/run-here.ts';
import type { AreaParser, AreaStore, Areas, AreaUsage, NewArea } from '../index.ts';
import { checkArea, measureArea, parseSearchGeometry, writeArea } from '../index.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Parses areas of any size at once. */
export const areaParser: AreaParser = {
  write: async (text, { owner }) => writeArea(text, owner),
  check: async (text) => checkArea(text),
  measure: async (geometry) => measureArea(geometry),
  parse: async (text) => parseSearchGeometry(JSON.parse(text)),
};

/** Stores an area for its owner. */
export const createArea = (areas: Areas, area: unknown, owner: string): Promise<string> =>
  areas.create(JSON.stringify(area), { ...aTicket, owner });

/** What areas need in addition to a store, without limits. */
export const unlimitedAreas = {
  parser: areaParser,
  limit: { areas: NO_LIMIT, bytes: NO_LIMIT },
  nowMs: () => performance.now(),
  outageMs: 0,
} as const;

/** Areas in memory. */
export function makeMemoryAreas() {
  const stored = new Map<string, NewArea>();
  let reads = 0;
  const bytesOf = ({ feature, geometry }: NewArea): number => feature.length + geometry.length;
  const usageOf = (owner: string): AreaUsage => {
    const own = [...stored.values()].filter((area) => area.owner === owner);
    return { areas: own.length, bytes: own.reduce((sum, area) => sum + bytesOf(area), 0) };
  };
  const store: AreaStore = {
    async put(area, limit) {
      const known = [...stored.values()].find(({ digest }) => digest === area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known.ref };
      const [used, bytes] = [usageOf(area.owner), bytesOf(area)];
      if (used.areas + 1 > limit.areas || used.bytes + bytes > limit.bytes)
        return { kind: 'full', used, bytes };
      stored.set(area.ref, area);
      return { kind: 'stored', ref: area.ref };
    },
    async find(ref) {
      reads += 1;
      return stored.get(ref) ?? null;
    },
    remove: async (ref, owner) => stored.get(ref)?.owner === owner && stored.delete(ref),
    async removeAll(owner) {
      const own = [...stored.values()].filter((area) => area.owner === owner);
      for (const { ref } of own) stored.delete(ref);
      return own.length;
    },
    usage: async () => new Map([...stored.values()].map(({ owner }) => [owner, usageOf(owner)])),
  };
  return { store, stored, countReads: () => reads };
}
