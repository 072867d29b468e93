/**
 * Every route is asked for the most that it takes, and the main thread may compute for 10 ms at a time. What is measured
 * is CPU time of the thread in one turn of its event loop, the least of some repetitions, on a scale that is measured in
 * the same process: a slow machine may take longer, as it does for everything.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { makeCrowdedData } from './crowded-data.ts';
import type { Asked, Stored } from './largest-bodies.ts';
import { largestField, largestPolygon, largestRecipe, largestSubscription } from './largest-bodies.ts';
import { LARGEST } from './largest-requests.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe.ts';

/** The longest turn of the event loop that a request may cause, on the machine of the scale. */
const LIMIT_MS = 10;
/** What the probe's fixed work takes on a quiet machine of two cores (2026). */
const SCALE_MS = 11;
/** The first repetition may load code and compile it. More are needed where other programs have the cores. */
const MAX_REPETITIONS = 16;
/** The operating system counts the time of a thread in steps of up to so much. */
const CLOCK_STEP_MS = 4;

/** Only a hang takes longer: 500 scenes are measured first, which took ten minutes with a load of thirty. */
const LONGEST_MS = 14_000_000;

let swath: RunningSwath;
let stored: Stored;

before(
  async () => {
    const dataDir = await makeCrowdedData();
    swath = await startSwath({
      dataDir,
      env: {
        SWATH_LOG: 'warn',
        SWATH_STATISTICS_PER_MINUTE: '0',
        SWATH_WRITES_PER_MINUTE: '0',
        SWATH_WORK_PER_MINUTE: '0',
      },
      probe: new URL('./probe.ts', import.meta.url),
    });
    await waitUntilReady(swath.url);
    stored = await fill();
  },
  { timeout: LONGEST_MS },
);
after(async () => {
  await swath?.stop();
  if (swath !== undefined) rmSync(swath.dataDir, { recursive: true, force: true });
});

async function ask(question: ProbeQuestion): Promise<ProbeAnswer> {
  const answered = once(swath.process, 'message');
  swath.process.send(question);
  return (await answered)[0] as ProbeAnswer;
}

async function request({ method, path, body, accept = '*/*', status = 200, mayTakeLonger = false }: Asked) {
  const response = await fetch(swath.url + path, {
    method,
    headers: { 'x-api-key': SERVICE_KEY, accept, 'accept-encoding': 'identity' },
    body: body ?? null,
    redirect: 'manual',
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const head = new TextDecoder().decode(bytes.subarray(0, 300));
  const isLater = mayTakeLonger && response.status === 202;
  assert.equal(isLater ? status : response.status, status, `${method} ${path.slice(0, 200)}: ${head}`);
  return { response, bytes, json: () => JSON.parse(new TextDecoder().decode(bytes)) };
}

const post = (path: string, body: string, status = 200) => request({ method: 'POST', path, body, status });
const get = (path: string, status = 200) => request({ method: 'GET', path, status });

/** Stores what requests name: areas, colormaps, recipes, subscriptions, tasks. */
async function fill(): Promise<Stored> {
  const store = async (area: object): Promise<string> =>
    (await post('/api/render/cropper', JSON.stringify(area))).json().cropper_ref;
  const areaRefs: string[] = [];
  for (let i = 0; i < 12; i++) areaRefs.push(await store(largestPolygon(i)));
  const fieldRef = await store(largestPolygon(0, 0.002));
  const colormapIds: string[] = [];
  for (let i = 0; i < 8; i++) {
    const [ask] = LARGEST['POST /api/render/colormap']!;
    const { path, body } = ask!(1_000 + i, {} as Stored);
    colormapIds.push((await post(path, body!)).json().id);
  }
  const recipes: Stored['recipes'][number][] = [];
  for (let i = 0; i < 20; i++) {
    const body = JSON.stringify(largestRecipe(areaRefs[i % areaRefs.length], i));
    const { id, public: terms } = (await post('/api/recipes', body, 201)).json();
    recipes.push({ id, token: terms.token });
  }
  const fieldIds: string[] = [];
  for (let i = 0; i < 10; i++) {
    fieldIds.push((await post('/api/fields', JSON.stringify(largestField(i)), 201)).json().id);
  }
  const sharing = JSON.stringify({ group: 'largest', public: { rate_per_minute: 60_000 } });
  const shared = await request({ method: 'PATCH', path: '/api/fields/groups', body: sharing });
  const fieldsToken = shared.json().public.token;
  const subscriptionIds: string[] = [];
  for (let i = 0; i < 10; i++) {
    const body = JSON.stringify(largestSubscription(300 + i));
    subscriptionIds.push((await post('/api/subscriptions', body, 201)).json().id);
  }
  const known = {
    areaRefs,
    fieldRef,
    colormapIds,
    recipes,
    fieldIds,
    fieldsToken,
    subscriptionIds,
  } as unknown as Stored;
  const documentId = await measureStatistics(known);
  const fileIds: string[] = [];
  const [, byRef] = LARGEST['POST /api']!;
  for (let i = 0; i < 9; i++) {
    const { path, body } = byRef!(i, known);
    const id = (await post(path, body!, 202)).json().task_id as string;
    fileIds.push(id);
  }
  for (const id of fileIds) await waitFor(async () => (await isOver(`/api/${id}`)) === 303);
  const done = await request({ method: 'GET', path: `/api/${fileIds.at(-1)}`, status: 303 });
  const resultPath = toPath(done.response.headers.get('location') ?? '');
  const hits = await post('/api/lms/search/v2/sentinel2l2a', '{"limit": 1}');
  const items = await get('/stac/search?limit=1');
  const [item] = items.json().features;
  const page = new TextDecoder().decode((await get('/')).bytes);
  return {
    ...known,
    documentId,
    fileIds,
    resultPath,
    thumbnailPath: toPath(hits.json().results[0].thumbnail),
    filePath: toPath(item.assets.B04.href),
    tilejsonPath: toPath(item.links.find(({ rel }: { rel: string }) => rel === 'tilejson').href),
    assetPath: `/${/assets\/[\w.-]+\.js/.exec(page)?.[0]}`,
  };
}

const toPath = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

async function isOver(path: string): Promise<number> {
  const response = await fetch(swath.url + path, {
    headers: { 'x-api-key': SERVICE_KEY },
    redirect: 'manual',
  });
  await response.arrayBuffer();
  return response.status;
}

/** Has the statistics measured that are asked for later: what is measured is cached. */
async function measureStatistics(known: Stored): Promise<string> {
  const { path, body } = LARGEST['POST /api/statistics']![0]!(0, known);
  for (let i = 0; i < 300; i++) {
    const response = await fetch(swath.url + path, {
      method: 'POST',
      headers: { 'x-api-key': SERVICE_KEY },
      body: body!,
    });
    const answer = (await response.json()) as { task_id: string };
    if (response.status === 200) return answer.task_id;
    assert.equal(response.status, 202, JSON.stringify(answer));
    await waitFor(
      async () => {
        const { status, error } = (await get(`/api/gdw/api/${answer.task_id}`)).json();
        assert.notEqual(status, 'failed', JSON.stringify(error));
        return status === 'finished';
      },
      undefined,
      500,
    );
  }
  return assert.fail('the statistics were not measured');
}

/** Deletes the task of an answer: its threads would work for minutes beside the requests that are measured after it. */
async function deleteTask({ task_id: id }: { readonly task_id: string }): Promise<void> {
  await request({ method: 'DELETE', path: `/api/${id}`, status: 204 });
}

interface Measured {
  readonly route: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly longestMs: number;
  readonly totalMs: number;
  /** How much longer the fixed work takes here than on the machine of the scale; never less than 1. */
  readonly slowness: number;
}

async function measure(route: string, limitMs: number, make: (i: number) => Asked): Promise<Measured> {
  let best: Measured | null = null;
  for (let i = 0; i < MAX_REPETITIONS; i++) {
    if (best !== null && isWithin(best, limitMs)) break;
    const asked = make(i);
    const before = await ask('calibrate');
    await ask('watch');
    const answer = await request(asked);
    const { longestMs, totalMs } = await ask('end');
    if (answer.response.status === 202) await deleteTask(answer.json());
    const after = await ask('calibrate');
    const slowness = Math.max(1, Math.min(before.longestMs, after.longestMs) / SCALE_MS);
    if (best !== null && best.longestMs / best.slowness <= longestMs / slowness) continue;
    const bytesIn = asked.path.length + (asked.body?.length ?? 0);
    best = { route, bytesIn, bytesOut: answer.bytes.length, longestMs, totalMs, slowness };
  }
  return best!;
}

test('no request holds the main thread for more than 10 ms at a time', { timeout: LONGEST_MS }, async (t) => {
  const rows: Measured[] = [];
  for (const [route, variants] of Object.entries(LARGEST)) {
    const method = route.slice(0, route.indexOf(' '));
    for (const [k, make] of variants.entries()) {
      const name = variants.length === 1 ? route : `${route} (${k + 1})`;
      await t.test(name, async () => {
        const limitMs = LIMIT_MS + CLOCK_STEP_MS;
        const row = await measure(name, limitMs, (i) => ({ method, ...make(i, stored) }));
        rows.push(row);
        assert.ok(isWithin(row, limitMs), toLine(row));
      });
    }
  }
  t.diagnostic('| Route | Bytes in | Bytes out | Longest block, ms | CPU, ms |');
  t.diagnostic('|---|---|---|---|---|');
  for (const row of rows.toSorted((a, b) => b.longestMs / b.slowness - a.longestMs / a.slowness))
    t.diagnostic(toLine(row));
});

const isWithin = ({ longestMs, slowness }: Measured, limitMs: number): boolean =>
  longestMs <= limitMs * slowness;

/** A row of the table; times are those of the machine of the scale. */
const toLine = ({ route, bytesIn, bytesOut, longestMs, totalMs, slowness }: Measured): string =>
  `| ${route} | ${bytesIn} | ${bytesOut} | ${(longestMs / slowness).toFixed(1)} | ${(totalMs / slowness).toFixed(1)} |`;
