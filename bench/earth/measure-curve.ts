import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../test/clients/run-program.ts';
import { askStatistics } from '../../test/support/ask-statistics.ts';
import { hasPython, installPython } from '../../test/support/python-packages.ts';
import { GDAL } from '../cold/peers.ts';
import { demand, printRow } from '../exports/report.ts';
import type { FarCatalog } from './catalog.ts';
import { listDays, startFarCatalog, toSquare } from './catalog.ts';
import { PYTHON_PACKAGES } from './packages.ts';
import { startEarthService } from './service.ts';

const SCENES = 100;
/** A square kilometre within one block of the files, as most fields lie. */
const FIELD = toSquare(14_300, 4_200, 1_000);
/** How often the result is asked for: a tighter loop would take a tenth of the processors from what is measured. */
const POLL_MS = 50;
const [FROM, TO] = ['2024-01-01', '2025-12-31'];

/** NDVI of the field by day, and the seconds that it took, on the clock and of a processor. */
interface Curve {
  readonly seconds: number;
  readonly cpuS: number;
  readonly means: ReadonlyMap<string, number>;
}

/** Measures a field in the scenes of two years, with Swath that has never seen them, and with a Python program. */
export async function measureCurve(bands: string, delayMs: number): Promise<void> {
  await using catalog = await startFarCatalog(bands, listDays(SCENES, 7), delayMs);
  await warmUp(catalog);
  const first = await measureSwath(catalog);
  printRow(`${SCENES} scenes × 1 km², ${delayMs} ms, Swath`, ...toCells(first));
  if (!hasPython()) {
    console.log('Python is not installed here: nothing to compare with.');
    return;
  }
  const bin = await installPython('swath-bench-earth', PYTHON_PACKAGES, console.log);
  const peers = [
    { reader: 'rasterio', threads: 1 },
    { reader: 'rio-tiler', threads: 1 },
    { reader: 'rasterio', threads: 8 },
  ] as const;
  const measured: Curve[] = [];
  for (const peer of peers) {
    Object.assign(catalog.files.counts, { requests: 0, bytes: 0 });
    const seconds = await measurePython(catalog, bin, peer);
    measured.push(seconds);
    const many = peer.threads === 1 ? '' : `, ${peer.threads} threads`;
    printRow(
      `  pystac-client and ${peer.reader}${many}`,
      ...toCells({ ...seconds, ...catalog.files.counts }),
    );
  }
  // Before and after the others: a machine that was busier in between would favour one side.
  Object.assign(catalog.files.counts, { requests: 0, bytes: 0 });
  const last = await measureSwath(catalog);
  printRow(`${SCENES} scenes × 1 km², ${delayMs} ms, Swath again in a fresh process`, ...toCells(last));
  const own = (first.seconds + last.seconds) / 2;
  const loop = Math.min(...measured.slice(0, 2).map(({ seconds }) => seconds));
  printRow('  the faster loop over Swath', `${(loop / own).toFixed(1)} ×`);
  // The one figure that does not depend on what else the machine does.
  const cpu = Math.min(...measured.map(({ cpuS }) => cpuS));
  printRow("  CPU of the thriftiest over Swath's", `${((2 * cpu) / (first.cpuS + last.cpuS)).toFixed(1)} ×`);
  printRow('  threads over Swath', `${((measured[2]?.seconds ?? 0) / own).toFixed(1)} ×`);
  const apart = Math.max(...measured.map(({ means }) => compare(first.means, means)));
  printRow('  largest difference of a mean', apart.toExponential(1));
  demand('at most 15 s', own <= 15);
  demand('at least 5 times faster than the loop', loop / own >= 5);
  demand('the same means, within 0.001', apart <= 0.001);
}

/** Whoever is measured first would otherwise wait for the servers' own start. */
async function warmUp({ stac, files }: FarCatalog): Promise<void> {
  const search = JSON.stringify({ collections: ['sentinel-2-l2a'], limit: SCENES });
  const headers = { 'content-type': 'application/json' };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await (await fetch(`${stac.url}/search`, { method: 'POST', headers, body: search })).arrayBuffer();
    const ranges = Array.from({ length: 3 }, (_, i) => `bytes=${i * 2 ** 20}-${(i + 1) * 2 ** 20 - 1}`);
    const asked = ranges.map((range) =>
      fetch(`http://127.0.0.1:${files.port}/B04.tif`, { headers: { range } }),
    );
    for (const answer of await Promise.all(asked)) await answer.arrayBuffer();
  }
  Object.assign(files.counts, { requests: 0, bytes: 0 });
}
const WARM_UP_ROUNDS = 5;

const toCells = ({
  seconds,
  cpuS,
  requests,
  bytes,
}: Curve & { readonly requests: number; readonly bytes: number }) => [
  `${seconds.toFixed(1)} s`,
  `${cpuS.toFixed(1)} s CPU`,
  `${requests} req.`,
  `${(bytes / 1e6).toFixed(0)} MB`,
];

/** The largest difference; infinite if a day is missing. */
function compare(ours: Curve['means'], theirs: Curve['means']): number {
  const days = new Set([...ours.keys(), ...theirs.keys()]);
  return Math.max(
    ...[...days].map((day) => Math.abs((ours.get(day) ?? Number.NaN) - (theirs.get(day) ?? Number.NaN))),
  );
}

async function measureSwath(catalog: FarCatalog) {
  await using service = await startEarthService(catalog);
  const [startedAt, cpuBeforeS] = [performance.now(), service.readCpuS()];
  const order = {
    geometry: FIELD,
    bm_type: 'NDVI',
    sensors: ['sentinel2l2a'],
    date_start: FROM,
    date_end: TO,
    limit: SCENES,
    exclude_cover_pixels: true,
  };
  const { result } = await askStatistics(service.url, '/api', order, POLL_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuS = service.readCpuS() - cpuBeforeS;
  const means = new Map(result.map(({ date, average }) => [String(date).slice(0, 10), Number(average)]));
  if (means.size !== SCENES) throw new Error(`${means.size} scenes were measured`);
  return { seconds, cpuS, means, ...catalog.files.counts };
}

async function measurePython(
  { stac }: FarCatalog,
  bin: string,
  peer: { readonly reader: string; readonly threads: number },
): Promise<Curve> {
  const script = fileURLToPath(new URL('field_curve.py', import.meta.url));
  const asked = { field: FIELD, datetime: `${FROM}T00:00:00Z/${TO}T23:59:59Z`, ...peer };
  const printed = await run(join(bin, 'python'), ['-W', 'ignore', script, stac.url, JSON.stringify(asked)], {
    env: { ...GDAL, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const { seconds, cpu, means } = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as {
    readonly seconds: number;
    readonly cpu: number;
    readonly means: Readonly<Record<string, number>>;
  };
  const byDay = Object.entries(means).map(([id, mean]) => {
    const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})_/.exec(id) ?? [];
    return [`${year}-${month}-${day}`, mean] as const;
  });
  return { seconds, cpuS: cpu, means: new Map(byDay) };
}
