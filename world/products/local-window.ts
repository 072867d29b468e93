import { badInput, tooLarge } from '../../src/errors.ts';
import type { Locations } from '../ground/ground.ts';

/** A part of the world in local metres (`setting.ts`): its upper left corner and its sides. */
export interface LocalWindow {
  readonly x: number;
  readonly y: number;
  readonly widthM: number;
  readonly heightM: number;
}

/** A north-up grid of square pixels. */
export interface LocalGrid {
  readonly x: number;
  readonly y: number;
  readonly pixelM: number;
  readonly width: number;
  readonly height: number;
}

/** More than a full scene of any of these sensors has. */
const MAX_SIDE_PX = 60_000;

/** The grid of a window: as many whole pixels as fit into it. */
export function toLocalGrid({ x, y, widthM, heightM }: LocalWindow, pixelM: number): LocalGrid {
  // a whole number of pixels may come out as 999.9999 of them
  const count = (lengthM: number) => Math.floor(lengthM / pixelM + 1e-6);
  const [width, height] = [count(widthM), count(heightM)];
  if (![x, y, width, height].every(Number.isFinite) || !(pixelM > 0) || width < 1 || height < 1) {
    throw badInput('bad-window', `A window of ${widthM} × ${heightM} m has no pixels of ${pixelM} m.`);
  }
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX) {
    throw tooLarge(
      'window-too-large',
      `A window of ${width} × ${height} pixels is over the limit of ${MAX_SIDE_PX}.`,
    );
  }
  return { x, y, pixelM, width, height };
}

/** A block of pixels of a grid. */
export interface GridPart {
  readonly firstCol: number;
  readonly cols: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** Where the pixels of a part of a grid lie. */
export function toLocations(
  { x, y, pixelM }: LocalGrid,
  { firstCol, cols, firstRow, rows }: GridPart,
): Locations {
  const xs = new Float64Array(cols * rows);
  const ys = new Float64Array(cols * rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const rowY = y + (firstRow + row + 0.5) * pixelM;
    for (let col = 0; col < cols; col++, at++) {
      xs[at] = x + (firstCol + col + 0.5) * pixelM;
      ys[at] = rowY;
    }
  }
  return { width: cols, height: rows, x: xs, y: ys, sideM: pixelM };
}
