import type { Asset } from '../../catalog/index.ts';
import type { Bounds, Grid, Size } from '../../geo/index.ts';
import { outlineBounds, outlineMeets, toOutline, WGS84_RADIUS_M } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import { badInput } from '../errors.ts';
import type { ExportArea } from '../export.ts';
import type { PictureEpsg } from './scene-frame.ts';
import { findFinest, MAX_LAT, SYSTEMS, toFrameBounds, toFrameRing } from './scene-frame.ts';

/** The pixel size of a picture: in metres on the ground in the middle of the scene, or in metres of Web Mercator. */
export type PixelSize = { readonly groundM: number } | { readonly mapM: number };

interface GridRequest {
  /** The images that are shown. */
  readonly assets: readonly Asset[];
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
  /** Null for the pixels of the finest image. */
  readonly pixel: PixelSize | null;
  readonly epsg: PictureEpsg;
  readonly limits: PictureLimits;
}

/** The pixels of a picture. */
interface PictureGrids {
  readonly grid: Grid;
  /** A tile on the same lattice in the middle of the scene: all that holds for it holds for every part of the picture. */
  readonly probe: Grid;
}

/** Side of a tile. */
const PROBE_PX = 256;

/** What positions are good for, in pixels: bounds that are meant to lie between two pixels do. */
const SAME_PX = 1e-6;

/**
 * Plans the pixels of a picture: all that the scene shows of the area. They lie at multiples of their size from the
 * origin of the reference system, as those of map tiles do, so that pictures of neighbouring areas fit together, and a
 * picture in pixels of a zoom level has the pixels of its tiles.
 */
export function planPictureGrid({ assets, area, pixel, epsg, limits }: GridRequest): PictureGrids {
  const finest = findFinest(assets);
  const { groundPerMap } = finest.pixel;
  const mapM = pixel === null ? finest.pixel.mapM : toMapM(pixel, groundPerMap);
  const frame = toFrameBounds(finest.asset, epsg);
  const bounds = area === null ? frame : cropFrame(frame, { area, asset: finest.asset, epsg });
  const toPixelSize = (sizeM: number): readonly [width: number, height: number] =>
    epsg === 3857 ? [sizeM, sizeM] : [toDegrees(sizeM), toDegrees(sizeM) * groundPerMap];
  const pixelSize = toPixelSize(mapM);
  const tight = toGrid(bounds, pixelSize, epsg);
  const grid = area === null ? toRounded(tight, limits) : tight;
  checkSize(grid, limits, {
    groundM: mapM * groundPerMap,
    toSize: (groundM) => toGrid(bounds, toPixelSize(groundM / groundPerMap), epsg),
  });
  return { grid, probe: toProbe(finest.asset, pixelSize, epsg) };
}

/** How large a picture may be. */
export interface PictureLimits {
  readonly pixels: number;
  readonly sidePx: number;
}

/** Two and a half times a Sentinel-2 tile at 10 m; and the sides that libjpeg reads. */
export const DEFAULT_PICTURE_LIMITS: PictureLimits = { pixels: 300_000_000, sidePx: 65_500 };

interface Sizes {
  /** The pixel size that was asked for, on the ground. */
  readonly groundM: number;
  /** The size of the picture in pixels of another size. */
  readonly toSize: (groundM: number) => Size;
}

/** Refuses a picture that is too large, with the pixel size that would fit. */
function checkSize(size: Size, limits: PictureLimits, { groundM, toSize }: Sizes): void {
  const excess = toExcess(size, limits);
  if (excess <= 1) return;
  // What is asked for is a whole number of metres, at least where pixels have metres.
  const round = (pxSizeM: number): number =>
    pxSizeM >= 1 ? Math.ceil(pxSizeM) : Math.ceil(pxSizeM * 100) / 100;
  let fittingM = round(groundM * excess);
  // Whole pixels take a little more.
  while (toExcess(toSize(fittingM), limits) > 1) fittingM = round(fittingM * 1.001 + 0.01);
  const { pixels, sidePx } = limits;
  throw badInput(
    'picture-too-large',
    `The picture would have ${size.width} × ${size.height} pixels; ${pixels} are the limit, and ${sidePx} a side. A px_size of ${fittingM} fits.`,
    { details: { width: size.width, height: size.height, limit: pixels, pxSize: fittingM } },
  );
}

/** How many times larger pixels must be for a picture to fit. */
const toExcess = ({ width, height }: Size, { pixels, sidePx }: PictureLimits): number =>
  Math.max(Math.sqrt((width * height) / pixels), Math.max(width, height) / sidePx);

const toDegrees = (mapM: number): number => ((mapM / WGS84_RADIUS_M) * 180) / Math.PI;

function toMapM(pixel: PixelSize, groundPerMap: number): number {
  const mapM = 'mapM' in pixel ? pixel.mapM : pixel.groundM / groundPerMap;
  if (!(Number.isFinite(mapM) && mapM > 0)) {
    throw badInput('bad-px-size', 'px_size must be a number of metres above 0.');
  }
  return mapM;
}

function toGrid(
  { minX, minY, maxX, maxY }: Bounds,
  [width, height]: readonly [width: number, height: number],
  epsg: PictureEpsg,
): Grid {
  const [left, right] = toSpan(minX / width, maxX / width);
  const [top, bottom] = toSpan(-maxY / height, -minY / height);
  return {
    epsg,
    transform: [left * width, width, 0, -top * height, 0, -height],
    width: right - left,
    height: bottom - top,
  };
}

/**
 * The frame of a whole scene has empty corners in any case: of a large one the sides are rounded up, so that they can be
 * halved for all smaller copies of a COG. Where they cannot, these take ten times as long.
 */
function toRounded(grid: Grid, { pixels, sidePx }: PictureLimits): Grid {
  const round = (length: number): number => Math.ceil(length / ROUND_PX) * ROUND_PX;
  const [width, height] = [round(grid.width), round(grid.height)];
  const isLarge = Math.max(width, height) > LARGE_PX;
  const fits = width * height <= pixels && Math.max(width, height) <= sidePx;
  return isLarge && fits ? { ...grid, width, height } : grid;
}

/** Six halvings: of 300 million pixels to less than a block. */
const ROUND_PX = 64;
const LARGE_PX = 2_048;

/** Whole pixels that hold a span; at least one. */
function toSpan(start: number, end: number): readonly [first: number, end: number] {
  const first = Math.floor(start + SAME_PX);
  return [first, Math.max(first + 1, Math.ceil(end - SAME_PX))];
}

function toProbe(
  asset: Asset,
  [width, height]: readonly [width: number, height: number],
  epsg: PictureEpsg,
): Grid {
  const unit: Grid = { epsg, transform: [0, width, 0, 0, 0, -height], width: 1, height: 1 };
  const [col, row] = makePixelMapping(unit, asset).toTarget(asset.width / 2, asset.height / 2);
  const [left, top] = [Math.floor(col - PROBE_PX / 2), Math.floor(row - PROBE_PX / 2)];
  return {
    epsg,
    transform: [left * width, width, 0, -top * height, 0, -height],
    width: PROBE_PX,
    height: PROBE_PX,
  };
}

/** What the frame of a scene and the rectangle around an area have in common. */
function cropFrame(
  frame: Bounds,
  { area, asset, epsg }: { readonly area: ExportArea; readonly asset: Asset; readonly epsg: PictureEpsg },
): Bounds {
  const outline = area.kind === 'outline' ? area.outline : toOutline(toBox(area.bounds));
  const wanted = toMapBounds(area, epsg);
  const { turn } = SYSTEMS[epsg];
  const middle = (frame.minX + frame.maxX) / 2;
  const turns = Math.round((middle - (wanted.minX + wanted.maxX) / 2) / turn) * turn;
  const common = {
    minX: Math.max(frame.minX, wanted.minX + turns),
    minY: Math.max(frame.minY, wanted.minY),
    maxX: Math.min(frame.maxX, wanted.maxX + turns),
    maxY: Math.min(frame.maxY, wanted.maxY),
  };
  const isEmpty = common.minX >= common.maxX || common.minY >= common.maxY;
  if (isEmpty || !outlineMeets(outline, toFrameRing(asset))) {
    throw badInput('area-outside-scene', 'The area lies outside of the scene.');
  }
  return common;
}

const toBox = ({ minX, minY, maxX, maxY }: Bounds) =>
  ({
    type: 'Polygon',
    coordinates: [
      [
        [minX, minY],
        [maxX, minY],
        [maxX, maxY],
        [minX, maxY],
        [minX, minY],
      ],
    ],
  }) as const;

/** The rectangle around an area in the reference system of a picture: edges along meridians and parallels stay straight. */
function toMapBounds(area: ExportArea, epsg: PictureEpsg): Bounds {
  const { minX, minY, maxX, maxY } = area.kind === 'bounds' ? area.bounds : toBounds(area.outline);
  if (epsg === 4326) return { minX, minY, maxX, maxY };
  const toX = (lon: number): number => (lon / 180) * Math.PI * WGS84_RADIUS_M;
  const toY = (lat: number): number => {
    const angle = (Math.min(MAX_LAT, Math.max(-MAX_LAT, lat)) / 180) * Math.PI;
    return WGS84_RADIUS_M * Math.asinh(Math.tan(angle));
  };
  return { minX: toX(minX), minY: toY(minY), maxX: toX(maxX), maxY: toY(maxY) };
}

function toBounds(outline: Extract<ExportArea, { kind: 'outline' }>['outline']): Bounds {
  const { west, south, east, north } = outlineBounds(outline);
  return { minX: west, minY: south, maxX: east, maxY: north };
}
