import { areaParser } from '../../areas/testing/area-parser.ts';
import type { ColormapContent } from '../../color/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import type {
  AreaStore,
  Areas,
  AreaUsage,
  ColormapStore,
  DatasetText,
  DatasetTextStore,
  NewArea,
  Recipe,
  RecipeStore,
} from '../index.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

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

/** What colormaps need in addition to a store, without limits. */
export const unlimitedColormaps = {
  maxPerOwner: NO_LIMIT,
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

/** What recipes need in addition to a store, without a limit. */
export const unlimitedRecipes = { maxPerOwner: NO_LIMIT, now: () => new Date() } as const;

/** A recipe of one scene. */
export const aRecipe = {
  owner: 'a',
  name: 'Fields',
  content: {
    scenes: { kind: 'scene', viewId: 'S2/10/U/EU/2026/6/21/0' },
    bands: 'B04,B03,B02',
    query: { MIN_MAX: '0,3000' },
  },
  terms: null,
} as const;

/** Recipes in memory. */
export function makeMemoryRecipes() {
  const stored = new Map<string, Recipe>();
  const keyOf = ({ owner, id }: Pick<Recipe, 'owner' | 'id'>): string => `${owner} ${id}`;
  const listOf = (owner: string): Recipe[] => [...stored.values()].filter((one) => one.owner === owner);
  const usageOf = (owner: string) => ({
    recipes: listOf(owner).length,
    bytes: listOf(owner).reduce((sum, { content }) => sum + JSON.stringify(content).length, 0),
  });
  const store: RecipeStore = {
    async put(recipe, maxRecipes) {
      const known = stored.get(keyOf(recipe));
      if (known !== undefined) return { kind: 'stored', recipe: known, isNew: false };
      const used = usageOf(recipe.owner);
      if (used.recipes + 1 > maxRecipes) return { kind: 'full', used };
      stored.set(keyOf(recipe), recipe);
      return { kind: 'stored', recipe, isNew: true };
    },
    find: async (id, owner) => stored.get(keyOf({ id, owner })) ?? null,
    findShared: async (shareId) => [...stored.values()].find(({ share }) => share?.id === shareId) ?? null,
    async list(owner, { after, limit }) {
      const placeOf = ({ name, id }: Pick<Recipe, 'name' | 'id'>): string => `${name}\0${id}`;
      return listOf(owner)
        .filter((one) => after === null || placeOf(one) > placeOf(after))
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
        .slice(0, limit);
    },
    async change(id, owner, { name, share }) {
      const known = stored.get(keyOf({ id, owner }));
      if (known === undefined) return null;
      const kept = share == null ? share : { ...share, id: known.share?.id ?? share.id };
      const changed = {
        ...known,
        ...(name === undefined ? {} : { name }),
        ...(kept === undefined ? {} : { share: kept }),
      };
      stored.set(keyOf(known), changed);
      return changed;
    },
    remove: async (id, owner) => stored.delete(keyOf({ id, owner })),
    async removeAll(owner) {
      const own = listOf(owner);
      for (const recipe of own) stored.delete(keyOf(recipe));
      return own.length;
    },
    usage: async () => new Map([...stored.values()].map(({ owner }) => [owner, usageOf(owner)])),
  };
  return { store, stored };
}

/** Texts of datasets in memory. */
export function makeMemoryDatasetTexts(): DatasetTextStore {
  const stored = new Map<string, DatasetText>();
  return {
    list: async () => new Map(stored),
    async replace(dataset, { before, after }) {
      if (JSON.stringify(stored.get(dataset) ?? null) !== JSON.stringify(before)) return false;
      if (after === null) stored.delete(dataset);
      else stored.set(dataset, after);
      return true;
    },
  };
}
