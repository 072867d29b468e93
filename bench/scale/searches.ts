import type { SceneQuery, SceneStore } from '../../src/catalog/index.ts';
import { readServerCpuS } from '../exports/spent.ts';
import { queryKinds } from '../search/queries.ts';
import { makeRandom } from '../search/synthetic-scenes.ts';

/** How a kind of searches went. */
export interface SearchTimes {
  readonly name: string;
  /** Whether it is one of the five whose times are demanded. */
  readonly isDemanded: boolean;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of a search: of this process, and of PostgreSQL. */
  readonly clientMs: number;
  readonly serverMs: number;
  readonly found: number;
}

/** Searches that fill caches and compile what the others run: a catalog that is used is warm. */
const WARM_UP = 300;

const NEWEST: SceneQuery = {
  datasets: [{ id: 'sentinel2', filters: [] }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 1,
};

const KINDS = [
  ...queryKinds,
  { name: 'newest scene of a dataset, and their count', targetMs: null, make: () => NEWEST },
  {
    name: 'a month of a dataset, first page',
    targetMs: null,
    make(random: () => number): SceneQuery {
      const month = `20${17 + Math.floor(random() * 9)}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}`;
      return {
        ...NEWEST,
        datasets: [
          {
            id: 'sentinel2',
            filters: [{ field: 'date', kind: 'range', from: `${month}-01`, to: `${month}-31` }],
          },
        ],
        limit: 500,
      };
    },
  },
];

/** Measures kinds of searches one after the other. `seeds`: numbers of the scenes whose names and places are asked for. */
export async function measureSearches(
  scenes: SceneStore,
  searches: number,
  { seeds, postmaster }: { readonly seeds: number; readonly postmaster: number },
): Promise<readonly SearchTimes[]> {
  const all: SearchTimes[] = [];
  for (const { name, targetMs, make } of KINDS) {
    const random = makeRandom(42);
    const queries = Array.from({ length: searches + WARM_UP }, () => make(random, seeds));
    for (const query of queries.slice(0, WARM_UP)) await scenes.searchHits(query);
    const times: number[] = [];
    const [cpu, serverAt] = [process.cpuUsage(), readServerCpuS(postmaster)];
    let found = 0;
    for (const query of queries.slice(WARM_UP)) {
      const startedAt = performance.now();
      found += (await scenes.searchHits(query)).found;
      times.push(performance.now() - startedAt);
    }
    const { user, system } = process.cpuUsage(cpu);
    times.sort((a, b) => a - b);
    all.push({
      name,
      isDemanded: targetMs !== null,
      p50Ms: times[times.length >> 1] as number,
      p99Ms: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] as number,
      clientMs: (user + system) / 1_000 / searches,
      serverMs: ((readServerCpuS(postmaster) - serverAt) * 1_000) / searches,
      found: found / searches,
    });
  }
  return all;
}
