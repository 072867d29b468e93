import type { HeightGrid } from '../height-grid.ts';

/** A grid of heights by a function of column and row. */
export function makeHeightGrid(
  width: number,
  height: number,
  heightAt: (column: number, row: number) => number,
): HeightGrid {
  const heights = new Float32Array(width * height);
  for (let i = 0; i < heights.length; i++) heights[i] = heightAt(i % width, Math.floor(i / width));
  return { heights, width, height };
}

/** A grid of heights of one digit each, row by row; a dot is an unknown height. */
export function parseHeightGrid(rows: readonly string[]): HeightGrid {
  const text = rows.join('');
  return {
    heights: Float32Array.from(text, (digit) => (digit === '.' ? 0 : Number(digit))),
    width: rows[0]!.length,
    height: rows.length,
    mask: Uint8Array.from(text, (digit) => (digit === '.' ? 0 : 1)),
  };
}
