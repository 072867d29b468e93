import type { Allocate, Kernels } from '../../raster/index.ts';

/** Heights in the kernels' memory that are to be written as colours. */
export interface EncodedHeights {
  /** Float32 heights in metres. */
  readonly valuesAt: number;
  /** A byte per height, 1 where it is known; 0 when all are known. NaN is unknown in any case. */
  readonly maskAt: number;
  readonly count: number;
  /** The height of unknown pixels, which are transparent black when this is null. */
  readonly unknownM: number | null;
}

/**
 * The address of RGBA pixels in terrarium encoding, to the nearest 1/256 m: height = 256 R + G + B / 256 − 32768.
 * Heights outside of −32768 to 32768 m are clamped.
 */
export const encodeTerrarium = (kernels: Kernels, allocate: Allocate, heights: EncodedHeights): number =>
  encode(kernels, allocate, heights, 'encodeTerrarium');

/**
 * The address of RGBA pixels in Mapbox's Terrain-RGB encoding, to the nearest 0.1 m: height = 0.1 × (65536 R + 256 G +
 * B) − 10000. Heights below −10000 m are clamped.
 */
export const encodeTerrainRgb = (kernels: Kernels, allocate: Allocate, heights: EncodedHeights): number =>
  encode(kernels, allocate, heights, 'encodeTerrainRgb');

function encode(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, maskAt, count, unknownM }: EncodedHeights,
  kernel: 'encodeTerrarium' | 'encodeTerrainRgb',
): number {
  const rgbaAt = allocate(4 * count);
  kernels.run[kernel](valuesAt, maskAt, rgbaAt, count, Number(unknownM !== null), unknownM ?? 0);
  return rgbaAt;
}
