/**
 * CPU time of one tile compared with rasterio, on the same files and tiles in the same run: `npm run bench -- tiles`.
 *
 * Both draw on one thread. Rounds alternate, and the best round of each side counts, because on a shared machine the
 * least disturbed one is the most meaningful. `--data <folder>` takes S2_B04.tif, S2_B03.tif and S2_B02.tif from there;
 * by default three bands are made, with parcels and noise so that they compress like land. Needs python3 with rasterio.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { joinBlockCache, makeBlockCache, makeReadWindow } from '../../src/blocks/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import { openTiff } from '../../src/formats/tiff/index.ts';
import type { Tile } from '../../src/geo/index.ts';
import { applyAffine, tileAt, tileGrid } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { loadKernels, makeComputeBands, planWarp } from '../../src/raster/index.ts';
import { makeDraw } from '../../src/render/pictures/draw.ts';
import type { RenderPlan } from '../../src/render/plan/render-plan.ts';
import type { ByteSource } from '../../src/sources/index.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { EPSG, writeBandFile } from './make-band.ts';
import { toBandsPlan } from './plan-bands.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const BANDS = ['B04', 'B03', 'B02'];
const CACHE_BYTES = 512 * 2 ** 20;

interface Case {
  readonly name: string;
  readonly method: 'near' | 'bilinear' | 'cubic' | 'average';
  readonly format: 'png' | 'jpeg';
  readonly warm: boolean;
  readonly tiles: readonly Tile[];
}

const scratch = values.data === undefined ? mkdtempSync(join(tmpdir(), 'swath-bench-')) : null;
const folder = resolve(values.data ?? (scratch as string));
const files = BANDS.map((band) => join(folder, `S2_${band}.tif`));

async function makeFiles(): Promise<void> {
  for (const [i, path] of files.entries()) await writeBandFile(path, i);
}

/** A square of tiles around the middle of the scene, at one zoom. */
async function chooseTiles(z: number, side: number): Promise<readonly Tile[]> {
  const { transform, images } = await readHeader(files[0] as string);
  const [{ width, height }] = images;
  const [x, y] = makeProjection(EPSG, 3857).forward(...applyAffine(transform, width / 2, height / 2));
  const middle = tileAt(z, x, y);
  const half = Math.floor(side / 2);
  return Array.from({ length: side * side }, (_, i) => ({
    z,
    x: middle.x - half + (i % side),
    y: middle.y - half + Math.floor(i / side),
  }));
}

async function makePlan(tile: Tile, { method, format }: Case): Promise<RenderPlan> {
  const grid = tileGrid(tile);
  const bands = await Promise.all(
    files.map(async (path, i) => {
      const { transform, images } = await readHeader(path);
      const asset = {
        epsg: EPSG,
        transform,
        width: images[0].width,
        height: images[0].height,
        overviews: images.slice(1),
      };
      return {
        band: BANDS[i] as string,
        href: path,
        warp: planWarp({ target: grid, source: asset, method }),
      };
    }),
  );
  return toBandsPlan({ viewId: 'bench', grid, bands, format });
}

const headers = new Map<
  string,
  Promise<{
    transform: NonNullable<Awaited<ReturnType<typeof openTiff>>['transform']>;
    images: Awaited<ReturnType<typeof openTiff>>['images'];
  }>
>();
function readHeader(path: string) {
  const known = headers.get(path);
  if (known !== undefined) return known;
  const fresh = (async () => {
    const source = await openFileSource(path);
    const { transform, images } = await openTiff(source);
    await source.close();
    if (transform === null) throw new Error(`${path} is not georeferenced`);
    return { transform, images };
  })();
  headers.set(path, fresh);
  return fresh;
}

// As in a pixel thread.
const kernels = loadKernels();
const context = { signal: new AbortController().signal, cancelled: () => false, report: () => {} };
const contrast = BANDS.map(() => ({ min: 0, max: 3000 }));

async function measureOurs(one: Case): Promise<number> {
  const opened: ByteSource[] = [];
  const open = async (path: string): Promise<ByteSource> => {
    const source = await openFileSource(path);
    opened.push(source);
    return source;
  };
  const draw = makeDraw({
    readWindow: makeReadWindow({
      open,
      blocks: joinBlockCache(makeBlockCache(one.warm ? CACHE_BYTES : 0).handle, 0),
      jp2Decoder: makeJp2Decoder(),
    }),
    kernels,
    compute: makeComputeBands(kernels),
  });
  const plans = await Promise.all(one.tiles.map((tile) => makePlan(tile, one)));
  // Warm: all blocks are in the cache. Cold: the code is compiled and the headers are known, the blocks are not.
  for (const plan of one.warm ? plans : plans.slice(0, 8))
    await draw({ plan, contrast, outline: null }, context);
  const before = process.cpuUsage();
  for (const plan of plans) await draw({ plan, contrast, outline: null }, context);
  const { user, system } = process.cpuUsage(before);
  for (const source of opened) await source.close();
  return (user + system) / 1000 / plans.length;
}

function measurePeer(cases: readonly Case[]): Record<string, number> {
  const input = JSON.stringify({ files, cases, cacheBytes: CACHE_BYTES });
  const script = new URL('./peer.py', import.meta.url).pathname;
  return JSON.parse(
    execFileSync('python3', [script], { input, encoding: 'utf8', maxBuffer: 2 ** 24 }),
  ) as Record<string, number>;
}

try {
  if (scratch !== null) await makeFiles();
  const [z14, z13, z11] = await Promise.all([chooseTiles(14, 8), chooseTiles(13, 6), chooseTiles(11, 2)]);
  const cases: Case[] = [
    { name: 'bilinear PNG z14 warm', method: 'bilinear', format: 'png', warm: true, tiles: z14 },
    { name: 'bilinear JPEG z14 warm', method: 'bilinear', format: 'jpeg', warm: true, tiles: z14 },
    { name: 'bilinear PNG z13 warm', method: 'bilinear', format: 'png', warm: true, tiles: z13 },
    { name: 'bilinear JPEG z13 warm', method: 'bilinear', format: 'jpeg', warm: true, tiles: z13 },
    { name: 'near PNG z13 warm', method: 'near', format: 'png', warm: true, tiles: z13 },
    { name: 'cubic JPEG z14 warm', method: 'cubic', format: 'jpeg', warm: true, tiles: z14 },
    { name: 'average PNG z11 warm', method: 'average', format: 'png', warm: true, tiles: z11 },
    { name: 'bilinear PNG z11 warm', method: 'bilinear', format: 'png', warm: true, tiles: z11 },
    { name: 'bilinear JPEG z14 cold', method: 'bilinear', format: 'jpeg', warm: false, tiles: z14 },
    { name: 'bilinear JPEG z13 cold', method: 'bilinear', format: 'jpeg', warm: false, tiles: z13 },
  ];
  const best = new Map<string, { ours: number; peer: number }>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const peer = measurePeer(cases);
    for (const one of cases) {
      const ours = await measureOurs(one);
      const known = best.get(one.name) ?? { ours: Infinity, peer: Infinity };
      best.set(one.name, {
        ours: Math.min(known.ours, ours),
        peer: Math.min(known.peer, peer[one.name] ?? Infinity),
      });
    }
  }
  console.log(
    'CPU ms per tile of 256², 3 bands'.padEnd(34),
    'Swath'.padStart(8),
    'rasterio'.padStart(9),
    'ratio'.padStart(7),
  );
  for (const [name, { ours, peer }] of best) {
    console.log(
      name.padEnd(34),
      ours.toFixed(2).padStart(8),
      peer.toFixed(2).padStart(9),
      `${(peer / ours).toFixed(1)} ×`.padStart(7),
    );
  }
} finally {
  if (scratch !== null) rmSync(scratch, { recursive: true });
}
