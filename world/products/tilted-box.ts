import { badInput } from '../../src/errors.ts';
import { cos, sin, toRadians } from '../numbers/steady-math.ts';
import type { LocalGrid, LocalWindow } from './local-window.ts';

/** A rectangle that stands aslant in a window and touches its sides: what a satellite sees of it that flies aslant. */
export interface TiltedBox {
  readonly middleX: number;
  readonly middleY: number;
  /** Square to the track and along it. */
  readonly acrossM: number;
  readonly alongM: number;
  /** Where the satellite flies: one metre of track in local metres (y goes south). */
  readonly forward: readonly [x: number, y: number];
  /** To the right of it. */
  readonly right: readonly [x: number, y: number];
}

/** The largest such rectangle for a heading, clockwise from the north of the grid. */
export function toTiltedBox({ x, y, widthM, heightM }: LocalWindow, headingDeg: number): TiltedBox {
  const heading = toRadians(headingDeg);
  const [south, east] = [Math.abs(cos(heading)), Math.abs(sin(heading))];
  const determinant = south * south - east * east;
  const acrossM = (widthM * south - heightM * east) / determinant;
  const alongM = (heightM * south - widthM * east) / determinant;
  if (!(determinant > 0 && acrossM > 0 && alongM > 0)) {
    throw badInput('bad-window', `A window of ${widthM} × ${heightM} m is too slim for a track aslant.`);
  }
  return {
    middleX: x + widthM / 2,
    middleY: y + heightM / 2,
    acrossM,
    alongM,
    forward: [sin(heading), -cos(heading)],
    right: [cos(heading), sin(heading)],
  };
}

/** Corners in local metres: of the first line left and right of the track, of the last line right and left. */
export function toCorners(box: TiltedBox): readonly (readonly [x: number, y: number])[] {
  const toPoint = (along: number, across: number) =>
    [
      box.middleX + along * box.forward[0] + across * box.right[0],
      box.middleY + along * box.forward[1] + across * box.right[1],
    ] as const;
  const [halfAlong, halfAcross] = [box.alongM / 2, box.acrossM / 2];
  return [
    toPoint(-halfAlong, -halfAcross),
    toPoint(-halfAlong, halfAcross),
    toPoint(halfAlong, halfAcross),
    toPoint(halfAlong, -halfAcross),
  ];
}

/** Which pixels of some rows of a grid lie in a rectangle. */
export interface SeenRows {
  /** 1 where a pixel's middle does, over the whole width of the grid. */
  readonly pixels: Uint8Array;
  /** The columns that have any. */
  readonly firstCol: number;
  readonly cols: number;
}

/** Finds the pixels of some rows that lie in a rectangle. */
export function findSeen(
  box: TiltedBox,
  grid: LocalGrid,
  { firstRow, rows }: { readonly firstRow: number; readonly rows: number },
): SeenRows {
  const { width, pixelM } = grid;
  const pixels = new Uint8Array(width * rows);
  let [from, to] = [width, 0];
  for (let row = 0, at = 0; row < rows; row++) {
    const dy = grid.y + (firstRow + row + 0.5) * pixelM - box.middleY;
    for (let col = 0; col < width; col++, at++) {
      const dx = grid.x + (col + 0.5) * pixelM - box.middleX;
      const along = dx * box.forward[0] + dy * box.forward[1];
      const across = dx * box.right[0] + dy * box.right[1];
      if (Math.abs(along) > box.alongM / 2 || Math.abs(across) > box.acrossM / 2) continue;
      pixels[at] = 1;
      if (col < from) from = col;
      if (col >= to) to = col + 1;
    }
  }
  return { pixels, firstCol: Math.min(from, to), cols: Math.max(0, to - from) };
}
