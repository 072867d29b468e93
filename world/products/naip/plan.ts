import { badInput } from '../../../src/errors.ts';
import type { LocalWindow } from '../local-window.ts';
import type { QuarterQuad } from './quarter-quad.ts';
import { findQuarterQuad } from './quarter-quad.ts';

/** One image of NAIP. */
export interface NaipPlan {
  /** When it was flown, milliseconds since 1970. */
  readonly atMs: number;
  /** Three colours, or near infrared too. */
  readonly samples: 'rgb' | 'rgbir';
  /** A location in the quarter quadrangle, in local metres; the middle of the image when that is a crop. */
  readonly x: number;
  readonly y: number;
  /** Side of the crop in whole metres, or null for all of the quarter: 5.3 × 7.6 km. */
  readonly cropM: number | null;
  readonly seed: number;
}

/** What a plan comes to. */
export interface NaipImage {
  readonly quarter: QuarterQuad;
  readonly window: LocalWindow;
  /** `m_4812243_ne_10_1_20230712`. */
  readonly name: string;
  /** Names of the folders it lies in, from the state down. */
  readonly folders: readonly string[];
}

/** Names an image and finds what it shows. */
export function toNaipImage({ atMs, samples, x, y, cropM }: NaipPlan): NaipImage {
  const quarter = findQuarterQuad(x, y);
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
  const quad = `${quarter.block}${String(quarter.quad).padStart(2, '0')}`;
  return {
    quarter,
    window: cropM === null ? quarter.window : crop(quarter.window, { x, y, cropM }),
    // zone 10, pixels of 1 m
    name: `m_${quad}_${quarter.quarter}_10_1_${day}`,
    folders: ['wa', day.slice(0, 4), '1m', samples, quarter.block],
  };
}

/** A square around a location, moved where it would leave the image. */
function crop(whole: LocalWindow, { x, y, cropM }: { x: number; y: number; cropM: number }): LocalWindow {
  if (!Number.isInteger(cropM) || cropM < 1 || cropM > Math.min(whole.widthM, whole.heightM)) {
    throw badInput('bad-crop', `A crop of ${cropM} m does not fit into a quarter quadrangle.`);
  }
  const begin = (middle: number, from: number, lengthM: number) =>
    Math.min(Math.max(from, Math.round(middle - cropM / 2)), from + lengthM - cropM);
  return {
    x: begin(x, whole.x, whole.widthM),
    y: begin(y, whole.y, whole.heightM),
    widthM: cropM,
    heightM: cropM,
  };
}
