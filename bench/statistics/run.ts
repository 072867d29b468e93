/**
 * Statistics of areas: cost compared with TiTiler, a year of a field, a thousand fields: `npm run bench -- statistics`.
 *
 * `--scenes <folder>` takes the scenes from there, and makes them there first (gigabytes); by default in a folder for this
 * run. `--titiler http://127.0.0.1:8000 --titiler-pid <pid>` compares with a TiTiler on this machine (CPU of its whole
 * process tree); both sides get the same areas of a region of 40 km, no two of them equal, so that no answer comes from a cache. Fails when a
 * demand is not met. Needs Linux.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { makeProjection } from '../../src/proj/index.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { SIDE_M } from '../exports/make-scene.ts';
import { demand, printRow } from '../exports/report.ts';
import { measureSpent, median, readCpuS, readTreeCpuS } from '../exports/spent.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';
import { makeSeries, writeItem } from './make-series.ts';

const { values } = parseArgs({
  options: {
    scenes: { type: 'string' },
    titiler: { type: 'string' },
    'titiler-pid': { type: 'string' },
    only: { type: 'string' },
    fields: { type: 'string', default: '1000' },
  },
});
const wanted = values.only?.split(',') ?? null;
const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);

const SCENES = 100;
const work = mkdtempSync(join(tmpdir(), 'swath-bench-'));
const agent = new Agent({ connections: 64, bodyTimeout: 0, headersTimeout: 0 });
const toLonLat = makeProjection(EPSG, 4326).forward;

/** Areas lie in a part of the scene, as the fields of a farm do: after some of them its blocks are in caches. */
const REGION_M = 40_000;

/** A square of the region, by its number: no two are equal. */
function toArea(serial: number, sideM: number) {
  const room = Math.min(REGION_M, SIDE_M - 2_000) - sideM;
  // Steps that share no factor with the side visit all of it.
  const x = TRANSFORM[0] + 1_000 + ((serial * 7_919) % room);
  const y = TRANSFORM[3] - 1_000 - ((serial * 104_729) % room);
  const corners = [
    [x, y],
    [x, y - sideM],
    [x + sideM, y - sideM],
    [x + sideM, y],
    [x, y],
  ].map(([east, north]) => toLonLat(east as number, north as number));
  return { type: 'Polygon', coordinates: [corners] };
}

/** Sends a body; gives the answer. */
async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  const { location } = answer.headers;
  if (answer.statusCode === 202 && location !== undefined) return poll(new URL(String(location), url));
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** On a busy machine an answer may come later than a request waits for it. */
async function poll(url: URL): Promise<Record<string, unknown>> {
  for (;;) {
    const answer = await request(url, { dispatcher: agent, headers: { 'x-api-key': SERVICE_KEY } });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${text.slice(0, 300)}`);
    const { status, result } = JSON.parse(text) as { status: string; result?: string };
    if (status === 'finished' && result !== undefined)
      return (await (await request(result, { dispatcher: agent })).body.json()) as Record<string, unknown>;
    await setTimeout(1_000);
  }
}

interface Asked {
  readonly serial: number;
  readonly sideM: number;
  readonly scenes: number;
}

/** Measures NDVI of a square in the newest scenes; gives how many there were. */
async function ask(url: string, { serial, sideM, scenes }: Asked): Promise<number> {
  const { results } = await post(`${url}/api/statistics`, {
    geometry: toArea(serial, sideM),
    expressions: ['NDVI'],
    sensors: ['sentinel2l2a'],
    date_start: '2000-01-01',
    date_end: '2030-01-01',
    limit: scenes,
    exclude_cover_pixels: false,
  });
  return (results as unknown[]).length;
}

interface Swath {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** Starts a service that knows all scenes of the series. */
async function start(dataDir: string): Promise<Swath> {
  const swath = await startSwath({ dataDir, env: settings });
  await waitUntilReady(swath.url);
  return { url: swath.url, pid: swath.process.pid as number, stop: () => swath.stop() };
}

const folder = resolve(values.scenes ?? work);
const series = await makeSeries(folder, SCENES);
const settings = {
  SWATH_SOURCES: folder,
  SWATH_LOG: 'warn',
  SWATH_TASKS_PER_KEY: '0',
  SWATH_WRITES_PER_MINUTE: '0',
  SWATH_STATISTICS_KM2: '1000',
};

/** Cost of one scene, compared with TiTiler where there is one. */
async function compareCost(swath: Swath, name: string, sideM: number, ratio: number): Promise<void> {
  const counts = sideM > 10_000 ? { rounds: 3, areas: 4, clients: 2 } : { rounds: 3, areas: 80, clients: 8 };
  const item = join(work, 'item.json');
  writeItem(series, item);
  const expression = encodeURIComponent('(b1-b2)/(b1+b2)');
  const path = `/stac/statistics?url=${item}&assets=B08&assets=B04&expression=${expression}&max_size=4096`;
  const [own, theirs]: [number[], number[]] = [[], []];
  let serial = sideM;
  for (let round = 0; round <= counts.rounds; round += 1) {
    const areas = Array.from({ length: counts.areas }, () => serial++);
    const run = (send: (serial: number) => Promise<unknown>) => async () => {
      const left = areas.values();
      const client = async (): Promise<void> => {
        for (const one of left) await send(one);
      };
      await Promise.all(Array.from({ length: counts.clients }, client));
    };
    const mine = await measureSpent(
      () => readCpuS(swath.pid),
      run((one) => ask(swath.url, { serial: one, sideM, scenes: 1 })),
    );
    // The first round compiles code and fills caches.
    if (round > 0) own.push((1000 * mine.spent.cpuS) / counts.areas);
    if (values.titiler === undefined) continue;
    const peer = await measureSpent(
      () => readTreeCpuS(Number(values['titiler-pid'])),
      run((one) =>
        post(`${values.titiler}${path}`, { type: 'Feature', properties: {}, geometry: toArea(one, sideM) }),
      ),
    );
    if (round > 0) theirs.push((1000 * peer.spent.cpuS) / counts.areas);
  }
  printRow(`NDVI of ${name}, one scene: Swath, CPU`, `${median(own).toFixed(1)} ms`);
  if (theirs.length === 0) return;
  const factor = median(theirs) / median(own);
  printRow(`NDVI of ${name}, one scene: TiTiler, CPU`, `${median(theirs).toFixed(1)} ms`);
  printRow('  ratio', `${factor.toFixed(1)} ×`);
  demand(`at least ${ratio} times cheaper`, factor >= ratio);
}

/** A field of a square kilometre in all scenes. */
async function measureSeries(dataDir: string): Promise<void> {
  const timed = async (swath: Swath, serial: number): Promise<number> => {
    const startMs = performance.now();
    const scenes = await ask(swath.url, { serial, sideM: 1_000, scenes: SCENES });
    if (scenes !== SCENES) throw new Error(`${scenes} scenes were measured`);
    return performance.now() - startMs;
  };
  let swath = await start(dataDir);
  await ask(swath.url, { serial: 9, sideM: 100, scenes: 1 });
  const cold = await timed(swath, 1);
  // Other fields in the same blocks.
  const warm: number[] = [];
  for (let i = 0; i < 5; i += 1) warm.push(await timedNear(swath, i));
  const again: number[] = [];
  for (let i = 0; i < 9; i += 1) again.push(await timed(swath, 1));
  await swath.stop();
  swath = await start(dataDir);
  await ask(swath.url, { serial: 9, sideM: 100, scenes: 1 });
  const restarted = await timed(swath, 1);
  await swath.stop();
  printRow('100 scenes × 1 km², fresh process', `${cold.toFixed(0)} ms`);
  demand('at most 4 s', cold <= 4_000);
  printRow('100 scenes × 1 km², blocks in the cache', `${median(warm).toFixed(0)} ms`);
  demand('at most 1 s', median(warm) <= 1_000);
  printRow('the same again', `${median(again).toFixed(0)} ms`);
  demand('at most 50 ms', median(again) <= 50);
  printRow('the same again after a restart', `${restarted.toFixed(0)} ms`);
}

/** The field of serial 1, a little larger each time. */
async function timedNear(swath: Swath, step: number): Promise<number> {
  const startMs = performance.now();
  await ask(swath.url, { serial: 1, sideM: 1_001 + step, scenes: SCENES });
  return performance.now() - startMs;
}

/** Fields that are asked for at the same time. */
const CLIENTS = 8;

/** Many fields in twenty scenes each. */
async function measureFields(dataDir: string, count: number): Promise<void> {
  const swath = await start(dataDir);
  await ask(swath.url, { serial: 9, sideM: 100, scenes: 1 });
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      // Fields of a region of 30 km, of 10 to 50 hectares.
      next += 1;
      await ask(swath.url, { serial: 500_000 + next, sideM: 300 + (next % 40) * 10, scenes: 20 });
    }
  };
  const { spent } = await measureSpent(
    () => readCpuS(swath.pid),
    () => Promise.all(Array.from({ length: CLIENTS }, client)),
  );
  await swath.stop();
  printRow(
    `${count} fields × 20 scenes`,
    `${spent.wallS.toFixed(1)} s`,
    `${((1000 * spent.cpuS) / count / 20).toFixed(2)} ms`,
    `${Math.round(100 * spent.others)} %`,
  );
  demand('1,000 fields in a minute', (spent.wallS * 1000) / count <= 60);
}

try {
  const dataDir = join(work, 'data');
  const ingested = await runSwath(['ingest', 'folder', series], { ...settings, SWATH_DATA: dataDir });
  if (ingested.status !== 0) throw new Error(`not ingested: ${ingested.stdout}${ingested.stderr}`);
  if (isWanted('cost')) {
    const swath = await start(dataDir);
    await compareCost(swath, '5 km', 5_000, 15);
    await compareCost(swath, '30 km', 30_000, 20);
    await swath.stop();
  }
  if (isWanted('series')) await measureSeries(dataDir);
  if (isWanted('fields')) await measureFields(dataDir, Number(values.fields));
} finally {
  await agent.close();
  rmSync(work, { recursive: true, force: true });
}
