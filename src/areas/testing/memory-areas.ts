import { aTicket } from '../../pool/testing/run-here.ts';
import type { AreaStore, Areas, AreaUsage, NewArea } from '../index.ts';
import { parseSearchGeometry, writeArea } from '../index.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Reads areas of any size at once. */
export const areaParser = {
  write: async (text: string, { owner }: { readonly owner: string }) => writeArea(text, owner),
  parse: async (geometry: unknown) => parseSearchGeometry(geometry),
};

/** Keeps an area for its owner. */
export const createArea = (areas: Areas, area: unknown, owner: string): Promise<string> =>
  areas.create(JSON.stringify(area), { ...aTicket, owner });

/** What areas need beside a store, without limits. */
export const unlimitedAreas = {
  parser: areaParser,
  limit: { areas: NO_LIMIT, bytes: NO_LIMIT },
  nowMs: () => performance.now(),
  outageMs: 0,
} as const;

/** Areas in memory. */
export function makeMemoryAreas() {
  const kept = new Map<string, NewArea>();
  let reads = 0;
  const bytesOf = ({ feature, geometry }: NewArea): number => feature.length + geometry.length;
  const usageOf = (owner: string): AreaUsage => {
    const own = [...kept.values()].filter((area) => area.owner === owner);
    return { areas: own.length, bytes: own.reduce((sum, area) => sum + bytesOf(area), 0) };
  };
  const store: AreaStore = {
    async put(area, limit) {
      const known = [...kept.values()].find(({ digest }) => digest === area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known.ref };
      const [used, bytes] = [usageOf(area.owner), bytesOf(area)];
      if (used.areas + 1 > limit.areas || used.bytes + bytes > limit.bytes)
        return { kind: 'full', used, bytes };
      kept.set(area.ref, area);
      return { kind: 'stored', ref: area.ref };
    },
    async find(ref) {
      reads += 1;
      return kept.get(ref) ?? null;
    },
    remove: async (ref, owner) => kept.get(ref)?.owner === owner && kept.delete(ref),
    async removeAll(owner) {
      const own = [...kept.values()].filter((area) => area.owner === owner);
      for (const { ref } of own) kept.delete(ref);
      return own.length;
    },
    usage: async () => new Map([...kept.values()].map(({ owner }) => [owner, usageOf(owner)])),
  };
  return { store, kept, countReads: () => reads };
}
