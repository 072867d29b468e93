import type { LookupTable } from '../../catalog/index.ts';
import type { Size } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { internal } from '../errors.ts';

interface TableWindow {
  readonly table: LookupTable;
  /** Pixels of a level of the image. */
  readonly window: PixelWindow;
  readonly levelSize: Size;
  /** The full image, whose lines and pixels the table counts. */
  readonly fullSize: Size;
}

/**
 * Fills a plane with a table's values at the centres of a window's pixels, linear along the pixels and then between the
 * lines. Beyond its ends a table goes on with its last value. The plane may lie in the kernels' memory.
 */
export function fillTablePlane(plane: Float32Array, request: TableWindow): void {
  const { table, window, levelSize, fullSize } = request;
  const { width, height } = window;
  if (plane.length !== width * height) {
    throw internal('window-mismatch', 'The plane of a table has not the size of its window.');
  }
  const across = positionsOn(
    table.pixels,
    { first: window.x, count: width },
    fullSize.width / levelSize.width,
  );
  const down = positionsOn(
    table.lines,
    { first: window.y, count: height },
    fullSize.height / levelSize.height,
  );
  /** The table's lines above and below, at all columns of the window; the same for many rows. */
  const above = new Float64Array(width);
  const below = new Float64Array(width);
  let filled = -1;
  for (let row = 0; row < height; row++) {
    const line = down.before[row]!;
    if (line !== filled) {
      fillLine(above, across, { table, line });
      fillLine(below, across, { table, line: Math.min(line + 1, table.lines.length - 1) });
      filled = line;
    }
    const part = down.part[row]!;
    const start = row * width;
    for (let col = 0; col < width; col++) {
      plane[start + col] = above[col]! + part * (below[col]! - above[col]!);
    }
  }
}

/** Positions along an axis as the node before each and the part of the way to the next. */
interface TablePositions {
  readonly before: Int32Array;
  readonly part: Float64Array;
}

/** Tables count pixels by their centres, from 0; a pixel of a reduced copy has its centre between them. */
function positionsOn(
  nodes: readonly number[],
  { first, count }: { readonly first: number; readonly count: number },
  reduction: number,
): TablePositions {
  const before = new Int32Array(count);
  const part = new Float64Array(count);
  const last = nodes.length - 1;
  let node = 0;
  for (let i = 0; i < count; i++) {
    const position = (first + i + 0.5) * reduction - 0.5;
    while (node < last - 1 && position >= nodes[node + 1]!) node += 1;
    before[i] = node;
    const span = last === 0 ? Infinity : nodes[node + 1]! - nodes[node]!;
    part[i] = Math.min(1, Math.max(0, (position - nodes[node]!) / span));
  }
  return { before, part };
}

function fillLine(
  target: Float64Array,
  across: TablePositions,
  { table: { pixels, values }, line }: { readonly table: LookupTable; readonly line: number },
): void {
  const start = line * pixels.length;
  const last = pixels.length - 1;
  for (let col = 0; col < target.length; col++) {
    const node = across.before[col]!;
    const from = values[start + node]!;
    const to = values[start + Math.min(node + 1, last)]!;
    target[col] = from + across.part[col]! * (to - from);
  }
}
