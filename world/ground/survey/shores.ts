import type { Noise } from '../../numbers/noise.ts';
import { baseGrid, makeLinearSampler } from '../base/grid.ts';
import type { GroundBase } from '../base/ground-base.ts';

/** Shores of the sea and the lake down to a few metres. */
export interface Shores {
  /** Metres inland from the shore, negative at sea. */
  inlandM(x: number, y: number): number;
  /** Metres outside the lake at its full level, negative on it. */
  lakeEdgeM(x: number, y: number): number;
}

/** Outside of this box the lake's shore is kilometres away. */
const lakeBox = { minX: 58000, maxX: 78000, minY: 45000, maxY: 57000 } as const;
const farFromLakeM = 2000;

/** Makes the shores: the base grid's, with coves and points where they are near. */
export function makeShores(base: GroundBase, noise: Noise): Shores {
  const inland = makeLinearSampler(base.inlandM, baseGrid);
  const lakeEdge = makeLinearSampler(base.lakeEdgeM, baseGrid);
  return {
    inlandM(x, y) {
      const rough = inland(x, y);
      if (rough > 900 || rough < -900) return rough;
      return rough + 150 * noise.fractal(x / 1100, y / 1100, 5, 90);
    },
    lakeEdgeM(x, y) {
      if (x < lakeBox.minX || x > lakeBox.maxX || y < lakeBox.minY || y > lakeBox.maxY) return farFromLakeM;
      const rough = lakeEdge(x, y);
      if (rough > 700 || rough < -700) return rough;
      return rough + 90 * noise.fractal(x / 700, y / 700, 4, 95);
    },
  };
}
