import type { Noise } from '../../numbers/noise.ts';
import { baseGrid } from './grid.ts';
import type { Point } from './polylines.ts';

/** Where a point lies in the eroded grid: bent, so that valleys do not run along the grid's eight directions. */
export interface Warp {
  x(x: number, y: number): number;
  y(x: number, y: number): number;
  /** The point that a cell's centre stands for: the way back, by a few fixed-point steps. */
  pointOf(cell: number): Point;
}

/** Makes the bending of a world. */
export function makeWarp(noise: Noise): Warp {
  const bend = (x: number, y: number, channel: number): number =>
    360 * noise.gradient(x / 2500, y / 2500, channel) + 56 * noise.gradient(x / 680, y / 680, channel + 1);
  const warpX = (x: number, y: number): number => x + bend(x, y, 40);
  const warpY = (x: number, y: number): number => y + bend(x, y, 42);
  const { originM, cellM, size } = baseGrid;
  return {
    x: warpX,
    y: warpY,
    pointOf(cell) {
      const gridX = originM + ((cell % size) + 0.5) * cellM;
      const gridY = originM + (Math.floor(cell / size) + 0.5) * cellM;
      let x = gridX;
      let y = gridY;
      for (let step = 0; step < 5; step++) {
        const offX = gridX - warpX(x, y);
        y += gridY - warpY(x, y);
        x += offX;
      }
      return { x, y };
    },
  };
}
