import type { Allocate, Kernels } from '../../raster/index.ts';
import { internal } from '../errors.ts';

/**
 * Heights in the kernels' memory from which a relief is computed, with one pixel more on every side than the result: a
 * pixel's slope comes from its eight neighbours (Horn's method). A pixel is void where one of the nine is unknown.
 */
export interface Relief {
  /** Float32 heights in metres, (width + 2) × (height + 2). */
  readonly heightsAt: number;
  /** A byte per height, 1 where it is known; 0 when all are known. NaN is unknown in any case. */
  readonly maskAt: number;
  /** Size of the result. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel on the ground, for each row of the result. Heights are exaggerated by dividing both sizes. */
  readonly pixelWidthsM: Float64Array;
  /** Height of a pixel on the ground, for each row of the result. */
  readonly pixelHeightsM: Float64Array;
}

/** Where the light of a hillshade comes from: clockwise from north, and above the horizon. */
export interface ReliefLight {
  readonly azimuthDeg: number;
  readonly altitudeDeg: number;
}

/** A float32 plane and its mask. */
export interface ReliefPlane {
  readonly valuesAt: number;
  readonly maskAt: number;
}

/** The address of a plane of bytes: 1 (in shadow) to 255 (facing the light) as gdaldem computes them, 0 for voids. */
export function shadeRelief(
  kernels: Kernels,
  allocate: Allocate,
  relief: Relief,
  light: ReliefLight,
): number {
  const { heightsAt, maskAt, width, height } = relief;
  const rowsAt = putRows(kernels, allocate, relief);
  const shadesAt = allocate(width * height);
  const [azimuth, altitude] = [toRadians(light.azimuthDeg), toRadians(light.altitudeDeg)];
  const level = 254 * Math.cos(altitude);
  const [up, east, north] = [254 * Math.sin(altitude), level * Math.sin(azimuth), level * Math.cos(azimuth)];
  kernels.run.shadeRelief(heightsAt, maskAt, width, height, rowsAt, shadesAt, up, east, north);
  return shadesAt;
}

/** Slopes in degrees, from 0 (level) to 90. */
export const slopeRelief = (kernels: Kernels, allocate: Allocate, relief: Relief): ReliefPlane =>
  runOn(kernels, allocate, relief, 'slopeRelief');

/** Directions in which the ground falls, in degrees from 0 to 360 clockwise from north; level pixels are void. */
export const aspectRelief = (kernels: Kernels, allocate: Allocate, relief: Relief): ReliefPlane =>
  runOn(kernels, allocate, relief, 'aspectRelief');

function runOn(
  kernels: Kernels,
  allocate: Allocate,
  relief: Relief,
  kernel: 'slopeRelief' | 'aspectRelief',
): ReliefPlane {
  const { heightsAt, maskAt, width, height } = relief;
  const rowsAt = putRows(kernels, allocate, relief);
  const plane = { valuesAt: allocate(4 * width * height), maskAt: allocate(width * height) };
  kernels.run[kernel](heightsAt, maskAt, width, height, rowsAt, plane.valuesAt, plane.maskAt);
  return plane;
}

/** The factors of each row: the weights of Horn's differences add up to 8 pixels. */
function putRows(kernels: Kernels, allocate: Allocate, relief: Relief): number {
  const { height, pixelWidthsM, pixelHeightsM } = relief;
  if (pixelWidthsM.length !== height || pixelHeightsM.length !== height)
    throw internal('relief-rows', `A relief of ${height} rows needs as many sizes of pixels.`);
  const rowsAt = allocate(8 * height);
  const rows = new Float32Array(kernels.buffer(), rowsAt, 2 * height);
  for (let y = 0; y < height; y++) {
    rows[2 * y] = 1 / (8 * pixelWidthsM[y]!);
    rows[2 * y + 1] = 1 / (8 * pixelHeightsM[y]!);
  }
  return rowsAt;
}

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
