import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { openBlockFile } from '../../../src/formats/block-file/index.ts';
import { toPlacement } from '../../../src/formats/block-file/testing/placement.ts';
import { makeJp2Decoder } from '../../../src/formats/jp2/index.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { toBandPixels } from '../../../src/formats/tiff/index.ts';
import type { Grid } from '../../../src/geo/index.ts';
import type { GeoreferencedGrid } from '../../../src/proj/index.ts';
import { makePixelMapping } from '../../../src/proj/index.ts';
import type { ResampleMethod } from '../../../src/raster/index.ts';
import { loadKernels, makePixels } from '../../../src/raster/index.ts';
import { warpFixture } from '../../../src/raster/testing/scene-fixture.ts';

type LonLats = readonly (readonly [lon: number, lat: number])[];

/** What make_gcps.py says of an image with control points. */
export interface GcpFacts {
  readonly name: string;
  readonly path: string;
  /** A real product, whose truth is unknown. */
  readonly isProduct?: boolean;
  readonly warps: readonly {
    readonly method: ResampleMethod;
    readonly target: Grid;
    readonly file: string;
  }[];
  readonly places: {
    readonly positions: readonly (readonly [column: number, row: number])[];
    readonly tps?: LonLats;
    readonly order3?: LonLats;
    readonly true?: LonLats;
  };
}

/** How far we are from GDAL, in pixels of the image, and of each warp how its pixels agree. */
export interface GcpAgreement {
  /** Of control points, there and back. */
  readonly nodesPx: number;
  readonly roundTripPx: number;
  readonly tpsPx: number | null;
  readonly order3Px: number | null;
  readonly truePx: number | null;
  readonly warps: readonly WarpAgreement[];
}

/** Two pictures of the same ground. */
export interface WarpAgreement {
  readonly file: string;
  readonly method: ResampleMethod;
  /** Pixels both have. */
  readonly valid: number;
  /** Pixels that only one of them has, as a share of the outline of a square with as many pixels. */
  readonly maskShare: number;
  /** Pixels that differ by more than `SMALL`. */
  readonly otherShare: number;
  readonly worst: number;
  readonly correlation: number;
  /** By how many target pixels the one would have to be moved to fit the other best. */
  readonly shiftPx: readonly [x: number, y: number];
}

const jp2Decoder = makeJp2Decoder();
const NODATA = -9999;
/** The hills of the generated images rise by up to 220 units a pixel: this is a fortieth of a pixel. */
const SMALL = 5;

async function readWhole(path: string) {
  const file = await openBlockFile(makeMemorySource(readFileSync(path)), { jp2Decoder });
  const [image] = file.levels;
  const pixels = makePixels(image.type, image.width * image.height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const block = await file.readBlock(0, { band: 0, column, row });
      const [left, top] = [column * image.blockWidth, row * image.blockHeight];
      const width = Math.min(block.width, image.width - left);
      const band = toBandPixels(block, 0);
      for (let y = 0; y < Math.min(block.height, image.height - top); y++) {
        pixels.set(band.subarray(y * block.width, y * block.width + width), (top + y) * image.width + left);
      }
    }
  }
  return { file, image, pixels: Float32Array.from(pixels) };
}

/** Compares our reading of an image's control points, and our warps by them, with GDAL's. */
export async function compareGcps(facts: GcpFacts, folder: string): Promise<GcpAgreement> {
  const path = isAbsolute(facts.path) ? facts.path : join(folder, facts.path);
  const { file, image, pixels } = await readWhole(path);
  const grid: GeoreferencedGrid = { ...toPlacement(file), width: image.width, height: image.height };
  const mask =
    file.nodata === null ? null : Uint8Array.from(pixels, (value) => Number(value !== file.nodata));
  const unit: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
  // Its "pixels" are degrees.
  const { toSource, toTarget } = makePixelMapping(unit, grid);
  const off = (from: readonly [number, number], wanted: readonly [number, number]): number =>
    Math.hypot(from[0] - wanted[0], from[1] - wanted[1]);
  const { positions, tps, order3, true: truth } = facts.places;
  const offFrom = (lonLats: LonLats | undefined): number | null =>
    lonLats === undefined
      ? null
      : Math.max(...lonLats.map((lonLat, i) => off(toSource(...lonLat), positions[i]!)));
  return {
    nodesPx: Math.max(...file.gcps.map(({ column, row, x, y }) => off(toSource(x, y), [column, row]))),
    roundTripPx: Math.max(...positions.map((position) => off(toSource(...toTarget(...position)), position))),
    tpsPx: offFrom(tps),
    order3Px: offFrom(order3),
    truePx: offFrom(truth),
    warps: await Promise.all(
      facts.warps.map(async ({ method, target, file: name }) => {
        const theirs = (await readWhole(join(folder, name))).pixels;
        const ours = warpFixture(loadKernels(), { grid, bands: [pixels], mask }, target, method);
        return {
          file: name,
          method,
          ...compareBands({ target, ours: ours.bands[0]!, mask: ours.mask, theirs }),
        };
      }),
    ),
  };
}

interface Pair {
  readonly target: Grid;
  readonly ours: Float32Array;
  readonly mask: Uint8Array;
  readonly theirs: Float32Array;
}

function compareBands({ target: { width, height }, ours, mask, theirs }: Pair) {
  let [valid, masks, other, worst, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  // Least squares of theirs - ours = shift * slope of ours.
  let [xx, xy, yy, xd, yd] = [0, 0, 0, 0, 0];
  for (let i = 0; i < ours.length; i++) {
    const isValid = theirs[i] !== NODATA;
    if (isValid !== (mask[i] === 1)) masks++;
    if (!isValid || mask[i] === 0) continue;
    const [a, b] = [ours[i]!, theirs[i]!];
    valid++;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
    worst = Math.max(worst, Math.abs(a - b));
    if (Math.abs(a - b) > SMALL) other++;
    const [col, row] = [i % width, Math.floor(i / width)];
    if (col === 0 || row === 0 || col === width - 1 || row === height - 1) continue;
    if (!mask[i - 1] || !mask[i + 1] || !mask[i - width] || !mask[i + width]) continue;
    const [slopeX, slopeY] = [(ours[i + 1]! - ours[i - 1]!) / 2, (ours[i + width]! - ours[i - width]!) / 2];
    xx += slopeX * slopeX;
    xy += slopeX * slopeY;
    yy += slopeY * slopeY;
    xd += slopeX * (b - a);
    yd += slopeY * (b - a);
  }
  const determinant = xx * yy - xy * xy;
  const shiftPx = [(xd * yy - yd * xy) / determinant, (yd * xx - xd * xy) / determinant] as const;
  const spread = Math.sqrt((valid * sumAA - sumA ** 2) * (valid * sumBB - sumB ** 2));
  const correlation = (valid * sumAB - sumA * sumB) / spread;
  return {
    valid,
    maskShare: masks / (4 * Math.sqrt(valid)),
    otherShare: other / valid,
    worst,
    correlation,
    shiftPx,
  };
}

/** What is wrong with an agreement, in words; nothing when it is good. */
export function findFaults({ isProduct = false }: GcpFacts, agreement: GcpAgreement): string[] {
  const faults: string[] = [];
  const check = (name: string, value: number, limit: number): void => {
    if (!(value <= limit)) faults.push(`${name} ${value.toPrecision(3)} > ${limit}`);
  };
  check('control points', agreement.nodesPx, 1e-6);
  check('round trip', agreement.roundTripPx, 1e-6);
  // Splines go through the points as we do; on the ground over mountains both are guesses between them.
  if (agreement.tpsPx !== null) check('splines', agreement.tpsPx, isProduct ? 1 : 0.3);
  if (agreement.truePx !== null) check('truth', agreement.truePx, 0.02);
  for (const { file, method, valid, maskShare, otherShare, worst, correlation, shiftPx } of agreement.warps) {
    check(`${file}: no pixels`, 1 / valid, 1);
    check(`${file}: shift`, Math.hypot(...shiftPx), isProduct ? 0.25 : 0.01);
    check(`${file}: correlation`, 1 - correlation, isProduct ? 0.05 : 1e-4);
    if (isProduct) continue;
    // GDAL 3.6 smears areas over the first column and row, two sides of four, see check-warp.ts.
    check(`${file}: mask`, maskShare, method === 'average' ? 0.3 : 0.01);
    // A position may lie in the next pixel when it is a hundredth of a pixel off.
    check(`${file}: other values`, otherShare, method === 'near' ? 0.01 : 0.001);
    if (method !== 'near') check(`${file}: worst`, worst, 4 * SMALL);
  }
  return faults;
}
