import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Clock } from '../../../async/index.ts';
import type { Scene } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { makeOpenSource } from '../../../sources/index.ts';
import type { LiveCatalog } from '../../live-catalog.ts';
import { earthSearch } from '../../presets/earth-search.ts';
import type { FakeStacOptions } from '../../testing/fake-stac.ts';
import { startFakeStac } from '../../testing/fake-stac.ts';
import type { FilePlace, MadeItem } from '../../testing/made-item.ts';
import { makeItem } from '../../testing/make-item.ts';
import type { SyncOptions } from '../sync-catalog.ts';
import { syncCatalog } from '../sync-catalog.ts';
import type { SyncNoteStore } from '../sync-note-store.ts';
import type { SyncPlan } from '../sync-plan.ts';
import type { SyncStore } from '../sync-window.ts';

export const DAYS = ['2022-04-07', '2022-04-22', '2022-05-07', '2022-05-22', '2022-06-06', '2022-06-21'];

/** With one file of an item, a small one, because each costs time. */
export const withOneFile = (item: MadeItem, name: string): MadeItem => ({
  ...item,
  assets: () => ({ [name]: item.assets()[name]! }),
});

export const itemOf = (day: string, place: FilePlace, choice: { cloud?: number; updated?: string } = {}) =>
  withOneFile(
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day, cloud: 10, ...choice }, place),
    'coastal',
  );

export const viewIdOf = (day: string): string => {
  const [year, month, number] = day.split('-').map(Number);
  return `S2L2A/31/T/DH/${year}/${month}/${number}/0`;
};

export const PLAN: SyncPlan = {
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [2.1, 42.8],
        [2.3, 42.8],
        [2.3, 43],
        [2.1, 43],
        [2.1, 42.8],
      ],
    ],
  },
  since: '2022-04-01',
  until: '2022-06-30',
  datasets: null,
  maxCloudPercent: null,
};

/** A clock on which only waits take time, and none in truth. */
function makeFastClock(): Clock {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    random: () => 0,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
}

/** A catalog in memory. */
function makeStore(): SyncStore & { readonly scenes: Map<string, Scene> } {
  const scenes = new Map<string, Scene>();
  return {
    scenes,
    findByViewId: async (viewId) => scenes.get(viewId) ?? null,
    remove: async (viewId) => scenes.delete(viewId),
    putMany: async (given) =>
      given.map((one) => {
        const before = scenes.get(one.viewId);
        const scene = toScene(one);
        scenes.set(one.viewId, scene);
        return before === undefined ? 'added' : before.version === scene.version ? 'unchanged' : 'replaced';
      }),
  };
}

/** Notes in memory, by the id of their sync and their name. */
function makeNotes(): { readonly notes: SyncNoteStore; readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const notes: SyncNoteStore = {
    read: async (sync, name) => texts.get(`${sync} ${name}`) ?? null,
    write: async (sync, name, text) => void texts.set(`${sync} ${name}`, text),
  };
  return { notes, texts };
}

/** Starts the fake, a catalog in memory and a data directory, all of which end with the test. */
export async function startSync(
  t: TestContext,
  options: FakeStacOptions = {},
  preset: LiveCatalog = earthSearch,
) {
  const fake = await startFakeStac({
    items: (place) => DAYS.map((day) => itemOf(day, place)),
    ...options,
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-sync-'));
  t.after(async () => {
    await fake[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });
  const catalog = { ...preset, url: fake.url, sources: fake.network };
  const store = makeStore();
  const { notes, texts } = makeNotes();
  /** Runs the sync; the calls of the fake are those of this run. */
  const run = async (more: Partial<SyncOptions> = {}) => {
    fake.calls.length = 0;
    const plan = more.plan ?? PLAN;
    const report = await syncCatalog({
      catalog,
      plan,
      store,
      open: makeOpenSource({ dataDir, network: fake.network }),
      dataDir,
      notes,
      limit: null,
      isDry: false,
      prune: false,
      now: () => new Date('2022-07-10T12:00:00Z'),
      clock: makeFastClock(),
      signal: new AbortController().signal,
      ...more,
    });
    const { ingested, unchanged, skipped, broken } = report.totals;
    return { report, totals: [ingested, unchanged, skipped, broken] };
  };
  const callsOf = (kind: string) => fake.calls.filter((call) => call.kind === kind);
  /** Months that were searched, in order. */
  const monthsAsked = () =>
    callsOf('search').flatMap(({ body }) =>
      body?.datetime === undefined ? [] : [String(body.datetime).slice(0, 7)],
    );
  return { fake, catalog, store, run, callsOf, monthsAsked, dataDir, texts };
}
