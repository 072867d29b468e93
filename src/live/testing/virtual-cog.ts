import { planCogLayout } from '../../formats/cog/cog-layout.ts';
import { FRAME_BYTES, frame, makeEncodeBlock } from '../../formats/cog/encode-block.ts';
import type { CogOptions } from '../../formats/cog/index.ts';
import { planCog } from '../../formats/cog/plan-cog.ts';
import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { VirtualFile } from './virtual-file.ts';
import { makeVirtualFile } from './virtual-file.ts';

/** The pixels of an image; places are counted in pixels of its full resolution. */
export interface Painting {
  valueAt(x: number, y: number, band: number): number;
  /** Rows with the same key hold the same pixels. */
  rowKey(y: number): string;
  /** Square blocks of the same side and the same key hold the same pixels. */
  blockKey(x: number, y: number, side: number): string;
}

/**
 * A COG of any size, with the project's own layout, overviews and codecs. Blocks that look the same are encoded once and
 * appear in the file wherever they are needed, each at its own place, so readers see a file of real size.
 */
export function makeVirtualCog(options: CogOptions, painting: Painting): VirtualFile {
  const plan = planCog(options);
  const { blockSize, bandCount, type } = plan;
  const encode = makeEncodeBlock(plan);
  const made = new Map<string, Uint8Array>();

  const paintBlock = (left: number, top: number, step: number): PixelArray[] => {
    const bands = Array.from({ length: bandCount }, () => makePixels(type, blockSize * blockSize));
    for (const [band, pixels] of bands.entries()) {
      const rows = new Map<string, number>();
      for (let row = 0; row < blockSize; row++) {
        const y = top + (row + 0.5) * step;
        const key = painting.rowKey(y);
        const same = rows.get(key);
        const at = row * blockSize;
        if (same !== undefined) {
          pixels.copyWithin(at, same, same + blockSize);
          continue;
        }
        rows.set(key, at);
        for (let column = 0; column < blockSize; column++) {
          pixels[at + column] = painting.valueAt(left + (column + 0.5) * step, y, band);
        }
      }
    }
    return bands;
  };

  const toBlock = (left: number, top: number, step: number): Uint8Array => {
    const key = `${step} ${painting.blockKey(left, top, blockSize * step)}`;
    const found = made.get(key);
    if (found !== undefined) return found;
    let framed = new Uint8Array();
    encode(
      { bands: paintBlock(left, top, step), width: blockSize, rows: blockSize, left: 0 },
      (payload: Uint8Array) => {
        framed = new Uint8Array(payload.length + 2 * FRAME_BYTES);
        frame(payload, framed, 0);
      },
    );
    made.set(key, framed);
    return framed;
  };

  const levels = plan.levels.map(({ blocksAcross, blocksDown }, level) => {
    const step = 2 ** level;
    return Array.from({ length: blocksAcross * blocksDown }, (_, number) => {
      const column = number % blocksAcross;
      const row = Math.floor(number / blocksAcross);
      return toBlock(column * blockSize * step, row * blockSize * step, step);
    });
  });
  const { head } = planCogLayout(
    plan,
    levels.map((blocks) => Uint32Array.from(blocks, ({ length }) => length - 2 * FRAME_BYTES)),
  );
  return makeVirtualFile([head, ...levels.toReversed().flat()], 'image/tiff');
}

/** An image of squares of four kinds in turn with a square of something else in its upper left corner. */
export function paintSquares({ squarePx, cornerPx, values, noise = 0 }: SquareImage): Painting {
  const isCorner = (position: number): boolean => position < cornerPx;
  const parity = (position: number): number => Math.floor(position / squarePx) % 2;
  /** How far a block that begins there lies in the corner; all blocks beyond it look the same. */
  const reach = (start: number, side: number): number => Math.max(0, Math.min(side, cornerPx - start));
  return {
    valueAt(x, y, band) {
      const index = isCorner(x) && isCorner(y) ? 4 : parity(y) * 2 + parity(x);
      const value = values[band]![index]!;
      return noise === 0 ? value : value + Math.round(noiseAt(x, y) * noise);
    },
    rowKey: (y) => `${parity(y)}${isCorner(y)}${noise === 0 ? '' : Math.floor(y) % NOISE_PX}`,
    blockKey(x, y, side) {
      const [right, down] = [reach(x, side), reach(y, side)];
      const period = 2 * squarePx;
      const phase = `${toPhase(x, period)} ${toPhase(y, period)}`;
      return right === 0 || down === 0 ? phase : `${phase} ${right} ${down}`;
    },
  };
}

/** Noise repeats after so many pixels, which every size of blocks is a multiple of. */
const NOISE_PX = 256;
let noiseTable: Float32Array | null = null;

/** A number from -1 to 1 that looks random. */
function noiseAt(x: number, y: number): number {
  if (noiseTable === null) {
    let state = 1;
    noiseTable = new Float32Array(NOISE_PX * NOISE_PX).map(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 31 - 1;
    });
  }
  return noiseTable[(Math.floor(y) % NOISE_PX) * NOISE_PX + (Math.floor(x) % NOISE_PX)]!;
}

/** Where a block begins in a period; rounded, because the side of a square may not be a whole number of pixels. */
const toPhase = (start: number, period: number): number => {
  const phase = Math.round((start % period) * 1e6) / 1e6;
  return phase >= Math.round(period * 1e6) / 1e6 ? 0 : phase;
};

/** Numbers of an image of squares. */
interface SquareImage {
  readonly squarePx: number;
  /** Side of the corner; 0 if there is none. */
  readonly cornerPx: number;
  /** By band: stored numbers of the four kinds in the order of `GROUNDS`, and of the corner. */
  readonly values: readonly (readonly number[])[];
  /** Numbers differ by up to this from those above: real images do not compress as well as squares. */
  readonly noise?: number;
}
