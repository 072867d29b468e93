import type { AreaOutline } from '../geo/index.ts';
import { LON_LAT_GRID } from '../geo/index.ts';
import type { GeoreferencedGrid } from '../proj/index.ts';
import { makePixelMapping } from '../proj/index.ts';
import type { PixelWindow } from '../raster/index.ts';

/** Edges are straight in degrees; over so many pixels they are straight in any projection. */
const PIECE_PX = 8;

/**
 * Marks the pixels that an outline passes through. For an area without the centre of a pixel these are all that it
 * touches: a pixel that lies in it wholly would have its centre in it.
 */
export function touchPixels(outline: AreaOutline, grid: GeoreferencedGrid): Uint8Array<ArrayBuffer> {
  const { width, height } = grid;
  const mask = new Uint8Array(width * height);
  const toPixel = makeToPixel(grid);
  for (let edge = 0; edge < outline.length; edge += 4) {
    const [lon, lat, endLon, endLat] = outline.subarray(edge, edge + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    let from = toPixel(lon, lat);
    const end = toPixel(endLon, endLat);
    const lengthPx = Math.hypot(end[0] - from[0], end[1] - from[1]);
    const pieces = Math.max(1, Math.min(100_000, Math.ceil(lengthPx / PIECE_PX)));
    for (let piece = 1; piece <= pieces; piece += 1) {
      const share = piece / pieces;
      const to = toPixel(lon + share * (endLon - lon), lat + share * (endLat - lat));
      walk(from, to, (col, row) => {
        if (col >= 0 && row >= 0 && col < width && row < height) mask[row * width + col] = 1;
      });
      from = to;
    }
  }
  return mask;
}

/** The window of an image around an outline, in whole pixels; null if it lies outside. */
export function planTouchedWindow(outline: AreaOutline, grid: GeoreferencedGrid): PixelWindow | null {
  const toPixel = makeToPixel(grid);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [col, row] = toPixel(outline[i]!, outline[i + 1]!);
    left = Math.min(left, Math.floor(col));
    right = Math.max(right, Math.floor(col));
    top = Math.min(top, Math.floor(row));
    bottom = Math.max(bottom, Math.floor(row));
  }
  return clipWindow({ x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, grid);
}

/** The part of a window that lies in an image; null if there is none. */
export function clipWindow(
  { x, y, width, height }: PixelWindow,
  image: { readonly width: number; readonly height: number },
): PixelWindow | null {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(image.width, x + width), Math.min(image.height, y + height)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** From longitude and latitude to columns and rows. */
export function makeToPixel(grid: GeoreferencedGrid): (lon: number, lat: number) => [number, number] {
  const { toTarget } = makePixelMapping(grid, LON_LAT_GRID);
  return (lon, lat) => toTarget(lon, lat) as [number, number];
}

/** Visits the pixels that a line passes through, from crossing to crossing (Amanatides and Woo, 1987). */
function walk(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  visit: (col: number, row: number) => void,
): void {
  if (!Number.isFinite(fromX + fromY + toX + toY)) return;
  let [col, row] = [Math.floor(fromX), Math.floor(fromY)];
  const [lastCol, lastRow] = [Math.floor(toX), Math.floor(toY)];
  const [stepX, stepY] = [Math.sign(toX - fromX), Math.sign(toY - fromY)];
  const [overX, overY] = [Math.abs(1 / (toX - fromX)), Math.abs(1 / (toY - fromY))];
  let nextX = stepX === 0 ? Infinity : (stepX > 0 ? col + 1 - fromX : fromX - col) * overX;
  let nextY = stepY === 0 ? Infinity : (stepY > 0 ? row + 1 - fromY : fromY - row) * overY;
  const steps = Math.abs(lastCol - col) + Math.abs(lastRow - row);
  visit(col, row);
  for (let step = 0; step < steps; step += 1) {
    if (nextX < nextY) {
      col += stepX;
      nextX += overX;
    } else {
      row += stepY;
      nextY += overY;
    }
    visit(col, row);
  }
}
