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
  const cells: number[] = [];
  const keys: number[] = [];
  const isBefore = (i: number, j: number): boolean =>
    keys[i]! < keys[j]! || (keys[i]! === keys[j]! && cells[i]! < cells[j]!);
  const swap = (i: number, j: number): void => {
    [cells[i], cells[j]] = [cells[j]!, cells[i]!];
    [keys[i], keys[j]] = [keys[j]!, keys[i]!];
  };
  const popTop = (): [cell: number, key: number] => {
    const top: [number, number] = [cells[0]!, keys[0]!];
    swap(0, cells.length - 1);
    cells.pop();
    keys.pop();
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= cells.length) break;
      const child = left + 1 < cells.length && isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(child, i)) break;
      swap(i, child);
      i = child;
    }
    return top;
  };
  return {
    push(cell: number): void {
      cells.push(cell);
      keys.push(cost[cell]!);
      for (let i = cells.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (!isBefore(i, parent)) break;
        swap(i, parent);
        i = parent;
      }
    },
    /** The cheapest cell, or -1 when none is left. */
    pop(): number {
      while (cells.length > 0) {
        const [cell, key] = popTop();
        if (key === cost[cell]!) return cell;
      }
      return -1;
    },
  };
}
