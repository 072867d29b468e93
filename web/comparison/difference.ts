/**
 * The difference of one measure between two scenes. The interface computes inside of one scene, so the tiles of both are
 * requested with the value in two of their channels, 16 bits of it, and subtracted here.
 */
import type { Contrast, Picture } from '../scenes/picture.ts';
import { toPictureQuery } from '../scenes/picture.ts';
import type { Scene } from '../scenes/scene.ts';
import { fillBands } from '../scenes/tile-template.ts';

/** What 16 bits hold. */
const MAX_CODE = 65_535;

/** How values are written into tiles and how differences are coloured. */
export interface DifferencePlan {
  /** The values that the codes 0 and 65535 stand for; others are cut off. */
  readonly range: Contrast;
  /** The difference, up or down, at which the colours end. */
  readonly limit: number;
}

/** The smallest of some round numbers that is not below a value. */
export const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(2));
};

/** All values of both scenes fit into the codes. */
export const planRange = (ranges: readonly Contrast[]): Contrast => {
  const min = Math.min(...ranges.map((range) => range.min));
  const max = Math.max(...ranges.map((range) => range.max));
  return max > min ? { min, max } : { min, max: min + 1 };
};

/** The part of the ground whose change the colours tell apart; the rest, clouds and their shadows mostly, is beyond them. */
const TOLD_APART = 0.98;

/** How far the values of two pictures differ, up or down, on most of the ground; `null` where no pixel has both. */
export const limitOfDifferences = (
  left: Uint8ClampedArray,
  right: Uint8ClampedArray,
  { min, max }: Contrast,
): number | null => {
  const counts = new Uint32Array(MAX_CODE + 1);
  let total = 0;
  for (let i = 0; i < Math.min(left.length, right.length); i += 4) {
    if (left[i + 3] !== 255 || right[i + 3] !== 255) continue;
    const codes = Math.abs(right[i]! * 256 + right[i + 1]! - left[i]! * 256 - left[i + 1]!);
    counts[codes] = counts[codes]! + 1;
    total++;
  }
  if (total === 0) return null;
  let [code, below] = [0, counts[0]!];
  while (below < TOLD_APART * total) below += counts[++code]!;
  // Scenes that are alike to the last code still need an end of the colours.
  return roundUp((Math.max(code, 1) / MAX_CODE) * (max - min));
};

/** A number as band math reads it, with a point, so that no whole number is divided as one. */
const toNumber = (value: number): string => {
  const text = value.toFixed(9).replace(/0+$/, '0');
  return value < 0 ? `(${text})` : text;
};

/** The tile address of a scene whose red and green channels hold the code of a measure. */
export const toCodeTemplate = (
  { tms, sensor }: Scene,
  measure: string,
  { picture, range: { min, max } }: { readonly picture: Picture; readonly range: Contrast },
): string => {
  const scale = toNumber(MAX_CODE / (max - min));
  const code = `clip(((${measure})-${toNumber(min)})*${scale},0.0,${MAX_CODE}.0)`;
  const bands = `floor(${code}/256.0),floor(mod(${code},256.0)),0.0*(${measure})`;
  const { isCalibrated, resampling } = picture;
  const plain: Picture = {
    bands,
    colormap: null,
    contrast: { min: 0, max: 255 },
    stretch: 'auto',
    resampling,
    isCalibrated,
    isPansharpened: false,
    isSpeckleFiltered: picture.isSpeckleFiltered,
    isCloudMasked: false,
    clip: picture.clip,
  };
  return `${fillBands(tms, bands)}${toPictureQuery(sensor, plain)}&mimetype=image/png`;
};

/** The difference of two tiles, right minus left, in colours; transparent where one of them has no data. */
export const toDifferencePixels = (
  left: Uint8ClampedArray,
  right: Uint8ClampedArray,
  { range: { min, max }, limit }: DifferencePlan,
  colors: Uint8ClampedArray,
): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = new Uint8ClampedArray(left.length);
  const last = colors.length / 3 - 1;
  const scale = (max - min) / MAX_CODE / limit;
  for (let i = 0; i < left.length; i += 4) {
    if (left[i + 3] !== 255 || right[i + 3] !== 255) continue;
    const codes = right[i]! * 256 + right[i + 1]! - left[i]! * 256 - left[i + 1]!;
    const part = Math.min(1, Math.max(-1, codes * scale));
    const color = Math.round(((part + 1) / 2) * last) * 3;
    pixels[i] = colors[color]!;
    pixels[i + 1] = colors[color + 1]!;
    pixels[i + 2] = colors[color + 2]!;
    pixels[i + 3] = 255;
  }
  return pixels;
};
