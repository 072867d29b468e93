/**
 * Polygons of a map of classes, exactly along the edges of its pixels. Pixels that share an edge are one patch; patches that
 * only touch at a corner are two. Work comes in slices, so that the page of the viewer can do other things between them.
 */

/** A map of classes: a byte a pixel, row by row from the top left corner; 0 means no class. */
export interface ClassMap {
  readonly width: number;
  readonly height: number;
  readonly classes: Uint8Array;
}

/** A corner of pixels: column and row, counted from the top left corner of the map. */
export type Corner = readonly [column: number, row: number];

/** A connected patch of one class: the outer ring, then the holes; rings are closed, the outer one counter-clockwise on a map with north up. */
export interface Patch {
  readonly class: number;
  readonly pixels: number;
  readonly rings: readonly (readonly Corner[])[];
}

/** Pixels, or corners, between two slices: about ten milliseconds. */
const SLICE = 100_000;

/** Numbers patches from 1 by four neighbours; yields between slices. */
function* labelPatches({ width, height, classes }: ClassMap): Generator<void, Labels> {
  const labels = new Int32Array(width * height);
  const found: { class: number; pixels: number }[] = [];
  const stack: number[] = [];
  let done = 0;
  for (let start = 0; start < labels.length; start++) {
    if (++done % SLICE === 0) yield;
    const own = classes[start] ?? 0;
    if (own === 0 || labels[start] !== 0) continue;
    const patch = { class: own, pixels: 0 };
    found.push(patch);
    labels[start] = found.length;
    stack.push(start);
    for (let pixel = stack.pop(); pixel !== undefined; pixel = stack.pop()) {
      if (++done % SLICE === 0) yield;
      patch.pixels++;
      const column = pixel % width;
      const near = [
        column > 0 ? pixel - 1 : -1,
        column < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ];
      for (const other of near) {
        if (classes[other] !== own || labels[other] !== 0) continue;
        labels[other] = found.length;
        stack.push(other);
      }
    }
  }
  return { labels, found };
}

interface Labels {
  readonly labels: Int32Array;
  readonly found: readonly { readonly class: number; readonly pixels: number }[];
}

/** Directions of edges: east, north, west, south; a turn to the left adds one. */
const STEPS = [
  [1, 0],
  [0, -1],
  [-1, 0],
  [0, 1],
] as const;

/** Twice the signed area of a ring in rows that count downwards: negative for one that is counter-clockwise on the map. */
const twiceArea = (ring: readonly Corner[]): number => {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1] as Corner;
    const [x1, y1] = ring[i] as Corner;
    sum += x0 * y1 - x1 * y0;
  }
  return sum;
};

/**
 * Patches with their rings, in the order of their first pixels; yields between slices. A corner at which more than two
 * patches meet is a corner of the rings of all of them, so that neighbours share every position, also after a projection.
 */
export function* tracePatches(map: ClassMap): Generator<void, readonly Patch[]> {
  const { width, height } = map;
  const { labels, found } = yield* labelPatches(map);
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : (labels[row * width + column] ?? 0);
  /** The pixel to the left of an edge that leaves a corner in a direction. */
  const leftOf = (x: number, y: number, direction: number): number => {
    if (direction === 0) return at(x, y - 1);
    if (direction === 1) return at(x - 1, y - 1);
    return direction === 2 ? at(x - 1, y) : at(x, y);
  };
  const rightOf = (x: number, y: number, direction: number): number => {
    if (direction === 0) return at(x, y);
    if (direction === 1) return at(x, y - 1);
    return direction === 2 ? at(x - 1, y - 1) : at(x - 1, y);
  };
  /** Whether the edge has the patch on its left and something else on its right. */
  const isEdge = (label: number, x: number, y: number, direction: number): boolean =>
    leftOf(x, y, direction) === label && rightOf(x, y, direction) !== label;
  /** Whether borders of several patches meet here, rather than one that goes on straight or turns. */
  const isNode = (x: number, y: number): boolean => {
    const around = [at(x, y), at(x - 1, y), at(x - 1, y - 1), at(x, y - 1)];
    const changes = around.filter((label, i) => label !== around[(i + 1) % 4]).length;
    return changes > 2;
  };

  /** A bit for each direction of the edges that leave a corner and are in a ring already. */
  const visited = new Uint8Array((width + 1) * (height + 1));
  let done = 0;
  function* trace(label: number, startX: number, startY: number, first: number): Generator<void, Corner[]> {
    const ring: Corner[] = [];
    let [x, y, direction] = [startX, startY, first];
    let isFirst = true;
    for (;;) {
      if (++done % SLICE === 0) yield;
      const slot = y * (width + 1) + x;
      const bit = 1 << direction;
      if (((visited[slot] ?? 0) & bit) !== 0) break;
      visited[slot] = (visited[slot] ?? 0) | bit;
      const [dx, dy] = STEPS[direction] as readonly [number, number];
      [x, y] = [x + dx, y + dy];
      // Right before straight before left: where two pixels of a patch only touch, a ring goes over to the other one, and
      // so a hole that touches the outside is a ring of its own and no ring touches itself.
      const next = [direction + 3, direction, direction + 1]
        .map((turn) => turn % 4)
        .find((turn) => isEdge(label, x, y, turn));
      if (next === undefined) break;
      if (next !== direction || isNode(x, y)) ring.push([x, y]);
      direction = next;
      isFirst = false;
    }
    const [head] = ring;
    if (isFirst || head === undefined) return [];
    return [...ring, head];
  }

  const rings = found.map((): Corner[][] => []);
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      if (++done % SLICE === 0) yield;
      for (let direction = 0; direction < 4; direction++) {
        const label = leftOf(x, y, direction);
        if (label === 0 || !isEdge(label, x, y, direction)) continue;
        if (((visited[y * (width + 1) + x] ?? 0) & (1 << direction)) !== 0) continue;
        const ring = yield* trace(label, x, y, direction);
        if (ring.length > 3) rings[label - 1]?.push(ring);
      }
    }
  }
  return found.map((patch, i) => ({
    ...patch,
    // The outer ring turns the other way round than holes do.
    rings: (rings[i] ?? []).toSorted((a, b) => Math.sign(twiceArea(a)) - Math.sign(twiceArea(b))),
  }));
}
