import type { TestContext } from 'node:test';
import { makeTempFolder } from '../../testing/temp-folder.ts';
import type { LiveCatalog } from '../live-catalog.ts';
import type { LivePage, LiveQuery } from '../live-search.ts';
import { earthSearch } from '../presets/earth-search.ts';
import type { NamedScene } from '../resolve-scene.ts';
import { makeLiveHandlers } from '../serve-live.ts';
import type { FakeStac, FakeStacOptions } from './fake-stac.ts';
import { startFakeStac } from './fake-stac.ts';
import type { FilePlace } from './made-item.ts';
import { makeItem } from './make-item.ts';

/** Six days of a tile, with 0 to 50 percent of clouds. */
const DAYS = ['2022-06-01', '2022-06-06', '2022-06-11', '2022-06-16', '2022-06-21', '2022-06-26'];

const makeItems = (place: FilePlace) =>
  DAYS.map((day, i) => makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: i * 10 }, place));

export const NEVER = new AbortController().signal;

/** A slow machine may take longer than a person waits for a catalog. Shorter than the pauses that tests ask for. */
const PATIENCE_MS = 100_000;

/** Starts the fake behind a preset, with what the thread would answer. */
export async function startLive(
  t: TestContext,
  options: FakeStacOptions = {},
  preset: LiveCatalog = earthSearch,
) {
  const fake = await startFakeStac({ items: makeItems, ...options });
  t.after(() => fake[Symbol.asyncDispose]());
  const sources = fake.network;
  const { limits } = preset;
  // The deadline of a test stays.
  const isPresets = limits.deadlineMs === earthSearch.limits.deadlineMs;
  const patient = { ...limits, deadlineMs: isPresets ? PATIENCE_MS : limits.deadlineMs };
  const handlers = makeLiveHandlers({
    catalogs: [{ ...preset, limits: patient, url: fake.url, sources }],
    files: { dataDir: makeTempFolder('swath-live-'), network: sources },
  });
  const search = async (query: Partial<LiveQuery> = {}): Promise<LivePage> =>
    (await handlers.search({ ...EVERYTHING, ...query }, NEVER)) as LivePage;
  const resolve = async (
    named: Partial<NamedScene>,
    earlier: Parameters<typeof handlers.resolve>[0]['earlier'] = null,
  ) => {
    const found = await handlers.resolve(
      { named: { dataset: 'sentinel2l2a', name: '', viewId: null, ...named }, earlier },
      NEVER,
    );
    return found as Exclude<typeof found, { transfer: unknown }>;
  };
  return { fake, search, resolve, handlers };
}

/** A search for all of them. */
export const EVERYTHING: LiveQuery = {
  dataset: 'sentinel2l2a',
  filters: [],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 10,
  withFiles: false,
};

export const callsOf = (fake: FakeStac, kind: string) => fake.calls.filter((call) => call.kind === kind);
