/**
 * Compares our warps with GDAL's: `npm run node -- test/oracle/warp/check-warp.ts [--write-golden]`. Needs a Python with GDAL
 * (`osgeo`), tried in turn: $GDAL_PYTHON, python3, /usr/bin/python3. Prints a table and fails on a mismatch.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Grid } from '../../../src/geo/index.ts';
import { makeApproximateGrid, makePixelMapping } from '../../../src/proj/index.ts';
import type { Raster, ResampleMethod, WarpPlan } from '../../../src/raster/index.ts';
import { loadKernels, planWarp, warp } from '../../../src/raster/index.ts';
import { kernelSupport, resamplers } from '../../../src/raster/plan-warp.ts';
import { writeGolden } from './golden.ts';
import type { Scene, WarpCase } from './warp-cases.ts';
import { levelCases, warpCases } from './warp-cases.ts';

/** Ties of the approximated positions: at most this share of pixels may be another source pixel than GDAL's. */
const MAX_TIES = 0.001;
/** Computed values agree to this part of the value (and never worse than 1 DN, the goal). */
const MAX_RELATIVE = 1e-5;
/** Or to this much: positions are exact to 2e-5 pixels, and from pixel to pixel the noise leaps by thousands. */
const SMALL_DN = 0.25;
/** Except next to such a tie, where GDAL had another neighbour; then smooth methods still agree to this. */
const MAX_DN = 1;

/** One run of GDAL: its kernel has one width for the whole image, ours one a cell. */
interface Job {
  readonly name: string;
  /** What to tell GDAL, so that its kernel gets our width; for areas it says how far beyond the image it looks. */
  readonly scale: readonly number[];
  /** 1 where our cells have this width. */
  readonly region: Uint8Array;
}

const kernels = loadKernels();
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-'));
try {
  process.exitCode = compareAll() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function compareAll(): boolean {
  const cases = warpCases().map((one) => ({ ...one, plan: planOf(one) }));
  const jobs = cases.map((one) => jobsOf(one));
  for (const scene of new Set(cases.map(({ scene }) => scene))) writeScene(scene);
  const warps = cases.flatMap(({ scene, target, method }, i) =>
    jobs[i]!.map(({ name, scale }) => ({
      name,
      target,
      method,
      source: scene.grid,
      pixels: scene.name,
      bandCount: scene.bands.length,
      scale,
    })),
  );
  const levels = levelCases.map((one) => ({
    ...one,
    pixelSizes: one.ratios.map((ratio) => ratio * nativePixel(one)),
  }));
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify({ warps, levels }));
  console.log(execFileSync(findPython(), [pathOf('gdal_warp.py'), folder], { encoding: 'utf8' }).trim());

  const verdicts = cases.map((one, i) => judge(one, jobs[i]!));
  console.log('case                             pixels  valid  mask<>  value<>  worst relative');
  for (const verdict of verdicts) console.log(verdict.line);
  const levelMistakes = compareLevels();
  const bad = verdicts.filter(({ isGood }) => !isGood).length + levelMistakes;
  console.log(`${verdicts.length} warps and ${levelCases.length} overview series, ${bad} mismatches`);
  if (process.argv.includes('--write-golden')) {
    const golden = cases.flatMap((one, i) =>
      one.isGolden ? [{ ...one, expected: readResult(one, jobs[i]!) }] : [],
    );
    console.log(`${writeGolden(golden)} bytes of golden data written`);
  }
  return bad === 0;
}

function planOf({ scene, target, method }: WarpCase): WarpPlan {
  const plan = planWarp({ target, source: { ...scene.grid, overviews: [] }, method });
  if (plan === null) throw new Error(`${scene.name}: the target misses the scene`);
  return plan;
}

function jobsOf({ name, target, scene, method }: WarpCase): Job[] {
  const grid = makeApproximateGrid(target, scene.grid);
  const found = new Map<string, Job>();
  const { isArea, radiusPx } = resamplers[method];
  const widest = [0, 1].map((axis) => Math.max(1, ...grid.ratios.filter((_, i) => i % 2 === axis)));
  for (let i = 0; i < grid.cellCount; i++) {
    const support = kernelSupport(resamplers[method], grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    const key = support.join();
    const job = found.get(key) ?? {
      name: `${name}-${found.size}`,
      scale: isArea ? widest.map((px) => 1 / px) : support.map((px) => (px === 0 ? 1 : radiusPx / px)),
      region: new Uint8Array(target.width * target.height),
    };
    found.set(key, job);
    const [col, row, size] = grid.cells.subarray(3 * i) as unknown as [number, number, number];
    for (let y = Math.max(0, row); y < Math.min(target.height, row + size); y++) {
      const first = y * target.width;
      job.region.fill(1, first + Math.max(0, col), first + Math.min(target.width, col + size));
    }
  }
  return [...found.values()];
}

function ourWarp({ scene, target, plan }: WarpCase & { plan: WarpPlan }): Raster {
  const { x, y, width, height } = plan.window;
  const cut = <T extends Float32Array | Uint8Array>(plane: T): T => {
    const part = plane.slice(0, width * height) as T;
    for (let row = 0; row < height; row++) {
      const first = (y + row) * scene.grid.width + x;
      part.set(plane.subarray(first, first + width), row * width);
    }
    return part;
  };
  return warp(kernels, { target, plan, bands: scene.bands.map(cut), mask: cut(scene.mask) });
}

/** GDAL's results, put together from the runs with different kernel widths. */
function readResult(
  { target, scene }: WarpCase,
  jobs: readonly Job[],
): { mask: Uint8Array; bands: Float32Array[] } {
  const length = target.width * target.height;
  const mask = new Uint8Array(length);
  const bands = scene.bands.map(() => new Float32Array(length));
  for (const { name, region } of jobs) {
    const valid = readFileSync(join(folder, `${name}.valid`));
    const values = new Float32Array(new Uint8Array(readFileSync(join(folder, `${name}.out`))).buffer);
    for (let i = 0; i < length; i++) {
      if (region[i] !== 1) continue;
      mask[i] = valid[i]!;
      for (const [band, plane] of bands.entries()) plane[i] = valid[i] === 1 ? values[band * length + i]! : 0;
    }
  }
  return { mask, bands };
}

function judge(one: WarpCase & { plan: WarpPlan }, jobs: readonly Job[]): { line: string; isGood: boolean } {
  const ours = ourWarp(one);
  const theirs = readResult(one, jobs);
  const length = ours.mask.length;
  let [valid, masks, values, worst, worstDn] = [0, 0, 0, 0, 0];
  const isSmeared = makeSmearTest(one);
  for (let i = 0; i < length; i++) {
    if (ours.mask[i] === 0 && isSmeared(i)) continue;
    if (ours.mask[i] !== theirs.mask[i]) masks++;
    if (ours.mask[i] !== 1 || theirs.mask[i] !== 1) continue;
    valid++;
    let isOff = false;
    for (const [band, plane] of ours.bands.entries()) {
      const difference = Math.abs(plane[i]! - theirs.bands[band]![i]!);
      const relative = difference / Math.abs(theirs.bands[band]![i]!);
      const isFar = relative > MAX_RELATIVE && difference > SMALL_DN;
      isOff ||= isExact(one.method) ? difference > 0 : isFar;
      worst = Math.max(worst, relative);
      worstDn = Math.max(worstDn, difference);
    }
    if (isOff) values++;
  }
  const ties = length * MAX_TIES;
  const isGood = valid > 0 && masks <= ties && values <= ties && (!isSmooth(one.method) || worstDn <= MAX_DN);
  const counts = [String(length).padStart(7), String(valid).padStart(7), String(masks).padStart(7)];
  const numbers = `${counts.join('')}${String(values).padStart(9)}  ${worst.toExponential(1)}`;
  return { isGood, line: `${one.name.padEnd(32)}${numbers}${isGood ? '' : '  MISMATCH'}` };
}

/**
 * GDAL 3.6 gives target pixels that lie less than a source pixel before the first column or row the values of that column
 * or row, in the methods that look at areas (later versions do not). We leave pixels outside the image empty.
 */
function makeSmearTest({ method, target, scene }: WarpCase): (index: number) => boolean {
  if (!resamplers[method].isArea) return () => false;
  const { toSource } = makePixelMapping(target, scene.grid);
  return (index) => {
    const [col, row] = [index % target.width, Math.floor(index / target.width)];
    const [oneX, oneY] = toSource(col, row);
    const [otherX, otherY] = toSource(col + 1, row + 1);
    // A pixel of the width of a needle may lie on the edge.
    return Math.max(oneX, otherX) <= 1e-5 || Math.max(oneY, otherY) <= 1e-5;
  };
}

/** Methods that pick a value instead of computing one. */
function isExact(method: ResampleMethod): boolean {
  return resamplers[method].radiusPx === 0 && method !== 'average';
}

/** Methods whose values do not leap where a position crosses from one source pixel to the next. */
function isSmooth(method: ResampleMethod): boolean {
  return method === 'bilinear' || method === 'cubic' || method === 'cubicspline';
}

/** Size of a source pixel in the target's units, along the diagonal of the scene as GDAL measures it. */
function nativePixel({ source, targetEpsg }: { source: Grid; targetEpsg: number }): number {
  const unit: Grid = { epsg: targetEpsg, transform: [0, 1, 0, 0, 0, -1], width: 1, height: 1 };
  const mapping = makePixelMapping(unit, source);
  const [fromX, fromY] = mapping.toTarget(0, 0);
  const [toX, toY] = mapping.toTarget(source.width, source.height);
  return Math.hypot(toX - fromX, toY - fromY) / Math.hypot(source.width, source.height);
}

function compareLevels(): number {
  const answers = JSON.parse(readFileSync(join(folder, 'levels.json'), 'utf8'));
  let mistakes = 0;
  for (const [i, one] of levelCases.entries()) {
    const { overviews, transforms, levels } = answers[i];
    const native = nativePixel(one);
    const unit: Grid = { epsg: one.targetEpsg, transform: [0, 1, 0, 0, 0, -1], width: 1, height: 1 };
    const [x, y] = makePixelMapping(unit, one.source).toTarget(500, 388);
    let isAligned = true;
    const ours = one.ratios.map((ratio) => {
      const pixel = ratio * native;
      const transform = [x, pixel, 0, -y, 0, -pixel] as const;
      const target: Grid = { epsg: one.targetEpsg, transform, width: 1, height: 1 };
      const plan = planWarp({ target, source: { ...one.source, overviews }, method: 'near' });
      const wanted: number[] = [one.source.transform, ...transforms][plan?.level ?? 0];
      isAligned &&= plan?.levelTransform.every((term, k) => Math.abs(term - wanted[k]!) < 1e-9) ?? false;
      return plan?.level;
    });
    const isSame = isAligned && JSON.stringify(ours) === JSON.stringify(levels);
    if (!isSame) mistakes++;
    console.log(
      `overviews ${one.name.padEnd(14)} GDAL ${levels.join(' ')}${isSame ? '' : `  MISMATCH ours ${ours.join(' ')}`}`,
    );
  }
  return mistakes;
}

function writeScene({ name, bands, mask }: Scene): void {
  writeFileSync(
    join(folder, `${name}.pixels`),
    Buffer.concat(bands.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer))),
  );
  writeFileSync(join(folder, `${name}.mask`), mask);
}

function findPython(): string {
  const candidates = [process.env.GDAL_PYTHON, 'python3', '/usr/bin/python3'];
  const found = candidates.find(
    (path) => path !== undefined && spawnSync(path, ['-c', 'from osgeo import gdal']).status === 0,
  );
  if (found === undefined) throw new Error('No Python with GDAL found; set GDAL_PYTHON to one.');
  return found;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
