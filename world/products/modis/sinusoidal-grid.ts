import { badInput } from '../../../src/errors.ts';
import type { Affine } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { Locations } from '../../ground/ground.ts';
import { epsg, frame } from '../../setting.ts';
import type { LocalWindow } from '../local-window.ts';

/** Radius of the sphere MODIS counts on. */
export const radiusM = 6_371_007.181;

/** The tile that the whole world lies in: the sinusoidal grid has 36 by 18 tiles of ten degrees of latitude. */
export const tile = { horizontal: 9, vertical: 4 } as const;

const tilePixels = 2_400;
const tileM = (radiusM * Math.PI) / 18;
/** 463.3127 m, called 500 m. */
const pixelM = tileM / tilePixels;
const tileWest = (tile.horizontal - 18) * tileM;
const tileNorth = (9 - tile.vertical) * tileM;

const sinusoidal = `+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=${radiusM} +units=m +no_defs`;

/** The part of the tile around a window, and which of its pixels lie in the window. */
export interface ModisGrid {
  readonly width: number;
  readonly height: number;
  readonly transform: Affine;
  /** Locations of the pixels inside alone, one after the other. */
  readonly locations: Locations;
  /** Where those pixels lie in the image, counted row after row. */
  readonly indices: Uint32Array;
}

/** Points along each side of the window that its extent on the grid is measured at; the sides are nearly straight. */
const SIDE_POINTS = 33;

/** Cuts the tile to a window. Rows of the grid lean by more than 45 degrees here, so much of the frame is empty. */
export function planModisGrid(window: LocalWindow): ModisGrid {
  const { forward, inverse } = makeProjection(epsg, sinusoidal);
  const { x: minX, y: minY, widthM, heightM } = window;
  const [maxX, maxY] = [minX + widthM, minY + heightM];
  const inFrame = minX >= 0 && minY >= 0 && maxX <= frame.sizeM && maxY <= frame.sizeM;
  if (!(inFrame && maxX - minX >= 2 * pixelM && maxY - minY >= 2 * pixelM)) {
    throw badInput('bad-window', 'A MODIS window lies in the world and is at least 1 km wide and high.');
  }
  const edge = Array.from({ length: SIDE_POINTS }, (_, i) => i / (SIDE_POINTS - 1)).flatMap((t) => {
    const [x, y] = [minX + t * (maxX - minX), minY + t * (maxY - minY)];
    return [
      [x, minY],
      [x, maxY],
      [minX, y],
      [maxX, y],
    ] as const;
  });
  const cells = edge.map(([x, y]) => {
    const [east, north] = forward(frame.west + x, frame.north - y);
    return [(east - tileWest) / pixelM, (tileNorth - north) / pixelM] as const;
  });
  const clip = (cell: number) => Math.min(Math.max(cell, 0), tilePixels);
  const first = (axis: 0 | 1) => clip(Math.floor(Math.min(...cells.map((cell) => cell[axis]))));
  const last = (axis: 0 | 1) => clip(Math.ceil(Math.max(...cells.map((cell) => cell[axis]))));
  const [column, row] = [first(0), first(1)];
  const [width, height] = [last(0) - column, last(1) - row];
  const west = tileWest + column * pixelM;
  const north = tileNorth - row * pixelM;
  const xs: number[] = [];
  const ys: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < width * height; i++) {
    const [easting, northing] = inverse(
      west + ((i % width) + 0.5) * pixelM,
      north - (Math.floor(i / width) + 0.5) * pixelM,
    );
    // to the millimetre: sines may differ in their last digits between machines
    const x = Math.round((easting - frame.west) * 1000) / 1000;
    const y = Math.round((frame.north - northing) * 1000) / 1000;
    if (x < minX || x > maxX || y < minY || y > maxY) continue;
    xs.push(x);
    ys.push(y);
    indices.push(i);
  }
  return {
    width,
    height,
    transform: [west, pixelM, 0, north, 0, -pixelM],
    locations: {
      width: xs.length,
      height: 1,
      x: Float64Array.from(xs),
      y: Float64Array.from(ys),
      sideM: pixelM,
    },
    indices: Uint32Array.from(indices),
  };
}
