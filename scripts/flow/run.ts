/**
 * Shows the path of a request: `npm run flow -- tile` starts the service with a small world, sends one tile request and
 * lists the source files whose code ran for it, in the order of their first call.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findDemoField } from '../../test/support/demo-field.ts';
import { makeSeasonData } from '../../test/support/season-data.ts';
import type { RunningSwath } from '../../test/support/start-swath.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import type { FlowCalls, FlowMessage } from './flow-questions.ts';
import { REPEATS } from './flow-questions.ts';

/** Sends one request of a kind; the number makes it a new one, which no cache answers. */
type Send = (swath: RunningSwath, n: number) => Promise<void>;

/** Timers that look for work run every few seconds. */
const MIN_REST_MS = 20_000;

const VIEW = 'S2L2A/10/U/EU/2026/6/21/1';
const POINT = { type: 'Point', coordinates: [-122.4025, 48.2216] };

async function ask(swath: RunningSwath, path: string, body?: object): Promise<Response> {
  const send = () =>
    fetch(swath.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': SERVICE_KEY },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
    });
  // While the service rests it closes the connection, which `fetch` may notice too late.
  const response = await send().catch(send);
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Polls a task until it is finished. */
async function whenFinished(swath: RunningSwath, answer: Response): Promise<void> {
  const { task_id } = (await answer.json()) as { task_id: string };
  for (;;) {
    const poll = await ask(swath, `/api/${task_id}`);
    if (poll.status === 303) return;
    const { status } = (await poll.json()) as { status?: string };
    if (status === 'failed') throw new Error(`the task ${task_id} has failed`);
    await sleep(300);
  }
}

const field = await findDemoField();
const geometry = { type: 'Polygon', coordinates: [field.ring] };
/** The field, moved north by `n` times about a metre: another place, as another tile is. */
const moveField = (n: number) => ({
  type: 'Polygon',
  coordinates: [field.ring.map(([lon, lat]) => [lon, lat + n * 1e-5])],
});

const REQUESTS: Readonly<Record<string, Send>> = {
  async tile(swath, n) {
    await (
      await ask(swath, `/api/render/${VIEW}/B04,B03,B02/16/${10484 + (n % 5)}/${22720 + Math.floor(n / 5)}`)
    ).arrayBuffer();
  },
  async statistics(swath, n) {
    await (
      await ask(swath, '/api/statistics', {
        geometry: moveField(n),
        expressions: ['NDVI'],
        sensors: ['sentinel2l2a'],
        date_start: '2026-06-01',
        date_end: '2026-06-30',
      })
    ).arrayBuffer();
  },
  async weather(swath, n) {
    const body = {
      geometry: POINT,
      start_date: `2026-05-${String(n + 1).padStart(2, '0')}`,
      end_date: '2026-05-20',
    };
    await (await ask(swath, '/api/cz/backend/forecast-history', body)).arrayBuffer();
  },
  async search(swath, n) {
    await (await ask(swath, '/api/lms/search/v2/sentinel2l2a', { limit: 10 + n })).arrayBuffer();
  },
  async task(swath, n) {
    const params = { view_id: VIEW, bm_type: `NDVI*${n + 1}`, geometry };
    await whenFinished(swath, await ask(swath, '/api', { type: 'bandmath', params }));
  },
};

const HELP = `npm run flow -- ${Object.keys(REQUESTS).join('|')}

Starts the service, sends one request of this kind and lists the source files whose code ran for it, in the order of
their first call.

  --count       print the number of files only
  --functions   print the functions of each file that ran, too
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'boolean' }, functions: { type: 'boolean' }, help: { type: 'boolean' } },
});
const kinds = positionals.length === 0 ? Object.keys(REQUESTS) : positionals;
const unknown = kinds.filter((kind) => !(kind in REQUESTS));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown: ${unknown.join(', ')}`);
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

const dataDir = await makeSeasonData();
try {
  for (const kind of kinds) await showFlow(kind, REQUESTS[kind] as Send);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function showFlow(kind: string, send: Send): Promise<void> {
  // One thread: with more, each would have run a part of the code.
  await using swath = await startSwath({
    dataDir,
    env: {
      SWATH_LOG: 'warn',
      SWATH_THREADS: '1',
      SWATH_STATISTICS_PER_MINUTE: '0',
      SWATH_WORK_PER_MINUTE: '0',
    },
    probe: new URL('./probe.ts', import.meta.url),
  });
  const tell = async (message: FlowMessage): Promise<readonly FlowCalls[]> => {
    const answered = once(swath.process, 'message');
    swath.process.send(message);
    return (await answered)[0] as readonly FlowCalls[];
  };
  await waitUntilReady(swath.url);
  /** Sends as many as are counted, and says how long they took. */
  const sendAll = async (from: number): Promise<number> => {
    const startMs = performance.now();
    for (let i = 0; i < REPEATS; i += 1) await send(swath, from + i);
    return performance.now() - startMs;
  };
  // The first of a kind loads code and opens files. The service then rests for longer than it answers, so that what timers
  // call is known: their share grows with the time between two counts, in which the threads also answer our questions.
  await send(swath, 0);
  const restMs = Math.max(MIN_REST_MS, await sendAll(1));
  const forgottenAt = performance.now();
  await tell({ question: 'forget' });
  await sleep(restMs);
  const restedAt = performance.now();
  await tell({ question: 'rest' });
  await sendAll(1 + REPEATS);
  const answeredAt = performance.now();
  const timesRest = (answeredAt - restedAt) / (restedAt - forgottenAt);
  await tell({ question: 'order', timesRest });
  const sentMs = performance.timeOrigin + performance.now();
  await send(swath, 1 + 2 * REPEATS);
  const calls = (await tell({ question: 'report' }))
    // Calls from before the request are those of timers.
    .map(({ file, functions, atMs }) => ({
      file: relative('.', file),
      functions,
      atMs: atMs.find((ms) => ms >= sentMs) ?? Number.POSITIVE_INFINITY,
    }))
    .filter(({ atMs }) => Number.isFinite(atMs))
    .toSorted((a, b) => a.atMs - b.atMs);
  const functionsOf = (file: string) => [
    ...new Set(calls.filter((call) => call.file === file).flatMap(({ functions }) => functions)),
  ];
  const files = [...new Set(calls.map(({ file }) => file))];
  // The demo world and its weather stand for what a real service reads from files or other servers: data, made when it is
  // needed.
  const ofService = files.filter((file) => !/^(?:world|src\/demo)\//.test(file));
  const others = files.length - ofService.length;
  console.log(
    `${kind}: ${ofService.length} files${others === 0 ? '' : `, and ${others} of the demo world, which makes the data`}`,
  );
  if (!values.count)
    for (const [i, file] of ofService.entries()) {
      console.log(`${String(i + 1).padStart(4)}  ${file}`);
      if (values.functions) console.log(`      ${functionsOf(file).join(' ')}`);
    }
}
