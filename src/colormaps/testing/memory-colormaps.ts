import type { ColormapContent } from '../../color/index.ts';
import type { ColormapStore } from '../index.ts';

/** What colormaps need in addition to a store, without limits. */
export const unlimitedColormaps = {
  maxPerOwner: Number.POSITIVE_INFINITY,
  nowMs: () => performance.now(),
  outageMs: 0,
} as const;

/** Custom colormaps in memory. */
export function makeMemoryColormaps() {
  const stored = new Map<string, ColormapContent>();
  const owners = new Map<string, Set<string>>();
  let reads = 0;
  const idsOf = (owner: string): readonly string[] =>
    [...owners].filter(([, of]) => of.has(owner)).map(([id]) => id);
  const usageOf = (owner: string) => {
    const ids = idsOf(owner);
    const bytes = ids.reduce((sum, id) => sum + JSON.stringify(stored.get(id)).length, 0);
    return { colormaps: ids.length, bytes };
  };
  const store: ColormapStore = {
    async put({ id, content, owner }, maxColormaps) {
      if (owners.get(id)?.has(owner)) return null;
      const used = usageOf(owner);
      if (used.colormaps + 1 > maxColormaps) return used;
      stored.set(id, content);
      owners.set(id, (owners.get(id) ?? new Set()).add(owner));
      return null;
    },
    async find(id) {
      reads += 1;
      return stored.get(id) ?? null;
    },
    async remove(id, owner) {
      const of = owners.get(id);
      if (of?.delete(owner) !== true) return false;
      if (of.size === 0) stored.delete(id);
      return true;
    },
    async removeAll(owner) {
      const ids = idsOf(owner);
      for (const id of ids) await store.remove(id, owner);
      return ids.length;
    },
    usage: async () => new Map([...owners.values()].flatMap((of) => [...of]).map((o) => [o, usageOf(o)])),
  };
  return { store, stored, countReads: () => reads };
}
