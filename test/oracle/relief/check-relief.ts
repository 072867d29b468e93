/**
 * Compares hillshade, slope and aspect with gdaldem: `npm run node -- test/oracle/relief/check-relief.ts`. Needs a
 * Python with GDAL. Voids must be the same. Brightness may differ by 1 in one pixel of ten thousand: gdaldem
 * approximates a reciprocal root. Angles may differ by what gdaldem loses: it adds float32 heights before it subtracts
 * them.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadKernels } from '../../../src/raster/index.ts';
import type { Relief } from '../../../src/terrain/heights/relief.ts';
import { aspectRelief, shadeRelief, slopeRelief } from '../../../src/terrain/heights/relief.ts';
import { findPython } from '../tiff/find-python.ts';

const NODATA = -9999;

interface ReliefCase {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly pixelM: number;
  /** Height of the lowest ground. */
  readonly baseM: number;
  /** Height of the largest waves; smaller ones are in proportion. */
  readonly reliefM: number;
  /** Heights are multiples of it; 0 for none. */
  readonly stepM: number;
  readonly azimuthDeg: number;
  readonly altitudeDeg: number;
}

const common = { width: 1000, height: 1000, pixelM: 30, stepM: 0, azimuthDeg: 315, altitudeDeg: 45 };
const cases: readonly ReliefCase[] = [
  { ...common, name: 'hills', baseM: 0, reliefM: 600 },
  { ...common, name: 'steep', baseM: 0, reliefM: 9_000 },
  { ...common, name: 'plain', baseM: 100, reliefM: 3 },
  { ...common, name: 'high plain', baseM: 8_000, reliefM: 3 },
  { ...common, name: 'whole metres', baseM: 0, reliefM: 600, stepM: 1 },
  { ...common, name: 'low sun', baseM: 0, reliefM: 600, azimuthDeg: 100, altitudeDeg: 10 },
  { ...common, name: 'fine', width: 517, height: 301, pixelM: 2, baseM: 300, reliefM: 80 },
];

/** Numbers from 0 up to 1, always the same. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Waves of several lengths, noise, and one void pixel of five hundred. */
function makeHeights({ width, height, baseM, reliefM, stepM }: ReliefCase): Float32Array {
  const random = makeRandom(width + Math.round(reliefM));
  const waves = [1, 0.5, 0.25, 0.1, 0.05].map((share) => {
    const [turn, phase, lengthPx] = [6.3 * random(), 6.3 * random(), 200 * share];
    return { heightM: reliefM * share, x: Math.cos(turn) / lengthPx, y: Math.sin(turn) / lengthPx, phase };
  });
  return new Float32Array(width * height).map((_, i) => {
    if (random() < 0.002) return NODATA;
    const [x, y] = [i % width, Math.floor(i / width)];
    let heightM = baseM + reliefM * (1 + 0.01 * random());
    for (const wave of waves)
      heightM += wave.heightM * Math.sin(6.3 * (wave.x * x + wave.y * y) + wave.phase);
    return stepM === 0 ? heightM : stepM * Math.round(heightM / stepM);
  });
}

const kernels = loadKernels();

/** Our planes of the pixels that have eight neighbours; gdaldem leaves the others void. */
function computeRelief(one: ReliefCase, heights: Float32Array) {
  const [width, height] = [one.width - 2, one.height - 2];
  const allocate = kernels.begin();
  const heightsAt = allocate(heights.byteLength);
  const maskAt = allocate(heights.length);
  const pixelSizesM = new Float64Array(height).fill(one.pixelM);
  const relief: Relief = {
    heightsAt,
    maskAt,
    width,
    height,
    pixelWidthsM: pixelSizesM,
    pixelHeightsM: pixelSizesM,
  };
  new Float32Array(kernels.buffer(), heightsAt, heights.length).set(heights);
  new Uint8Array(kernels.buffer(), maskAt, heights.length).set(
    Uint8Array.from(heights, (heightM) => Number(heightM !== NODATA)),
  );
  const shadesAt = shadeRelief(kernels, allocate, relief, one);
  const slope = slopeRelief(kernels, allocate, relief);
  const aspect = aspectRelief(kernels, allocate, relief);
  const count = width * height;
  const toValues = ({ valuesAt, maskAt: knownAt }: typeof slope) => {
    const known = new Uint8Array(kernels.buffer(), knownAt, count);
    return new Float32Array(kernels.buffer(), valuesAt, count).map((v, i) => (known[i] === 0 ? NODATA : v));
  };
  return {
    shade: new Uint8Array(kernels.buffer(), shadesAt, count).slice(),
    slope: toValues(slope),
    aspect: toValues(aspect),
  };
}

/** The true gradient of a pixel, in metres per metre: what both lose digits of. */
function steepness(one: ReliefCase, heights: Float32Array, x: number, y: number): number {
  const at = (dx: number, dy: number) => heights[(y + dy) * one.width + x + dx]!;
  const east = at(1, -1) - at(-1, -1) + 2 * (at(1, 0) - at(-1, 0)) + at(1, 1) - at(-1, 1);
  const north = at(-1, -1) - at(-1, 1) + 2 * (at(0, -1) - at(0, 1)) + at(1, -1) - at(1, 1);
  return Math.hypot(east, north) / (8 * one.pixelM);
}

/** How far apart two directions are, in degrees. */
const turnBetween = (one: number, other: number): number => {
  const apart = Math.abs(one - other);
  return Math.min(apart, 360 - apart);
};

const folder = mkdtempSync(join(tmpdir(), 'swath-relief-'));
try {
  const planes = cases.map(makeHeights);
  for (const [i, { name }] of cases.entries()) writeFileSync(join(folder, `${name}.heights`), planes[i]!);
  const jobs = cases.map((one) => ({ ...one, nodata: NODATA }));
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs));
  const script = fileURLToPath(new URL('gdal_relief.py', import.meta.url));
  console.log(execFileSync(findPython(), [script, folder], { encoding: 'utf8' }).trim());
  let bad = 0;
  for (const [i, one] of cases.entries()) {
    const heights = planes[i]!;
    const got = computeRelief(one, heights);
    const shades = new Uint8Array(readFileSync(join(folder, `${one.name}.shade`)));
    const readFloats = (kind: string) =>
      new Float32Array(new Uint8Array(readFileSync(join(folder, `${one.name}.${kind}`))).buffer);
    const [slopes, aspects] = [readFloats('slope'), readFloats('aspect')];
    // gdaldem's four heights, added, are off by up to this much; then by Horn's weights and the size of a pixel.
    const lostM = 8 * (Math.abs(one.baseM) + 2 * one.reliefM) * 2 ** -23;
    const lost = Math.max(1e-6, lostM / (8 * one.pixelM)) * (180 / Math.PI);
    const found = { voids: 0, flat: 0, shades: 0, far: 0, slope: 0, aspect: 0, tooFar: 0 };
    for (let y = 1; y < one.height - 1; y++) {
      for (let x = 1; x < one.width - 1; x++) {
        const [here, there] = [(y - 1) * (one.width - 2) + x - 1, y * one.width + x];
        const shadeApart = Math.abs(got.shade[here]! - shades[there]!);
        if (shadeApart > 0) found.shades++;
        if (shadeApart > 1) found.far++;
        if ((got.slope[here] === NODATA) !== (slopes[there] === NODATA)) found.voids++;
        if (got.slope[here] === NODATA) continue;
        const slopeApart = Math.abs(got.slope[here]! - slopes[there]!);
        found.slope = Math.max(found.slope, slopeApart);
        if (slopeApart > 2 * lost + 1e-4) found.tooFar++;
        const steep = steepness(one, heights, x, y);
        if ((got.aspect[here] === NODATA) !== (steep === 0)) found.voids++;
        if ((got.aspect[here] === NODATA) !== (aspects[there] === NODATA)) {
          // Level only in float32.
          found.flat++;
          if (steep * (180 / Math.PI) > 2 * lost) found.tooFar++;
          continue;
        }
        if (got.aspect[here] === NODATA) continue;
        const aspectApart = turnBetween(got.aspect[here]!, aspects[there]!);
        found.aspect = Math.max(found.aspect, aspectApart);
        if (aspectApart > (2 * lost) / steep + 1e-4) found.tooFar++;
      }
    }
    console.log(one.name, JSON.stringify(found));
    const isGood =
      found.voids === 0 && found.far === 0 && found.tooFar === 0 && found.shades < 1e-4 * heights.length;
    if (!isGood) bad++;
  }
  console.log(`${cases.length} planes, ${bad} of them differ`);
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
