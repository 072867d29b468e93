/** Dijkstra's search on a square grid with sixteen directions: the shortest way from sources to every cell. */

/** What to search: `stepCost` is the price per cell of length of going through a cell, Infinity where closed. */
export interface SearchGrid {
  readonly cols: number;
  readonly rows: number;
  readonly stepCost: Float64Array;
}

/** Cost to reach each cell, and the cell before it on the way (-1 at a source or where nothing leads). */
export interface SearchTree {
  readonly cost: Float64Array;
  readonly previous: Int32Array;
}

const offsets = [-2, -1, 0, 1, 2].flatMap((dy) => [-2, -1, 0, 1, 2].map((dx) => [dx, dy] as const));
const isNeighbour = (dx: number, dy: number): boolean => Math.max(Math.abs(dx), Math.abs(dy)) === 1;
const isKnights = (dx: number, dy: number): boolean => Math.abs(dx) + Math.abs(dy) === 3;

// Eight neighbours, then the eight knight's moves, without which every way bends at multiples of 45 degrees.
const moves = [
  ...offsets.filter(([dx, dy]) => isNeighbour(dx, dy)),
  ...offsets.filter(([dx, dy]) => isKnights(dx, dy)),
].map(([dx, dy]) => ({ dx, dy, length: Math.sqrt(dx * dx + dy * dy) }));

/** Spreads from the sources over the whole grid, or until `target` is reached; 8 directions leave out knight's moves. */
export function spreadCost(
  grid: SearchGrid,
  sources: Iterable<number>,
  { target = -1, directions = 16 }: { readonly target?: number; readonly directions?: 8 | 16 } = {},
): SearchTree {
  const { cols, rows, stepCost } = grid;
  const cost = new Float64Array(cols * rows).fill(Number.POSITIVE_INFINITY);
  const previous = new Int32Array(cols * rows).fill(-1);
  const queue = makeQueue(cost);
  for (const source of sources) {
    cost[source] = 0;
    queue.push(source);
  }
  for (let cell = queue.pop(); cell !== -1 && cell !== target; cell = queue.pop()) {
    const col = cell % cols;
    const row = (cell - col) / cols;
    for (let move = 0; move < directions; move++) {
      const { dx, dy, length } = moves[move]!;
      const x = col + dx;
      const y = row + dy;
      if (x < 0 || y < 0 || x >= cols || y >= rows) continue;
      const next = y * cols + x;
      const total = cost[cell]! + (length * (stepCost[cell]! + stepCost[next]!)) / 2;
      if (total < cost[next]!) {
        cost[next] = total;
        previous[next] = cell;
        queue.push(next);
      }
    }
  }
  return { cost, previous };
}

/** A binary heap of cells by cost; a cell pushed again after its cost fell leaves a stale entry that is skipped. */
function makeQueue(cost: Float64Array) {
  let cells = new Int32Array(4096);
  let keys = new Float64Array(4096);
  let count = 0;
  const grow = (): void => {
    const moreCells = new Int32Array(cells.length * 2);
    moreCells.set(cells);
    cells = moreCells;
    const moreKeys = new Float64Array(keys.length * 2);
    moreKeys.set(keys);
    keys = moreKeys;
  };
  /** Ties are broken by the cell's number, so that the order is the same everywhere. */
  const isBefore = (key: number, cell: number, at: number): boolean =>
    key < keys[at]! || (key === keys[at]! && cell < cells[at]!);
  const dropTop = (): void => {
    count--;
    const key = keys[count]!;
    const cell = cells[count]!;
    // The last entry sinks from the top: smaller children move up into the hole it leaves.
    let hole = 0;
    for (let child = 1; child < count; child = 2 * hole + 1) {
      if (child + 1 < count && isBefore(keys[child + 1]!, cells[child + 1]!, child)) child++;
      if (isBefore(key, cell, child)) break;
      keys[hole] = keys[child]!;
      cells[hole] = cells[child]!;
      hole = child;
    }
    keys[hole] = key;
    cells[hole] = cell;
  };
  return {
    push(cell: number): void {
      if (count === cells.length) grow();
      const key = cost[cell]!;
      let hole = count++;
      while (hole > 0) {
        const parent = (hole - 1) >> 1;
        if (!isBefore(key, cell, parent)) break;
        keys[hole] = keys[parent]!;
        cells[hole] = cells[parent]!;
        hole = parent;
      }
      keys[hole] = key;
      cells[hole] = cell;
    },
    /** The cheapest cell, or -1 when none is left. */
    pop(): number {
      while (count > 0) {
        const cell = cells[0]!;
        const key = keys[0]!;
        dropTop();
        if (key === cost[cell]!) return cell;
      }
      return -1;
    },
  };
}
