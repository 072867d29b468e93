/**
 * Reads JPEG 2000 files that GDAL made, and the real products next to the checkout if there are any, and compares
 * every level that GDAL offers with its own pixels, exactly. Run by hand:
 *
 *     npm run node -- test/oracle/jp2/check-jp2.ts            compare
 *     npm run node -- test/oracle/jp2/check-jp2.ts --golden   make the files under test/golden/jp2 again, then compare
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeJp2Decoder } from '../../../src/formats/jp2/index.ts';
import type { Jp2 } from '../../../src/formats/jp2/reader/jp2-reader.ts';
import { openJp2 } from '../../../src/formats/jp2/reader/jp2-reader.ts';
import { makeTileHabits } from '../../../src/formats/jp2/reader/read-tile-data.ts';
import { readJp2Tile } from '../../../src/formats/jp2/reader/tile-reader.ts';
import { readLevel } from '../../../src/formats/jp2/testing/read-level.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import type { Jp2Case } from './jp2-cases.ts';
import { goldenCases, oracleCases } from './jp2-cases.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const golden = here('../../golden/jp2/');
const products = here('../../../../shared/data');
const decoder = makeJp2Decoder();
/** Reads the packets of a level alone also where that saves few bytes: files here are small. */
const ANY_PART = { atOnce: 0, inTwo: 0 };

interface Facts {
  readonly driver: string;
  readonly type: string;
  readonly bandCount: number;
  readonly epsg: number | null;
  readonly transform: readonly number[] | null;
  readonly levels: readonly {
    readonly width: number;
    readonly height: number;
    readonly ms: number;
    readonly tileMs: number | null;
  }[];
}

/** A Python that has GDAL: the first on the path, or the system's own. */
function findPython(): string {
  const found = ['python3', '/usr/bin/python3'].find(
    (python) => spawnSync(python, ['-c', 'from osgeo import gdal; import numpy']).status === 0,
  );
  if (found !== undefined) return found;
  console.error(
    'No Python with GDAL and NumPy was found; on Debian: apt install python3-gdal python3-numpy.',
  );
  process.exit(2);
}

const python = findPython();

function runPython(script: string, args: readonly string[]): string {
  const run = spawnSync(python, [here(script), ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (run.status !== 0) {
    console.error(run.stderr || `${script} ended by ${run.signal ?? run.error}`);
    process.exit(1);
  }
  return run.stdout;
}

function makeFiles(cases: readonly Jp2Case[], folder: string): readonly string[] {
  const list = join(folder, 'cases.json');
  writeFileSync(list, JSON.stringify(cases));
  runPython('make_jp2.py', [list, folder]);
  rmSync(list);
  return cases.map(({ name }) => join(folder, name));
}

function readWithGdal(paths: readonly string[], folder: string): { gdal: string; files: readonly Facts[] } {
  writeFileSync(join(folder, 'paths.json'), JSON.stringify(paths));
  return JSON.parse(runPython('read_with_gdal.py', [folder, join(folder, 'paths.json')]));
}

const isClose = (ours: readonly number[] | null, theirs: readonly number[] | null): boolean =>
  ours === null || theirs === null
    ? ours === theirs
    : ours.every((value, i) => Math.abs(value - theirs[i]!) <= 1e-9 * Math.max(1, Math.abs(value)));

interface Verdict {
  readonly problems: readonly string[];
  readonly levels: number;
  readonly openMs: number;
  readonly ourMs: number;
  readonly gdalMs: number;
}

async function compare(path: string, facts: Facts, rawOf: (level: number) => string): Promise<Verdict> {
  const problems: string[] = [];
  const start = performance.now();
  const jp2 = await openJp2(makeMemorySource(readFileSync(path)));
  const openMs = performance.now() - start;
  const seen = { type: jp2.type, bandCount: jp2.bandCount, epsg: jp2.epsg };
  const stated = { type: facts.type, bandCount: facts.bandCount, epsg: facts.epsg };
  if (JSON.stringify(seen) !== JSON.stringify(stated)) {
    problems.push(`${JSON.stringify(seen)} and GDAL says ${JSON.stringify(stated)}`);
  }
  if (!isClose(jp2.transform, facts.transform)) problems.push(`${jp2.transform} is not ${facts.transform}`);
  let ourMs = 0;
  let gdalMs = 0;
  for (const [level, { width, height, ms }] of facts.levels.entries()) {
    const size = jp2.levels[level];
    if (size?.width !== width || size.height !== height) {
      problems.push(`level ${level} is ${size?.width} × ${size?.height} and not ${width} × ${height}`);
      continue;
    }
    const begin = performance.now();
    const bands = await readLevel(jp2, level, decoder, makeTileHabits(ANY_PART));
    ourMs += performance.now() - begin;
    gdalMs += ms;
    const ours = Buffer.concat(
      bands.map((band) => Buffer.from(band.buffer, band.byteOffset, band.byteLength)),
    );
    if (!ours.equals(readFileSync(rawOf(level)))) problems.push(`level ${level}: pixels differ`);
  }
  return { problems, levels: facts.levels.length, openMs, ourMs, gdalMs };
}

/** How long one tile of 1,024² takes at each level, processor time, the best of three, compared with GDAL's. */
async function timeTiles(path: string, facts: Facts): Promise<void> {
  const jp2: Jp2 = await openJp2(makeMemorySource(readFileSync(path)));
  const rows: Record<string, { ms: number; gdalMs: number }> = {};
  for (let level = 0; level < Math.min(4, jp2.resolutions); level++) {
    let ms = Infinity;
    for (let run = 0; run < 3; run++) {
      // processor time: the clock on the wall also counts what else the machine does
      const start = process.cpuUsage();
      await readJp2Tile(jp2, { level, column: 1, row: 1 }, { decoder });
      const { user, system } = process.cpuUsage(start);
      ms = Math.min(ms, (user + system) / 1000);
    }
    const gdalMs = Number(facts.levels[level]?.tileMs?.toFixed(1));
    rows[`1/${2 ** level}`] = { ms: Number(ms.toFixed(1)), gdalMs };
  }
  console.log('One 1,024² tile, 15 bits, lossless:');
  console.table(rows);
}

/** The manifest that the default tests compare with: hashes of GDAL's pixels. */
function recordGolden(facts: readonly Facts[], folder: string): void {
  const entries = goldenCases().map(({ name }, n) => {
    const { type, bandCount, epsg, transform, levels } = facts[n]!;
    const images = levels.map(({ width, height }, level) => ({
      width,
      height,
      sha256: createHash('sha256')
        .update(readFileSync(join(folder, `${n}-${level}.raw`)))
        .digest('hex'),
    }));
    return { file: name, type, bandCount, epsg, transform, levels: images };
  });
  writeFileSync(join(golden, 'manifest.json'), `${JSON.stringify(entries, null, 1)}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'jp2-oracle-'));
try {
  if (process.argv.includes('--golden')) {
    rmSync(golden, { recursive: true, force: true });
    mkdirSync(golden);
    recordGolden(readWithGdal(makeFiles(goldenCases(), golden), folder).files, folder);
  }
  const made = makeFiles(oracleCases(), folder);
  const big: Jp2Case = {
    name: 'sentinel-like.jp2',
    width: 2_200,
    height: 2_100,
    bands: 1,
    type: 'uint16',
    bits: 15,
    epsg: 32631,
    transform: [600000, 10, 0, 5100000, 0, -10],
    options: [
      'REVERSIBLE=YES',
      'QUALITY=100',
      'BLOCKXSIZE=1024',
      'BLOCKYSIZE=1024',
      'RESOLUTIONS=6',
      'NBITS=15',
    ],
  };
  const [bigPath] = makeFiles([big], folder);
  const real = existsSync(products) ? globSync(join(products, '**/*.jp2')).sort() : [];
  if (real.length === 0)
    console.log('No real products next to the checkout: only generated files are compared.');
  const paths = [...made, bigPath!, ...real];
  const { gdal, files } = readWithGdal(paths, folder);
  const groups: Record<
    string,
    { files: number; levels: number; wrong: number; openMs: number; ourMs: number; gdalMs: number }
  > = {};
  const wrong: string[] = [];
  let skipped = 0;
  for (const [n, path] of paths.entries()) {
    const facts = files[n]!;
    // some products of the public collections are TIFFs called .jp2
    if (facts.driver !== 'JP2OpenJPEG') {
      skipped++;
      continue;
    }
    const verdict = await compare(path, facts, (level) => join(folder, `${n}-${level}.raw`));
    if (verdict.problems.length > 0) wrong.push(`${path}: ${verdict.problems.join('; ')}`);
    const group =
      n < made.length
        ? `made ${basename(path).split(/[-.]/)[0]}`
        : path === bigPath
          ? 'made 1024'
          : `real ${path.slice(products.length + 1).split('/')[0]}`;
    groups[group] ??= { files: 0, levels: 0, wrong: 0, openMs: 0, ourMs: 0, gdalMs: 0 };
    const sum = groups[group];
    sum.files++;
    sum.levels += verdict.levels;
    sum.wrong += verdict.problems.length > 0 ? 1 : 0;
    for (const key of ['openMs', 'ourMs', 'gdalMs'] as const)
      sum[key] = Number((sum[key] + verdict[key]).toFixed(1));
  }
  console.table(groups);
  for (const line of wrong.slice(0, 20)) console.error(line);
  console.log(
    `GDAL ${gdal}: ${paths.length - skipped} files compared, ${wrong.length} wrong, ${skipped} are not JPEG 2000`,
  );
  await timeTiles(bigPath!, files[made.length]!);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
