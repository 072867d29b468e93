import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import { projectBounds } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { utmCodeAt } from '../../render/native/index.ts';
import { badInput, tooLarge } from '../errors.ts';
import type { ExportArea } from '../export.ts';
import { toAreaBounds } from '../export.ts';

interface GridRequest {
  readonly area: ExportArea;
  /** Metres of a pixel on the ground. */
  readonly pixelM: number;
  /** Null for the UTM zone of the area's middle. */
  readonly epsg: number | null;
  /** Whether sides of large images are rounded up, for COGs. */
  readonly isRounded: boolean;
}

/** Metres of a degree of latitude. */
const DEGREE_M = 111_320;

/** Sides of larger files are rounded up, so that all smaller copies halve them: where they cannot, blocks would be read twice. */
const ROUND_PX = 64;
const BLOCK_PX = 512;

/** Whether files of mosaics can have a reference system: longitude and latitude, Web Mercator, and UTM. */
export const isMosaicSystem = (epsg: number): boolean => epsg === 4326 || epsg === 3857 || isUtm(epsg);

/** Whether a code is of a UTM zone, where units are metres on the ground. */
export const isUtm = (epsg: number): boolean =>
  (epsg >= 32_601 && epsg <= 32_660) || (epsg >= 32_701 && epsg <= 32_760);

/**
 * The pixels of a file: all around an area, at multiples of their size from the origin of the reference system, so that
 * files of neighbouring areas fit together.
 */
export function planMosaicGrid({ area, pixelM, epsg: wanted, isRounded }: GridRequest): Grid {
  const { minX: west, minY: south, maxX: east, maxY: north } = toAreaBounds(area);
  const middle = { lon: (west + east) / 2, lat: (south + north) / 2 };
  const epsg = wanted ?? utmCodeAt(middle.lon, middle.lat);
  const bounds = projectBounds({ minX: west, minY: south, maxX: east, maxY: north }, 4326, epsg);
  if (bounds === null || !Object.values(bounds).every(Number.isFinite))
    throw badInput('bad-area', `The area reaches where EPSG:${epsg} is not defined.`);
  const size = toMapSize(epsg, pixelM, middle.lat);
  const left = Math.floor(bounds.minX / size + SAME_PX);
  const top = Math.ceil(bounds.maxY / size - SAME_PX);
  const width = Math.max(1, Math.ceil(bounds.maxX / size - SAME_PX) - left);
  const height = Math.max(1, top - Math.floor(bounds.minY / size + SAME_PX));
  const isLarge = isRounded && Math.max(width, height) > BLOCK_PX;
  const round = (px: number): number => (isLarge ? Math.ceil(px / ROUND_PX) * ROUND_PX : px);
  return {
    epsg,
    transform: [left * size, size, 0, top * size, 0, -size],
    width: round(width),
    height: round(height),
  };
}

/** What positions are good for, in pixels: bounds that are meant to lie between two pixels do. */
const SAME_PX = 1e-6;

/** A size on the ground in units of a reference system. */
export function toMapSize(epsg: number, pixelM: number, lat: number): number {
  if (epsg === 4326) return pixelM / DEGREE_M;
  return epsg === 3857 ? pixelM / Math.cos((lat / 180) * Math.PI) : pixelM;
}

/** The grid of a window of another one. */
export const cutGrid = (grid: Grid, { x, y, width, height }: PixelWindow): Grid => ({
  ...grid,
  transform: moveOrigin(grid.transform, { x, y }),
  width,
  height,
});

/** One of the files that a large mosaic is cut into. */
export interface MosaicTile {
  readonly column: number;
  readonly row: number;
  readonly window: PixelWindow;
}

/** The side of a file: whole blocks, and a size that every program opens. */
const FILE_PX = 20 * BLOCK_PX;
/** The files of one order: at 10 m, more than two million square kilometres. */
const MAX_FILES = 256;

/** Cuts a mosaic into files; one that fits into a single file is not cut. */
export function cutIntoFiles({ width, height }: Grid, filePx = FILE_PX): readonly MosaicTile[] {
  const [columns, rows] = [Math.ceil(width / filePx), Math.ceil(height / filePx)];
  if (columns * rows > MAX_FILES) {
    throw tooLarge(
      'file-too-large',
      `The mosaic would have ${width} × ${height} pixels in ${columns * rows} files; ${MAX_FILES} files are the limit. Order larger pixels (px_size) or a smaller area.`,
    );
  }
  return listWindows({ x: 0, y: 0, width, height }, filePx).map((window) => ({
    column: window.x / filePx,
    row: window.y / filePx,
    window,
  }));
}

/** The squares of a window, row by row; those at its edges may be smaller. */
export function listWindows({ x, y, width, height }: PixelWindow, sidePx = BLOCK_PX): readonly PixelWindow[] {
  const windows: PixelWindow[] = [];
  for (let top = y; top < y + height; top += sidePx) {
    for (let left = x; left < x + width; left += sidePx) {
      windows.push({
        x: left,
        y: top,
        width: Math.min(sidePx, x + width - left),
        height: Math.min(sidePx, y + height - top),
      });
    }
  }
  return windows;
}
