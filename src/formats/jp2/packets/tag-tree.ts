import type { BlockGrid } from './block-grids.ts';
import type { HeaderBits } from './header-bits.ts';

/** A tag tree (ISO/IEC 15444-1, B.10.2): numbers of a grid, told bit by bit with what their neighbours share. */
export interface TagTree {
  /** Reads until it is known whether the number of this cell is less than `limit`. */
  isBelow(x: number, y: number, limit: number, bits: HeaderBits): boolean;
}

interface Layer extends BlockGrid {
  /** What the numbers are at least. */
  readonly lows: Uint16Array;
  /** 1 where that is the number itself. */
  readonly known: Uint8Array;
}

const toLayer = ({ across, down }: BlockGrid): Layer => ({
  across,
  down,
  lows: new Uint16Array(across * down),
  known: new Uint8Array(across * down),
});

/** A tree of which nothing is known yet. */
export function makeTagTree(grid: BlockGrid): TagTree {
  const layers = [toLayer(grid)];
  for (let { across, down } = grid; across * down > 1; ) {
    across = Math.ceil(across / 2);
    down = Math.ceil(down / 2);
    layers.push(toLayer({ across, down }));
  }
  return {
    isBelow(x, y, limit, bits) {
      let low = 0;
      for (let depth = layers.length - 1; depth >= 0; depth--) {
        const { across, lows, known } = layers[depth]!;
        const cell = (y >> depth) * across + (x >> depth);
        low = Math.max(low, lows[cell]!);
        while (low < limit && known[cell] === 0) {
          if (bits.take(1) === 1) known[cell] = 1;
          else low++;
        }
        lows[cell] = low;
      }
      return low < limit;
    },
  };
}
