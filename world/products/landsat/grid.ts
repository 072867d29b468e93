import { badInput } from '../../../src/errors.ts';
import type { Affine } from '../../../src/geo/index.ts';
import type { Locations } from '../../ground/ground.ts';
import { frame } from '../../setting.ts';
import type { LocalWindow } from '../local-window.ts';

/** Square pixels, north up. */
export interface LandsatGrid {
  /** Middle of the upper left pixel in local metres. */
  readonly firstX: number;
  readonly firstY: number;
  readonly pixelM: number;
  readonly width: number;
  readonly height: number;
}

/** Middles of Landsat's pixels lie at multiples of 30 m of the reference system, and so does the world's corner. */
const anchorM = 30;

/** The pixels that lie wholly in a window. */
export function planGrid(window: LocalWindow, pixelM: number): LandsatGrid {
  const clip = (value: number) => Math.min(Math.max(value, 0), frame.sizeM);
  const first = (min: number) => Math.ceil((clip(min) + pixelM / 2) / anchorM) * anchorM;
  const [firstX, firstY] = [first(window.x), first(window.y)];
  const count = (from: number, max: number) => Math.floor((clip(max) - from - pixelM / 2) / pixelM) + 1;
  const width = count(firstX, window.x + window.widthM);
  const height = count(firstY, window.y + window.heightM);
  if (!(width >= 8 && height >= 8)) {
    throw badInput(
      'bad-window',
      `The window holds ${width} by ${height} pixels; a scene has at least 8 by 8.`,
    );
  }
  return { firstX, firstY, pixelM, width, height };
}

/** The grid of the panchromatic band: half the pixels' side, and the same middle of the first and last pixel. */
export const toPanGrid = (grid: LandsatGrid): LandsatGrid => ({
  ...grid,
  pixelM: grid.pixelM / 2,
  width: grid.width * 2 - 1,
  height: grid.height * 2 - 1,
});

/** Where the file lies: from the corner of the upper left pixel. */
export const toTransform = ({ firstX, firstY, pixelM }: LandsatGrid): Affine => [
  frame.west + firstX - pixelM / 2,
  pixelM,
  0,
  frame.north - firstY + pixelM / 2,
  0,
  -pixelM,
];

/** A box of a grid's pixels. */
export interface GridBox {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** The locations of a box of pixels. */
export function toLocations({ firstX, firstY, pixelM }: LandsatGrid, box: GridBox): Locations {
  const { width, height } = box;
  const x = new Float64Array(width * height);
  const y = new Float64Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at++) {
      x[at] = firstX + (box.column + column) * pixelM;
      y[at] = firstY + (box.row + row) * pixelM;
    }
  }
  return { width, height, x, y, sideM: pixelM };
}
