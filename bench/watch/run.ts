/**
 * Watched fields: `npm run bench -- watch`.
 *
 * Makes a tile of 10,980 × 10,980 pixels in the shape of Sentinel-2, with a classification, and fields of 10 ha in it. A
 * service has one subscription to every value of NDVI in all of them; then a scene is ingested, and the time until its
 * events are in the feed is measured, with the up to 30 seconds until it is looked for. Then
 * pages of 1,000 fields that have four last values each. `--fields 50000`, `--size 10980` in pixels; `--data FOLDER` keeps
 * the tile. Fails when a demand is not met. Needs Linux.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { createCog } from '../../src/formats/cog/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { makeBands, makeFields, toShape } from '../bulk/make-tile.ts';
import { demand, printRow } from '../exports/report.ts';
import { measureSpent, median, readCpuS } from '../exports/spent.ts';
import { linkScenes } from '../statistics/linked-scenes.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    fields: { type: 'string', default: '50000' },
    size: { type: 'string', default: '10980' },
  },
});
const [fieldCount, sizePx] = [Number(values.fields), Number(values.size)];
const PAGE = 1_000;
const PAGES = 40;
const work = mkdtempSync(join(tmpdir(), 'swath-bench-watch-'));
const tileFolder = values.data === undefined ? work : resolve(values.data);
const agent = new Agent({ connections: 4, bodyTimeout: 0, headersTimeout: 0 });
const headers = { 'x-api-key': SERVICE_KEY };

/** Writes a classification of 20 m: vegetation, with a cloud in each square of a hundred pixels. */
async function writeClasses(path: string): Promise<void> {
  const [width, rows] = [sizePx / 2, 512];
  const cog = await createCog(path, {
    width,
    height: width,
    bandCount: 1,
    type: 'uint8',
    epsg: EPSG,
    transform: [TRANSFORM[0], 20, 0, TRANSFORM[3], 0, -20],
    nodata: 0,
    compression: 'deflate',
    predictor: 1,
    overviews: 'none',
    isDurable: false,
  });
  for (let first = 0; first < width; first += rows) {
    const count = Math.min(rows, width - first);
    const classes = Uint8Array.from({ length: count * width }, (_, i) =>
      (first + Math.floor(i / width)) % 100 < 3 && (i % width) % 100 < 3 ? 9 : 4,
    );
    await cog.writeRows([classes], count);
  }
  await cog.finish();
}

/** Today, and every fifth day before: scenes of long ago are looked for less often. */
const dateOf = (serial: number): string =>
  new Date(Date.now() - serial * 5 * 86_400_000).toISOString().slice(0, 10);

/** Links scenes to the tile, and gives their folders, newest first. */
async function makeScenes(count: number): Promise<readonly string[]> {
  const bands = await makeBands(tileFolder, sizePx);
  const classes = join(tileFolder, `SCL-${sizePx}.tif`);
  if (!existsSync(classes)) await writeClasses(classes);
  const folder = join(work, 'series');
  return linkScenes(folder, { count, filesOf: () => ({ ...bands, SCL: classes }), cloudPercent: 1, dateOf });
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly type?: string;
}

async function call<Result>(url: string, { method = 'GET', body, type }: Call = {}): Promise<Result> {
  const answer = await request(url, {
    dispatcher: agent,
    method,
    headers: { ...headers, 'content-type': type ?? 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 400) throw new Error(`${url}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return (text === '' ? null : JSON.parse(text)) as Result;
}

async function ingest(folder: string): Promise<void> {
  const { status, stdout, stderr } = await runSwath(['ingest', 'folder', folder], {
    SWATH_DATA: join(work, 'data'),
    SWATH_SOURCES: work,
  });
  if (status !== 0) throw new Error(`not ingested: ${stdout}${stderr}`);
}

/** Subscribes, and waits until what is there was evaluated. */
async function subscribe(url: string, more: object): Promise<string> {
  const { id } = await call<{ id: string }>(`${url}/api/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ name: 'All', since: '2026-01-01', ...more }),
  });
  await waitFor(
    async () =>
      (await call<{ checked_at: string | null }>(`${url}/api/subscriptions/${id}`)).checked_at !== null,
  );
  return id;
}

try {
  const [newest = '', older = ''] = await makeScenes(2);
  await ingest(older);
  const env = { SWATH_SOURCES: work, SWATH_LOG: 'warn', SWATH_WRITES_PER_MINUTE: '0' };
  await using swath = await startSwath({ dataDir: join(work, 'data'), env });
  const { url } = swath;
  const pid = swath.process.pid as number;
  await waitUntilReady(url);

  const lines = makeFields(fieldCount, sizePx).map((field) => {
    const { id, geometry } = toShape(field);
    return JSON.stringify({ type: 'Feature', id, properties: { name: id }, geometry });
  });
  await call(`${url}/api/fields/import`, {
    method: 'POST',
    type: 'application/geo+json-seq',
    body: lines.join('\n'),
  });
  const isThere = async (): Promise<boolean> =>
    (
      await call<{ fields: readonly object[] }>(
        `${url}/api/fields?limit=1&text=${encodeURIComponent(`field-${fieldCount - 1}`)}`,
      )
    ).fields.length > 0;
  await waitFor(isThere);

  const id = await subscribe(url, { expression: 'NDVI', since: dateOf(0) });
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${fieldCount} fields of 10 ha, a scene of ${sizePx} pixels`);
  printRow('', 'wall s', 'CPU s', 'others');
  await ingest(newest);
  const readFeed = () =>
    call<{ events: readonly object[] }>(`${url}/api/subscriptions/${id}/events?after=0&limit=1000`);
  const { spent } = await measureSpent(
    () => readCpuS(pid),
    () => waitFor(async () => (await readFeed()).events.length > 0, 3_600_000, 250),
  );
  const toShare = (share: number): string => `${Math.round(100 * share)} %`;
  printRow(
    'ingested until the events are in the feed',
    spent.wallS.toFixed(1),
    spent.cpuS.toFixed(1),
    toShare(spent.others),
  );
  demand('a new scene is evaluated in 60 s on two cores', Math.min(spent.wallS, 30 + spent.cpuS / 2) <= 60);

  await subscribe(url, { expressions: ['B04', 'B08', 'B08/B04'] });
  const list = async () => {
    const startMs = performance.now();
    const { fields } = await call<{ fields: readonly { last_values: readonly object[] }[] }>(
      `${url}/api/fields?limit=${PAGE}`,
    );
    const ms = performance.now() - startMs;
    if (fields.some(({ last_values: last }) => last.length !== 4))
      throw new Error('a field lacks a last value');
    return ms;
  };
  await waitFor(async () =>
    list().then(
      () => true,
      () => false,
    ),
  );
  for (let warmUp = 0; warmUp < 10; warmUp += 1) await list();
  const { result: times, spent: listing } = await measureSpent(
    () => readCpuS(pid),
    async () => {
      const all: number[] = [];
      for (let i = 0; i < PAGES; i += 1) all.push(await list());
      return all;
    },
  );
  printRow('', 'median ms', 'least ms', 'CPU ms', 'others');
  const cpuMs = (1e3 * listing.cpuS) / PAGES;
  const [middle, least] = [median(times), Math.min(...times)];
  printRow(
    `${PAGE} fields with four last values each`,
    ...[middle, least, cpuMs].map((ms) => ms.toFixed(1)),
    toShare(listing.others),
  );
  demand('1,000 fields with their last values in 50 ms', Math.min(middle, cpuMs) <= 50);
} finally {
  await agent.destroy();
  rmSync(work, { recursive: true, force: true });
}
