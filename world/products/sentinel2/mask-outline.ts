/** Corners of pixels, columns and rows counted from the upper left one; the last is the first. */
export type CornerRing = readonly (readonly [column: number, row: number])[];

/** A part of a mask whose pixels hang together by their sides: its outline first, then the holes in it. */
export type MaskPart = readonly CornerRing[];

interface Mask {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Steps along the sides of pixels: east, south, west, north. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
/** Pixels ahead of a corner by heading, as steps from the one whose upper left corner it is. */
const AHEAD_LEFT = [
  [0, -1],
  [0, 0],
  [-1, 0],
  [-1, -1],
] as const;
const AHEAD_RIGHT = [
  [0, 0],
  [-1, 0],
  [-1, -1],
  [0, -1],
] as const;

/**
 * Outlines of the parts of a mask along the sides of its pixels. Outlines run clockwise and holes the other way round;
 * no ring touches itself, though a hole may touch the outline in a corner.
 */
export function traceMask(mask: Mask): MaskPart[] {
  const { width, height } = mask;
  const labels = labelParts(mask);
  const parts = new Map<number, CornerRing[]>();
  // the upper side of a pixel is walked from west to east; each ring has such a side, and is found by its first
  const isWalked = new Uint8Array(width * height);
  for (let at = 0; at < labels.length; at++) {
    const label = labels[at]!;
    if (label === 0 || isWalked[at] === 1 || (at >= width && labels[at - width] === label)) continue;
    const rings = splitRing(walk({ labels, width, height, label }, at, isWalked));
    parts.set(label, [...(parts.get(label) ?? []), ...rings]);
  }
  // the first ring of a part is found at its upper left pixel, and what is split off it are holes
  return [...parts.values()].map((rings) => rings.toSorted((a, b) => signedArea(b) - signedArea(a)));
}

/** Numbers from 1 for pixels that hang together by their sides, 0 for those outside of the mask. */
function labelParts({ width, height, pixels }: Mask): Int32Array {
  const labels = new Int32Array(width * height);
  const waiting: number[] = [];
  let last = 0;
  const reach = (at: number) => {
    if (pixels[at] !== 1 || labels[at] !== 0) return;
    labels[at] = last;
    waiting.push(at);
  };
  for (let start = 0; start < labels.length; start++) {
    if (pixels[start] !== 1 || labels[start] !== 0) continue;
    last++;
    reach(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const column = at % width;
      if (column > 0) reach(at - 1);
      if (column < width - 1) reach(at + 1);
      if (at >= width) reach(at - width);
      if (at < width * (height - 1)) reach(at + width);
    }
  }
  return labels;
}

interface Labelled {
  readonly labels: Int32Array;
  readonly width: number;
  readonly height: number;
  readonly label: number;
}

/** Walks around a part with its pixels on the right hand, from the upper side of a pixel; only corners are returned. */
function walk(part: Labelled, from: number, isWalked: Uint8Array): (readonly [number, number])[] {
  const { labels, width, height, label } = part;
  const isInside = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < width && row < height && labels[row * width + column] === label;
  const start = [from % width, Math.floor(from / width)] as const;
  const ring: (readonly [number, number])[] = [];
  let [column, row] = start;
  let heading = 0;
  do {
    if (heading === 0) isWalked[row * width + column] = 1;
    const [stepX, stepY] = STEPS[heading]!;
    column += stepX;
    row += stepY;
    const isAhead = ([x, y]: readonly [number, number]) => isInside(column + x, row + y);
    const turn = turnAt(isAhead(AHEAD_LEFT[heading]!), isAhead(AHEAD_RIGHT[heading]!));
    if (turn !== 0) ring.push([column, row]);
    heading = (heading + turn) & 3;
  } while (column !== start[0] || row !== start[1] || heading !== 0);
  return ring;
}

/** Left where the part goes on to the left, straight along its side, right where it ends. */
const turnAt = (isLeftInside: boolean, isRightInside: boolean): number =>
  isRightInside ? (isLeftInside ? 3 : 0) : 1;

/** Cuts a ring where it comes back to a corner, so that each piece touches itself nowhere; closes the pieces. */
function splitRing(corners: readonly (readonly [number, number])[]): CornerRing[] {
  const rings: CornerRing[] = [];
  const path: (readonly [number, number])[] = [];
  const indexByCorner = new Map<string, number>();
  for (const corner of corners) {
    const key = corner.join();
    const known = indexByCorner.get(key);
    if (known === undefined) {
      indexByCorner.set(key, path.length);
      path.push(corner);
      continue;
    }
    const loop = path.splice(known + 1);
    for (const passed of loop) indexByCorner.delete(passed.join());
    rings.push([corner, ...loop, corner]);
  }
  rings.push([...path, path[0]!]);
  return rings;
}

/** Positive for rings that run clockwise, rows being counted downwards. */
const signedArea = (ring: CornerRing): number =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0] * y - x * ring[i]![1], 0) / 2;
