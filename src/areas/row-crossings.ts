/** Where the lines around an area cross rows of pixels, and the runs of pixels between them. */
export interface RowCrossings {
  /** Begins an area on so many columns and rows. */
  begin(width: number, height: number): void;
  /**
   * Adds a line between two points; one to the right of the grid may be left out. Pixels whose centre lies within `slackPx`
   * of it are tested by `finish`. False if there are too many crossings or such pixels: their memory is bounded.
   */
  addLine(from: Point, to: Point, slackPx: number): boolean;
  /** The runs of pixels inside, one after the other: the first pixel of each and the one after its last. */
  finish(isInside: (col: number, row: number) => number): Uint32Array<ArrayBuffer>;
}

type Point = readonly [x: number, y: number];

/** The max number of crossings, and of pixels that are tested: far more than areas of 10,000 corners have in practice. */
const MAX_COUNT = 2 ** 20;

/** Crossings of a row up to which they are sorted by insertion. */
const FEW = 24;

/** Makes the crossings of one area after the other, in memory that is used again. */
export function makeRowCrossings(): RowCrossings {
  let width = 0;
  let height = 0;
  /** The rows of the crossings, and the first column to the right of each. */
  const rows = makeList();
  const columns = makeList();
  /** Pixels near a line, by their number in the grid. */
  const unsure = makeList();
  /** For each row, where its columns in `sorted` begin and end. */
  let starts = new Uint32Array(0);
  let ends = new Uint32Array(0);
  let sorted = new Uint32Array(0);
  let spans = new Uint32Array(0);

  return {
    begin(newWidth, newHeight) {
      [width, height] = [newWidth, newHeight];
      rows.length = 0;
      columns.length = 0;
      unsure.length = 0;
    },

    addLine(from, to, slackPx) {
      const [x, y, endX, endY] = from[1] <= to[1] ? [...from, ...to] : [...to, ...from];
      const slope = endY > y ? (endX - x) / (endY - y) : 0;
      const [left, right] = x < endX ? [x, endX] : [endX, x];
      const last = Math.min(height - 1, Math.floor(endY + slackPx - 0.5));
      for (let row = Math.max(0, Math.ceil(y - slackPx - 0.5)); row <= last; row += 1) {
        const middle = row + 0.5;
        const crossing = endY > y ? Math.min(right, Math.max(left, x + (middle - y) * slope)) : x;
        if (y <= middle && middle < endY) {
          rows.add(row);
          columns.add(Math.min(width, Math.max(0, Math.ceil(crossing - 0.5))));
        }
        // The part of the line that lies as near to the centres of the row; a level one may lie so with its whole length.
        const reach = Math.abs(slope) * slackPx;
        const isLevel = endY <= y;
        const nearLeft = isLevel ? left : Math.max(left, crossing - reach);
        const nearRight = isLevel ? right : Math.min(right, crossing + reach);
        const until = Math.min(width - 1, Math.floor(nearRight + slackPx - 0.5));
        for (let col = Math.max(0, Math.ceil(nearLeft - slackPx - 0.5)); col <= until; col += 1)
          unsure.add(row * width + col);
      }
      return Math.max(rows.length, unsure.length) <= MAX_COUNT;
    },

    finish(isInside) {
      sort();
      if (correct(isInside)) sort();
      return toRuns();
    },
  };

  /** Sorts the crossings by row and column. */
  function sort(): void {
    const count = rows.length;
    if (starts.length < height + 1) {
      starts = new Uint32Array(height + 1);
      ends = new Uint32Array(height + 1);
    }
    if (sorted.length < count) sorted = new Uint32Array(2 * count);
    starts.fill(0, 0, height + 1);
    for (let i = 0; i < count; i += 1) starts[rows.values[i]! + 1]! += 1;
    for (let row = 1; row <= height; row += 1) starts[row]! += starts[row - 1]!;
    ends.set(starts.subarray(0, height + 1));
    for (let i = 0; i < count; i += 1) {
      const row = rows.values[i]!;
      const start = starts[row]!;
      let at = ends[row]!;
      ends[row] = at + 1;
      const column = columns.values[i]!;
      if (at - start < FEW)
        for (; at > start && sorted[at - 1]! > column; at -= 1) sorted[at] = sorted[at - 1]!;
      sorted[at] = column;
    }
    for (let row = 0; row < height; row += 1)
      if (ends[row]! - starts[row]! > FEW) sorted.subarray(starts[row], ends[row]).sort();
  }

  /** Adds two crossings around each unsure pixel that is on the wrong side; true if there are any. */
  function correct(isInside: (col: number, row: number) => number): boolean {
    const pixels = unsure.values.subarray(0, unsure.length).sort();
    const before = rows.length;
    for (let i = 0; i < pixels.length; i += 1) {
      const pixel = pixels[i]!;
      if (i > 0 && pixel === pixels[i - 1]) continue;
      const row = Math.floor(pixel / width);
      const col = pixel - row * width;
      let state = 0;
      for (let at = starts[row]!; at < ends[row]! && sorted[at]! <= col; at += 1) state ^= 1;
      if (isInside(col, row) === state) continue;
      rows.add(row);
      columns.add(col);
      rows.add(row);
      columns.add(col + 1);
    }
    return rows.length > before;
  }

  function toRuns(): Uint32Array<ArrayBuffer> {
    if (spans.length < rows.length + 2) spans = new Uint32Array(2 * rows.length + 2);
    let end = 0;
    for (let row = 0; row < height; row += 1) {
      const first = row * width;
      const last = ends[row]!;
      for (let at = starts[row]!; at < last; at += 2) {
        const from = first + sorted[at]!;
        // Lines to the right of the grid are left out.
        const until = first + (at + 1 < last ? sorted[at + 1]! : width);
        if (from === until) continue;
        // A run may go on where the one before ends, also in the next row.
        if (end > 0 && spans[end - 1] === from) spans[end - 1] = until;
        else {
          spans[end] = from;
          spans[end + 1] = until;
          end += 2;
        }
      }
    }
    return spans.slice(0, end);
  }
}

/** A list of numbers that keeps its memory. */
interface NumberList {
  values: Uint32Array<ArrayBuffer>;
  length: number;
  add(value: number): void;
}

function makeList(): NumberList {
  return {
    values: new Uint32Array(1_024),
    length: 0,
    add(value) {
      if (this.length === this.values.length) {
        const larger = new Uint32Array(2 * this.length);
        larger.set(this.values);
        this.values = larger;
      }
      this.values[this.length++] = value;
    },
  };
}
