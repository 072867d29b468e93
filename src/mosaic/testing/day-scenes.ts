import type { TestScene } from './mosaics-here.ts';
import { everywhere, NATIVE } from './mosaics-here.ts';

/** Pixels of a side, and of the whole scene. */
export const SIDE = NATIVE.width;
export const COUNT = SIDE * SIDE;

/** Classes of pixels. */
export const CLOUD = 9;
export const GROUND = 4;

/** A scene whose B04 says which day a pixel is of: 100 times the day, and its place. */
export const sceneOf = (day: number, more: Partial<TestScene> = {}): TestScene => ({
  day,
  grid: NATIVE,
  bands: { B04: everywhere(100 * day), B08: everywhere(1_000 + day) },
  ...more,
});

/** Clouds where this is true, ground elsewhere. */
export const cloudyIf =
  (isCloudy: (column: number, row: number) => boolean) =>
  (column: number, row: number): number =>
    isCloudy(column, row) ? CLOUD : GROUND;

/** The values of one channel as rows of days. */
export const daysOf = (values: Float32Array): readonly number[] => [...values].map((value) => value / 100);
