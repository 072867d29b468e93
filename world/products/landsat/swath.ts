import { badInput } from '../../../src/errors.ts';
import { cos, sin, toRadians } from '../../numbers/steady-math.ts';
import type { LandsatGrid } from './grid.ts';

/**
 * The satellite flies south-south-west: at 48 degrees north its orbit runs 12.4 degrees off the meridian, and its
 * track on the turning earth 15. Scan lines stand across the orbit, the sides of a scene along the track.
 */
const track = toRadians(15);
const orbit = toRadians(12.4);
const [alongX, alongY] = [-sin(track), cos(track)];
const [acrossX, acrossY] = [cos(orbit), sin(orbit)];
const skew = acrossX * alongY - acrossY * alongX;

/** Where the instrument looked: a parallelogram, in local metres. */
export interface Swath {
  readonly middleX: number;
  readonly middleY: number;
  /** Half its length along the track and half its width along the scan lines. */
  readonly halfAlongM: number;
  readonly halfAcrossM: number;
  /** Scan lines leave wedges between them that grow to both sides. */
  readonly hasGaps: boolean;
}

/** The parallelogram that touches all sides of a grid, as scenes lie in their files. */
export function planSwath({ firstX, firstY, pixelM, width, height }: LandsatGrid, hasGaps: boolean): Swath {
  const halfX = (width * pixelM) / 2;
  const halfY = (height * pixelM) / 2;
  const determinant = acrossX * alongY + acrossY * alongX;
  const halfAlongM = (halfY * acrossX - halfX * acrossY) / determinant;
  const halfAcrossM = (halfX * alongY + halfY * alongX) / determinant;
  if (!(halfAlongM > 0 && halfAcrossM > 0)) {
    throw badInput(
      'bad-window',
      'The window is too long or too wide for a tilted scene: its sides differ at most 3.7 times.',
    );
  }
  return {
    middleX: firstX - pixelM / 2 + halfX,
    middleY: firstY - pixelM / 2 + halfY,
    halfAlongM,
    halfAcrossM,
    hasGaps,
  };
}

/** A mirror sweep sees 16 lines of 30 m; without corrector two sweeps make a zigzag, so gaps come every two. */
const sweepM = 16 * 30;
const gapStepM = 2 * sweepM;
/** At the sides 14 lines are missing; in the middle, a good tenth of the width, none. */
const widestGapM = 14 * 30;
const wholeShare = 0.12;

function isGap(alongM: number, across: number): boolean {
  const gapM = (widestGapM * (Math.abs(across) - wholeShare)) / (1 - wholeShare);
  // the zigzag's turns on one side lie between those on the other
  const from = alongM + (across < 0 ? 0 : sweepM);
  const offset = from - Math.floor(from / gapStepM) * gapStepM;
  return Math.abs(offset - sweepM) < gapM / 2;
}

/** Rows of a grid, counted from its top. */
export interface RowRange {
  readonly row: number;
  readonly rowCount: number;
}

/** Which pixels of some rows the instrument saw. */
export interface Seen {
  /** 1 where it saw a pixel's middle, row after row over the whole width of the grid. */
  readonly pixels: Uint8Array;
  /** Columns of the swath there, gaps among them: from the first to before the last; alike when there are none. */
  readonly fromColumn: number;
  readonly toColumn: number;
}

/** Finds what was seen of some rows of a grid. */
export function findSeen(swath: Swath, grid: LandsatGrid, { row, rowCount }: RowRange): Seen {
  const { middleX, middleY, halfAlongM, halfAcrossM, hasGaps } = swath;
  const { firstX, firstY, pixelM, width } = grid;
  const pixels = new Uint8Array(width * rowCount);
  let [fromColumn, toColumn] = [width, 0];
  for (let line = 0, at = 0; line < rowCount; line++) {
    const dy = firstY + (row + line) * pixelM - middleY;
    for (let column = 0; column < width; column++, at++) {
      const dx = firstX + column * pixelM - middleX;
      const acrossM = (dx * alongY - dy * alongX) / skew;
      if (Math.abs(acrossM) > halfAcrossM) continue;
      const alongM = (dy * acrossX - dx * acrossY) / skew;
      if (Math.abs(alongM) > halfAlongM) continue;
      if (column < fromColumn) fromColumn = column;
      if (column >= toColumn) toColumn = column + 1;
      if (!(hasGaps && isGap(alongM, acrossM / halfAcrossM))) pixels[at] = 1;
    }
  }
  return { pixels, fromColumn: Math.min(fromColumn, toColumn), toColumn };
}
