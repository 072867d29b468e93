import type { Size } from '../../../geo/index.ts';

/** One axis of a tile: half-open range of pixels. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pixels of a tile on one axis of the full image. */
export const toSpan = (tile: number, tileSide: number, imageSide: number): Span => ({
  start: tile * tileSide,
  end: Math.min((tile + 1) * tileSide, imageSide),
});

/** A coordinate of the full image at a level: the standard rounds up (ISO/IEC 15444-1, B.5). */
export const atLevel = (coordinate: number, level: number): number => Math.ceil(coordinate / 2 ** level);

/** A span of the full image at a level; it may be empty. */
export const spanAtLevel = ({ start, end }: Span, level: number): Span => ({
  start: atLevel(start, level),
  end: atLevel(end, level),
});

/** Sizes of all levels, full resolution first. */
export const toLevels = ({ width, height }: Size, decompositions: number): readonly Size[] =>
  Array.from({ length: decompositions + 1 }, (_, level) => ({
    width: atLevel(width, level),
    height: atLevel(height, level),
  }));
