/**
 * Hillshade of a whole elevation model compared with gdaldem: `npm run bench -- terrain`.
 *
 * Both are programs that read the same compressed file, shade it and write an uncompressed GeoTIFF; Swath uses two
 * threads. They alternate, the first run of each is not counted, and of the others the medians count. Fails if the images
 * differ by more than one level. `--data <file>` takes another model; by default one of `--size` 7201 pixels is made.
 * Without gdaldem, only Swath is measured.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareImages } from './compare-images.ts';
import { writeDem } from './make-dem.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    size: { type: 'string', default: '7201' },
    rounds: { type: 'string', default: '3' },
  },
});

/** Seconds of one run. */
interface Spent {
  readonly wallS: number;
  readonly cpuS: number;
}

/** What bin/swath.js sets: a start takes half the time. */
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/swath', import.meta.url)),
};

/** Runs a program; the shell says what CPU time its children took. */
function run(command: readonly string[]): Spent {
  const start = performance.now();
  const times = execFileSync('sh', ['-c', '"$@" && times', 'sh', ...command], { encoding: 'utf8', env });
  const wallS = (performance.now() - start) / 1000;
  const [user, system] = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds)) as [number, number];
  return { wallS, cpuS: user + system };
}

/** The name of the peer with its version; null when it is not installed. */
function findPeer(): string | null {
  // Older ones print their version and fail, because they were given nothing to do.
  const { error, stdout } = spawnSync('gdaldem', ['--version'], { encoding: 'utf8' });
  return error === undefined ? `gdaldem ${/GDAL (\S+?),/.exec(stdout)?.[1] ?? ''}` : null;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;

const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
try {
  const dem = values.data === undefined ? join(folder, 'dem.tif') : resolve(values.data);
  if (values.data === undefined) await writeDem(dem, Number(values.size));
  const peer = findPeer();
  if (peer === null) console.log('gdaldem is not installed: there is nothing to compare with.');
  const program = fileURLToPath(new URL('./hillshade.ts', import.meta.url));
  const results = { swath: join(folder, 'swath.tif'), peer: join(folder, 'peer.tif') };
  const ways = {
    ...(peer === null ? {} : { [peer]: ['gdaldem', 'hillshade', '-q', dem, results.peer] }),
    'Swath, 2 threads': [process.execPath, program, dem, results.swath],
  };
  const runs = new Map<string, Spent[]>();
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, command] of Object.entries(ways)) {
      const spent = run(command);
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), spent]);
    }
  }

  console.log('Hillshade of a whole model'.padEnd(28), 'wall s'.padStart(8), 'CPU s'.padStart(8));
  const rows = [...runs].map(([name, spent]) => ({
    name,
    wallS: median(spent.map(({ wallS }) => wallS)),
    cpuS: median(spent.map(({ cpuS }) => cpuS)),
  }));
  for (const { name, wallS, cpuS } of rows)
    console.log(name.padEnd(28), wallS.toFixed(2).padStart(8), cpuS.toFixed(2).padStart(8));
  const [theirs, ours] = rows;
  if (theirs !== undefined && ours !== undefined) {
    const [wall, cpu] = [theirs.wallS / ours.wallS, theirs.cpuS / ours.cpuS];
    console.log('ratio'.padEnd(28), `${wall.toFixed(2)} ×`.padStart(8), `${cpu.toFixed(2)} ×`.padStart(8));
    const { max, share } = await compareImages(results.swath, results.peer);
    console.log(`${(100 * share).toFixed(2)} % of the pixels differ, by ${max} at most`);
    if (max > 1) throw new Error('the images differ by more than one level');
  }
} finally {
  rmSync(folder, { recursive: true });
}
