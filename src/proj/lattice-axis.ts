/** The weights of the nodes along one axis at a position, and their derivatives. */
export interface AxisWeights {
  /** The first node with a weight. */
  first: number;
  /** The number of nodes with a weight, at most four. */
  readonly count: number;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
}

/**
 * Interpolation between nodes on an axis: cubic in each cell, through all nodes, without kinks and exact for parabolas.
 * Its slope at a node is that of the parabola through the node and its neighbours. A warp approximates the result by
 * smooth patches, and would have to follow every kink pixel by pixel.
 *
 * Beyond its ends it continues straight and flattens out within one cell: what is interpolated is the small difference
 * from an affine, which must stay small where it is unknown.
 */
export function makeLatticeAxis(nodes: readonly number[]): (position: number) => AxisWeights {
  const count = Math.min(4, nodes.length);
  const lastCell = nodes.length - 2;
  // Four numbers per weight, the weights of a cell one after the other.
  const cubics = Float64Array.from(
    Array.from({ length: lastCell + 1 }, (_, cell) => cellCubics(nodes, cell, count)).flat(2),
  );
  const weights: AxisWeights = {
    first: 0,
    count,
    values: new Float64Array(4),
    slopes: new Float64Array(4),
  };

  return (position) => {
    const cell = findCell(nodes, position);
    const start = nodes[cell]!;
    const length = nodes[cell + 1]! - start;
    const part = (position - start) / length;
    const inside = Math.min(1, Math.max(0, part));
    const beyond = part - inside;
    const slowed = 1 + Math.abs(beyond);
    weights.first = firstNode(nodes.length, cell, count);
    for (let k = 0, at = cell * 4 * count; k < count; k++, at += 4) {
      const [a, b, c, d] = [cubics[at]!, cubics[at + 1]!, cubics[at + 2]!, cubics[at + 3]!];
      const slope = b + inside * (2 * c + inside * 3 * d);
      weights.values[k] = a + inside * (b + inside * (c + inside * d)) + (slope * beyond) / slowed;
      weights.slopes[k] = slope / (slowed * slowed) / length;
    }
    return weights;
  };
}

/** The cell of a position; the outer cells also cover what lies beyond them. */
function findCell(nodes: readonly number[], position: number): number {
  let [low, high] = [0, nodes.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (position >= nodes[middle]!) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first node with a weight in a cell: the one before it, if there is one and enough follow. */
const firstNode = (length: number, cell: number, count: number): number =>
  Math.min(Math.max(0, cell - 1), length - count);

type Cubic = readonly [a: number, b: number, c: number, d: number];

/** For each node with a weight in a cell, its weight as a cubic of the relative position in the cell. */
function cellCubics(nodes: readonly number[], cell: number, count: number): readonly Cubic[] {
  const first = firstNode(nodes.length, cell, count);
  const length = nodes[cell + 1]! - nodes[cell]!;
  return Array.from({ length: count }, (_, k) => {
    // The response of the axis when only this node is 1.
    const valueAt = (node: number): number => Number(node === first + k);
    const [from, to] = [valueAt(cell), valueAt(cell + 1)];
    const leave = length * nodeSlope(nodes, cell, valueAt);
    const arrive = length * nodeSlope(nodes, cell + 1, valueAt);
    return [from, leave, 3 * (to - from) - 2 * leave - arrive, 2 * (from - to) + leave + arrive];
  });
}

/** Slope at a node of the parabola through three neighbours; with two nodes, that of the line. */
function nodeSlope(nodes: readonly number[], node: number, valueAt: (node: number) => number): number {
  const secant = (i: number): number => (valueAt(i + 1) - valueAt(i)) / (nodes[i + 1]! - nodes[i]!);
  if (nodes.length === 2) return secant(0);
  const middle = Math.min(Math.max(1, node), nodes.length - 2);
  const [before, after] = [secant(middle - 1), secant(middle)];
  const curve = (after - before) / (nodes[middle + 1]! - nodes[middle - 1]!);
  // The line through the first two nodes, and the term that the parabola adds.
  return before + curve * (2 * nodes[node]! - nodes[middle - 1]! - nodes[middle]!);
}
