import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { Attack, AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { watch } from '../bystander.ts';
import type { Costly, Flood, Scenery } from '../costly-requests.ts';
import { floods, post, STATISTICS, storeArea } from '../costly-requests.ts';
import { SEARCH } from '../demo-tiles.ts';
import type { PoliteAnswer } from '../polite.ts';
import { ask, countStatuses, makeAgent } from '../polite.ts';
import type { Keyring, LogLine, Target } from '../target.ts';
import { createKeys, isAboveInfo, readLog, readMainThreadMs } from '../target.ts';
import { readCode } from '../wire.ts';

const LIMIT =
  '/healthz p95 ≤ 50 ms, or three times that of the quiet server; routes that work have a rate: 429 with Retry-After';

const toAttack = (
  flood: keyof typeof floods,
  { name, does }: Pick<Attack, 'name' | 'does'>,
  isQuick = false,
): Attack => ({
  name,
  severity: 'high',
  does: `${does}; by one connection, then by four, without pause`,
  limit: LIMIT,
  isQuick,
  run: (context) => runFlood(context, floods[flood] as Flood),
});

/** Key holders whose small requests cost much: computing, parsing, or storing. */
export const smallRequests: Family = {
  name: 'small requests',
  attacks: [
    toAttack('list', {
      name: 'lists of large orders',
      does: 'GET /api/tasks?limit=100 of 100 orders whose areas have 9,998 positions',
    }),
    {
      name: 'small orders that store much',
      severity: 'high',
      does: 'mt_stats orders of 230 bytes by the reference of a stored area of 9,998 positions',
      limit:
        'an order stores a reference, not a copy: less than 20 kB each; its bytes count in the quota of the key',
      isQuick: true,
      run: runSmallOrders,
    },
    toAttack('estimates', {
      name: 'estimates of stored areas',
      does: 'a key that may only read posts estimates by the reference of a stored area of 9,998 positions',
    }),
    toAttack('geometries', {
      name: 'estimates of large areas',
      does: 'a key that may only read posts estimates with areas of 9,998 positions',
    }),
    toAttack('geojson', {
      name: 'statistics as GeoJSON',
      does: 'POST /api/statistics of 100 scenes in a stored area of 9,998 positions, as GeoJSON',
    }),
    toAttack('weather', {
      name: 'ten years of weather',
      does: 'a key that may only read posts requests for ten years of days with all fields',
    }),
    toAttack('profiles', {
      name: 'long terrain profiles',
      does: 'a key that may only read requests profiles with 100 corners and 2,000 samples',
    }),
    toAttack('terrain', {
      name: 'terrain statistics of large areas',
      does: 'a key that may only read posts areas of 9,998 positions for terrain statistics',
    }),
    toAttack('shapes', {
      name: 'searches with large shapes',
      does: 'a key that may only read searches with shapes of 9,998 positions',
    }),
  ],
};

/** Puts copies of the demo scene into the catalog, one a day; their files are those of the original. */
async function copyScene(dataDir: string, count: number): Promise<void> {
  const store = openSqliteStore(dataDir);
  try {
    const scene = await store.scenes.findByViewId(DEMO_SCENE.viewId);
    if (scene === null) throw new Error('the demo has no scene');
    const { version: _, indexedAt: __, ...original } = scene;
    const copies = Array.from({ length: count }, (_unused, n) => {
      const day = new Date(Date.parse(scene.acquiredAt) - (n + 1) * 86_400_000);
      const path = `${day.getUTCFullYear()}/${day.getUTCMonth() + 1}/${day.getUTCDate()}`;
      const digits = day.toISOString().slice(0, 10).replaceAll('-', '');
      return {
        ...original,
        acquiredAt: day.toISOString(),
        viewId: scene.viewId.replace('2026/6/21', path),
        sceneId: scene.sceneId.replace('20260621', digits),
        productId: scene.productId?.replace('20260621', digits) ?? null,
        fields: { ...scene.fields, date: day.toISOString().slice(0, 10) },
      };
    });
    await store.scenes.putMany(copies as never);
  } finally {
    await store.close();
  }
}

async function openScenery(
  { start, isTimed }: AttackContext,
  { env = {}, copies = 0 }: Pick<Flood, 'env' | 'copies'>,
): Promise<Scenery> {
  let keys: Keyring | null = null;
  const server = await start({
    env: { SWATH_WRITES_PER_MINUTE: '0', ...env },
    async prepare(dataDir) {
      keys = await createKeys(dataDir);
      if (copies > 0) await copyScene(dataDir, copies);
    },
  });
  return { server, keys: keys as unknown as Keyring, isTimed };
}

/** How long each number of connections asks without pause. */
const FLOOD_MS = 2_000;
/** So many requests instead, in `npm test`. */
const FLOOD_REQUESTS = 8;
/** `/healthz` within this time in 95 of 100 cases; on a busy machine three times what it takes there anyway. */
const HEALTH_MS = 50;
/** In a soak two servers share the machine. */
const SOAK_HEALTH_MS = 100;
/** Processor time of the main thread that a request may take, in those that a search without filters takes. */
const MAX_COST = 25;

async function runFlood(context: AttackContext, flood: Flood): Promise<Sight> {
  const { isTimed, isSoak, addresses } = context;
  const scenery = await openScenery(context, flood);
  const { server, keys } = scenery;
  const requests = await flood.plan(scenery);
  const [mine, ...theirs] = addresses(5);
  const bystander = { server, key: keys.bob, localAddress: mine, tile: null, pauseMs: 10 };
  const printed = server.output().length;
  const flooded = (connections: number) =>
    sendAll(server, requests, { connections, addresses: theirs, isTimed });
  // The first one fills caches and compiles.
  const { path, ...first } = requests[0] as Costly;
  await ask(server, path, { ...first, timeoutMs: 60_000 });
  const cheapMs = await measureSearches(server, keys.bob);
  const quiet = await watch(
    bystander,
    () => new Promise((resolve) => setTimeout(resolve, isTimed ? 1_000 : 0)),
  );
  const [one, four] = [await watch(bystander, () => flooded(1)), await watch(bystander, () => flooded(4))];
  const healthMs = Math.max(isSoak ? SOAK_HEALTH_MS : HEALTH_MS, 3 * quiet.report.healthP95);
  const all = [...one.result.answers, ...four.result.answers];
  const answered = all.filter(({ status }) => status === 200 || status === 202);
  const cpuMs = (one.result.mainMs + four.result.mainMs) / Math.max(1, all.length);
  const logged = readLog(server.output().slice(printed)).filter(isAboveInfo);
  const bytes = Math.max(...all.map(({ body }) => body.length));
  const asked = Math.max(...requests.map(({ body, path }) => (body ?? path).length));
  const saw = `${asked} bytes in, ${bytes} out; ${describe(all)}; ${cpuMs.toFixed(1)} ms of the main thread each (a search ${cheapMs.toFixed(1)}); quiet ${quiet.report.text}; one ${one.report.text}; four ${four.report.text}; above info: ${describeLines(logged)}`;
  return judge(saw, {
    'some are answered': answered.length > 0,
    'others are 429 with Retry-After': all.every(
      ({ status, headers }) =>
        [200, 202].includes(status) || (status === 429 && Number(headers['retry-after']) > 0),
    ),
    '/healthz always 200': one.report.isServed && four.report.isServed,
    [`/healthz p95 within ${healthMs.toFixed(0)} ms`]:
      !isTimed || (one.report.healthP95 <= healthMs && four.report.healthP95 <= healthMs),
    [`at most ${MAX_COST} searches each`]: isTimed || cpuMs <= MAX_COST * cheapMs,
    'nothing logged above info': logged.length === 0,
  });
}

const describe = (answers: readonly PoliteAnswer[]): string =>
  countStatuses(answers.map(({ status, body }) => `${status || 'no answer'} ${readCode(body)}`.trim()));

const describeLines = (lines: readonly LogLine[]): string => countStatuses(lines.map(({ msg }) => msg));

interface Sent {
  readonly answers: readonly PoliteAnswer[];
  /** Processor time of the server's main thread. */
  readonly mainMs: number;
}

async function sendAll(
  server: Target,
  requests: readonly Costly[],
  options: {
    readonly connections: number;
    readonly addresses: readonly string[];
    readonly isTimed: boolean;
  },
): Promise<Sent> {
  const { connections, addresses, isTimed } = options;
  const answers: PoliteAnswer[] = [];
  const until = performance.now() + FLOOD_MS;
  const isOver = (): boolean => (isTimed ? performance.now() > until : answers.length >= FLOOD_REQUESTS);
  const before = readMainThreadMs(server) ?? 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      const agent = makeAgent(addresses[i % addresses.length], 1);
      for (let n = i; !isOver(); n += connections) {
        const { path, ...rest } = requests[n % requests.length] as Costly;
        answers.push(await ask(server, path, { ...rest, agent, timeoutMs: 30_000 }));
      }
      agent.destroy();
    }),
  );
  return { answers, mainMs: (readMainThreadMs(server) ?? 0) - before };
}

/** What a search without filters costs the main thread: work is compared with it, so that any machine will do. */
async function measureSearches(server: Target, key: string): Promise<number> {
  const searches = Array.from({ length: 20 }, () => post(SEARCH, key, { search: {} }));
  const { mainMs, answers } = await sendAll(server, searches, {
    connections: 1,
    addresses: ['127.0.0.1'],
    isTimed: false,
  });
  return mainMs / answers.length;
}

/** An order of 230 bytes may store so many. */
const MAX_STORED_BYTES = 20_000;

async function runSmallOrders(context: AttackContext): Promise<Sight> {
  const scenery = await openScenery(context, {
    env: {
      SWATH_ROLES: 'api',
      SWATH_TASKS_PER_KEY: '0',
      SWATH_OPEN_TASKS: '0',
      SWATH_STATISTICS_PER_MINUTE: '0',
    },
  });
  const { server, keys } = scenery;
  const cropper_ref = await storeArea(scenery);
  const { expressions: bm_type, ...params } = STATISTICS;
  const before = readStoredBytes(server.dataDir);
  const answers: PoliteAnswer[] = [];
  const agent = makeAgent(undefined, 1);
  for (let n = 0; n < 100; n += 1) {
    const order = { type: 'mt_stats', params: { ...params, bm_type, cropper_ref, reference: `order ${n}` } };
    answers.push(
      await ask(server, '/api', { method: 'POST', key: keys.alice, agent, body: JSON.stringify(order) }),
    );
  }
  agent.destroy();
  const taken = answers.filter(({ status }) => status === 202).length;
  const each = (readStoredBytes(server.dataDir) - before) / Math.max(1, taken);
  return judge(`${describe(answers)}; ${(each / 1000).toFixed(1)} kB stored each`, {
    'taken, or 402 or 429': answers.every(({ status }) => [202, 402, 429].includes(status)),
    'some are taken': taken > 0,
    [`less than ${MAX_STORED_BYTES / 1000} kB each`]: each < MAX_STORED_BYTES,
  });
}

/** The bytes of pages in use. */
function readStoredBytes(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'swath.db'), { readOnly: true });
  try {
    const read = (name: string): number =>
      Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    return (read('page_count') - read('freelist_count')) * read('page_size');
  } finally {
    database.close();
  }
}
