import { createCog } from '../../src/formats/cog/index.ts';
import type { Affine } from '../../src/geo/index.ts';

/** Where the model lies: UTM zone 36, pixels of 30 m. */
const EPSG = 32636;
const TRANSFORM: Affine = [390_000, 30, 0, 5_610_000, 0, -30];
const NODATA = -9_999;

/** Mountains, hills and knolls: spacing of their tops in pixels, and their height in metres. */
const OCTAVES = [
  { spacingPx: 1_024, heightM: 1_200 },
  { spacingPx: 400, heightM: 700 },
  { spacingPx: 150, heightM: 350 },
  { spacingPx: 60, heightM: 150 },
  { spacingPx: 24, heightM: 60 },
  { spacingPx: 10, heightM: 20 },
] as const;

/** Noise of the measurement, which is what makes the low bytes of real models hard to compress. */
const NOISE_M = 1;

/** A number from 0 to 1 for a point of a lattice. */
const hash = (a: number, b: number, c: number): number => {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
};

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** Adds one octave to a row: heights of lattice points, joined smoothly. */
function addOctave(row: Float64Array, y: number, octave: number): void {
  const { spacingPx, heightM } = OCTAVES[octave]!;
  const latticeY = Math.floor(y / spacingPx);
  const down = smooth(y / spacingPx - latticeY);
  const points = Array.from({ length: Math.ceil(row.length / spacingPx) + 1 }, (_, x) => {
    const upper = hash(x, latticeY, octave);
    return heightM * (upper + down * (hash(x, latticeY + 1, octave) - upper));
  });
  for (let x = 0; x < row.length; x++) {
    const latticeX = Math.floor(x / spacingPx);
    const left = points[latticeX]!;
    row[x]! += left + smooth(x / spacingPx - latticeX) * (points[latticeX + 1]! - left);
  }
}

/** Rows of heights in metres. */
function makeHeights(widthPx: number, firstRow: number, rows: number): Float32Array {
  const heights = new Float32Array(widthPx * rows);
  for (let y = 0; y < rows; y++) {
    const row = new Float64Array(widthPx);
    for (let octave = 0; octave < OCTAVES.length; octave++) addOctave(row, firstRow + y, octave);
    for (let x = 0; x < widthPx; x++) row[x]! += NOISE_M * (hash(x, firstRow + y, -1) - 0.5);
    heights.set(row, y * widthPx);
  }
  return heights;
}

/** Writes a square elevation model as a COG, in the way that public ones are stored. */
export async function writeDem(path: string, sizePx: number): Promise<void> {
  const cog = await createCog(path, {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type: 'float32',
    epsg: EPSG,
    transform: TRANSFORM,
    nodata: NODATA,
    compression: 'deflate',
    predictor: 3,
    blockSize: 512,
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += 512) {
    const rows = Math.min(512, sizePx - firstRow);
    await cog.writeRows([makeHeights(sizePx, firstRow, rows)], rows);
  }
  await cog.finish();
}
