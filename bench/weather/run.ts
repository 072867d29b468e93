/**
 * Reads and ingest of weather: the daily history of a field, and a month of hours of a continent (400 × 300 cells, eight
 * variables): `npm run bench -- weather`.
 *
 * `--days 5` ingests fewer days, `--days 0` none. Prints the rate and the largest memory of the process that ingests, and
 * fails when it takes more than a gigabyte, or when reads take longer than they may. Needs Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GRID, makeMonth } from './make-month.ts';
import { measureReads } from './measure-reads.ts';

const { values } = parseArgs({ options: { days: { type: 'string', default: '31' } } });
const MAX_MB = 1024;
/** Of the history of a field that was not read before. */
const [MAX_YEAR_MS, MAX_TEN_YEARS_MS] = [10, 60];
const POLL_MS = 50;

const work = mkdtempSync(join(tmpdir(), 'swath-bench-weather-'));
const [files, dataDir] = [join(work, 'files'), join(work, 'data')];

/** Bytes of all files below a folder. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** The largest memory that a process has had, in MB. */
function readPeakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs an ingest of the files; gives its seconds and its largest memory. */
async function ingest(): Promise<{ readonly seconds: number; readonly peakMb: number }> {
  const start = performance.now();
  const words = ['bin/swath.js', 'ingest', 'weather', files, '--name', 'era5', '--kind', 'history'];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, SWATH_DATA: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(child.pid!));
  }, POLL_MS);
  const [status] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (status !== 0) throw new Error(`the ingest ended with ${status}`);
  return { seconds: (performance.now() - start) / 1000, peakMb };
}

async function benchReads(): Promise<void> {
  const { year, tenYears } = await measureReads(join(work, 'reads'));
  for (const [name, { fresh, again }] of Object.entries({ 'a year': year, 'ten years': tenYears }))
    console.log(`${`days of ${name}`.padEnd(18)}${fresh.toFixed(1)} ms, again ${again.toFixed(1)} ms`);
  if (year.fresh > MAX_YEAR_MS || tenYears.fresh > MAX_TEN_YEARS_MS)
    throw new Error(`a year may take ${MAX_YEAR_MS} ms, ten years ${MAX_TEN_YEARS_MS} ms`);
}

async function benchIngest(): Promise<void> {
  mkdirSync(files);
  const fields = await makeMonth(files, Number(values.days));
  const { width, height } = GRID;
  const { seconds, peakMb } = await ingest();
  const again = await ingest();
  const million = (fields * width * height) / 1e6;
  console.log(
    `fields            ${fields} of ${width} × ${height} cells, ${Math.round(sizeOf(files) / 2 ** 20)} MB`,
  );
  console.log(
    `ingest            ${seconds.toFixed(1)} s, ${(million / seconds).toFixed(1)} million values a second`,
  );
  console.log(`largest memory    ${Math.round(peakMb)} MB`);
  console.log(`data cube         ${Math.round(sizeOf(join(dataDir, 'cubes')) / 2 ** 20)} MB`);
  console.log(`the same again    ${again.seconds.toFixed(1)} s`);
  if (peakMb > MAX_MB)
    throw new Error(`the ingest took ${Math.round(peakMb)} MB; at most ${MAX_MB} are wanted`);
}

try {
  await benchReads();
  if (values.days !== '0') await benchIngest();
} finally {
  rmSync(work, { recursive: true, force: true });
}
