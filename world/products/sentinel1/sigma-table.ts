import { cos, sin, toRadians } from '../../numbers/steady-math.ts';
import { toFloatText } from './number-text.ts';
import type { RadarPass } from './radar-pass.ts';

/** What amplitudes are divided by, for every so many pixels, the same on all lines. */
export interface SigmaTable {
  readonly pixels: readonly number[];
  readonly lines: readonly number[];
  readonly sigmaNought: readonly number[];
  readonly betaNought: readonly number[];
  readonly gamma: readonly number[];
}

/** The processor's constant of real products. */
const BETA_NOUGHT = 474;
/** Real tables have a value every 400 m and a line every second of flight, and end behind the image. */
const PIXEL_STEP_M = 400;
const LINE_STEP_M = 6_670;

const toSteps = (count: number, step: number): number[] =>
  Array.from({ length: Math.ceil((count - 1) / step) + 1 }, (_, i) => i * step);

/** The table of an image; its numbers are those that its text holds, to seven digits. */
export function toSigmaTable({ width, height, spacingM, incidenceDegAt }: RadarPass): SigmaTable {
  const pixels = toSteps(width, Math.max(1, Math.round(PIXEL_STEP_M / spacingM)));
  const over = (share: (angle: number) => number) =>
    pixels.map((pixel) =>
      Number(toFloatText(BETA_NOUGHT / Math.sqrt(share(toRadians(incidenceDegAt(pixel)))))),
    );
  return {
    pixels,
    lines: toSteps(height, Math.max(1, Math.round(LINE_STEP_M / spacingM))),
    // the slant range seen from above, and across the beam
    sigmaNought: over(sin),
    betaNought: pixels.map(() => BETA_NOUGHT),
    gamma: over((angle) => sin(angle) / cos(angle)),
  };
}

/** The table's value for each pixel of a line, straight between its entries. */
export function toLineOfFactors({ pixels, sigmaNought }: SigmaTable, width: number): Float64Array {
  const step = pixels[1]! - pixels[0]!;
  return Float64Array.from({ length: width }, (_, pixel) => {
    const cell = Math.min(pixels.length - 2, Math.floor(pixel / step));
    const part = (pixel - pixels[cell]!) / step;
    return sigmaNought[cell]! + part * (sigmaNought[cell + 1]! - sigmaNought[cell]!);
  });
}
