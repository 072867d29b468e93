import type { SceneStore } from '../../src/catalog/index.ts';
import { makePostJson } from './ask-app.ts';

/** A search as both doors take it. */
interface DoorSearch {
  readonly name: string;
  /** Bodies of `POST /api/lms/search/v2/sentinel2` and of `POST /stac/search`; `i` varies them. */
  make(i: number): { readonly own: object; readonly stac: object };
}

const LIMIT = 250;
const yearOf = (i: number): number => 2016 + (i % 9);

const SEARCHES: readonly DoorSearch[] = [
  {
    name: 'a year',
    make: (i) => ({
      own: { search: { date: { from: `${yearOf(i)}-01-01`, to: `${yearOf(i)}-12-31` } } },
      stac: { datetime: `${yearOf(i)}-01-01T00:00:00Z/${yearOf(i)}-12-31T23:59:59Z` },
    }),
  },
  {
    name: 'little cloud',
    make: (i) => ({
      own: { search: { cloudCoverage: { from: 0, to: 5 + (i % 40) } } },
      stac: { query: { 'eo:cloud_cover': { lte: 5 + (i % 40) } } },
    }),
  },
];

const readCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Compares pages of 250 scenes of our own search with pages of items, in this process and without a network: processor
 * time a page, all threads together, and for each kB of the answer: pages with assets have the files of every scene, and eight
 * times the bytes.
 */
export async function compareDoors(name: string, scenes: SceneStore, searches: number): Promise<void> {
  const post = makePostJson(scenes);
  const measure = async (path: string, toBody: (i: number) => object): Promise<readonly [number, number]> => {
    let [bytes, from] = [0, 0];
    // The first pages compile what the others run.
    for (let i = -20; i < searches; i++) {
      if (i === 0) from = readCpuMs();
      const { byteLength } = await post(path, toBody(i + 20));
      if (i >= 0) bytes += byteLength;
    }
    return [(readCpuMs() - from) / searches, bytes / searches];
  };
  const show = ([cpu, bytes]: readonly [number, number]): string =>
    `CPU ${cpu.toFixed(1)} ms, ${Math.round(bytes / 1000)} kB, ${((cpu / bytes) * 1e6).toFixed(1)} µs a kB`;
  const stacBody = (more: object): object => ({ collections: ['sentinel2'], limit: LIMIT, ...more });
  for (const { name: kind, make } of SEARCHES) {
    const own = await measure('/api/lms/search/v2/sentinel2', (i) => ({ ...make(i).own, limit: LIMIT }));
    const bare = await measure('/stac/search', (i) =>
      stacBody({ ...make(i).stac, fields: { exclude: ['assets'] } }),
    );
    const whole = await measure('/stac/search', (i) => stacBody(make(i).stac));
    console.log(
      `        ${name}: ${kind}, a page of ${LIMIT}: own search ${show(own)}; STAC without assets ${show(bare)} (${(bare[0] / own[0]).toFixed(1)} ×); STAC ${show(whole)} (${(whole[0] / own[0]).toFixed(1)} ×)`,
    );
  }
}
