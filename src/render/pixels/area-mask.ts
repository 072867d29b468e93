import { rasterizeArea } from '../../areas/index.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';

/** 1 where a pixel's centre lies in all outlines; null without any outline. */
export function maskAreas(outlines: readonly AreaOutline[], grid: Grid): Uint8Array | null {
  const [first, ...others] = outlines.map((outline) => rasterizeArea(outline, grid));
  if (first === undefined) return null;
  for (const other of others) intersectMask(first, other);
  return first;
}

/** Clears a mask where another one is clear. */
export function intersectMask(mask: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) mask[i] = (mask[i] as number) & (other[i] as number);
}
