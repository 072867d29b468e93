/** One picture of any rectangle of the ground, as the interface draws it in place of a tile. */
import type { Box } from './footprint.ts';

/** The equator in metres of Web Mercator, from 0 to 180 degrees: π times 6378137 m. */
const HALF_WORLD_M = 20_037_508.342789244;
/** Pictures are at most this wide and high. */
const MAX_SIDE_PX = 2048;

/** Longitude and latitude as metres of Web Mercator. */
const toMercator = (lon: number, lat: number): readonly [x: number, y: number] => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lon / 180) * HALF_WORLD_M, (Math.log((1 + sine) / (1 - sine)) / (2 * Math.PI)) * HALF_WORLD_M];
};

/** Width and height of a picture, in pixels. */
export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The size of a picture of a box that is so wide, with square pixels; both sides are even, as films need them. */
export const planSize = ([west, south, east, north]: Box, widthPx: number): PictureSize => {
  const [[left, bottom], [right, top]] = [toMercator(west, south), toMercator(east, north)];
  const ratio = (top - bottom) / (right - left);
  const width = Math.min(widthPx, MAX_SIDE_PX, MAX_SIDE_PX / ratio);
  const toEven = (px: number): number => Math.max(2, 2 * Math.round(px / 2));
  return { widthPx: toEven(width), heightPx: Math.min(MAX_SIDE_PX, toEven(width * ratio)) };
};

/** The address of the picture of a box, from a tile template whose bands are filled in. */
export const fillRectangle = (
  template: string,
  [west, south, east, north]: Box,
  { widthPx, heightPx }: PictureSize,
): string => {
  // Longitudes of a map that was dragged around the world are brought back.
  const turn = Math.floor((west + 180) / 360) * 360;
  const [left, lower] = toMercator(west - turn, south);
  const [right, upper] = toMercator(east - turn, north);
  const [x1, x2, y1, y2] = [left, right, upper, lower].map((metres) => metres.toFixed(2));
  const rectangle = template.replace('{z}/{x}/{y}', `0/${x1};${x2};3857/${y1};${y2};3857`);
  return `${rectangle}${template.includes('?') ? '&' : '?'}TILE_SIZE=${widthPx},${heightPx}`;
};

/** The tile of a zoom that a location is in. */
export const toTile = (lon: number, lat: number, z: number): { readonly x: number; readonly y: number } => {
  const [xM, yM] = toMercator(((((lon + 180) % 360) + 360) % 360) - 180, lat);
  const clamp = (value: number): number => Math.min(2 ** z - 1, Math.max(0, Math.floor(value)));
  return {
    x: clamp(((xM / HALF_WORLD_M + 1) / 2) * 2 ** z),
    y: clamp(((1 - yM / HALF_WORLD_M) / 2) * 2 ** z),
  };
};
