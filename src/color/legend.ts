import type { ColorPlan } from './color-plan.ts';
import { toColorScale } from './color-plan.ts';
import type { PackedColors } from './rgb.ts';
import { countColors, hexAt, hexToRgb, toHexList } from './rgb.ts';
import type { Stretch } from './stretch.ts';
import { toLevelThresholds } from './stretch.ts';

/** The meaning of colours, as in the answer. */
export interface Legend {
  readonly colors: readonly string[];
  /** One fewer than the colours, between them; none when colours stand for single values. */
  readonly thresholds: readonly number[];
  /** What each colour of a palette stands for: whole numbers, or bits as PALETTE writes them. */
  readonly values?: readonly (number | string)[];
  readonly labels?: readonly string[];
}

const LEVELS = 256;

/** The legend of a picture once its contrast is known; without a plan it is grey. */
export function toLegend(plan: ColorPlan | null, contrast: Stretch): Legend {
  if (plan === null) return toGreyLegend(contrast);
  const named = plan.labels === undefined ? {} : { labels: plan.labels };
  if (plan.kind === 'values') {
    return { colors: toHexList(plan.colors), thresholds: [], values: plan.values, ...named };
  }
  if (plan.kind === 'bits') {
    const values = plan.bits.map((bits) => (bits.length === 1 ? `${bits[0]}` : `(${bits.join()})`));
    return { colors: toHexList(plan.colors), thresholds: [], values, ...named };
  }
  const { colors, thresholds } = toColorScale(plan, contrast);
  return { colors: toHexList(colors), thresholds, ...named };
}

/** Levels of a grey stretch are rounded, so each begins half a level before its value. */
function toGreyLegend(contrast: Stretch): Legend {
  const colors = Array.from(
    { length: LEVELS },
    (_, level) => `#${level.toString(16).padStart(2, '0').repeat(3)}`,
  );
  return { colors, thresholds: toLevelThresholds(contrast) };
}

/** The size of a colorbar. */
export interface ColorbarSize {
  readonly width: number;
  readonly height: number;
}

const MAX_TICKS = 10;

/**
 * The RGBA pixels of a colorbar, opaque. With a range it is to scale and has ticks at round numbers; without one,
 * colours between thresholds of their own are equally wide.
 */
export function paintColorbar(
  plan: ColorPlan,
  { size, range }: { readonly size: ColorbarSize; readonly range: Stretch | null },
): Uint8Array<ArrayBuffer> {
  const { width, height } = size;
  const { colors, indexAt } = toColumns(plan, range);
  const row = new Uint8Array(width * 4);
  for (let x = 0; x < width; x++) row.set([...levelsAt(colors, indexAt((x + 0.5) / width)), 255], x * 4);
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) rgba.set(row, y * width * 4);
  if (range !== null)
    for (const tick of toTicks(range)) paintTick(rgba, size, (tick - range.min) / (range.max - range.min));
  return rgba;
}

/** The colour at each position, from 0 at the left to 1 at the right. */
function toColumns(
  plan: ColorPlan,
  range: Stretch | null,
): { colors: PackedColors; indexAt: (t: number) => number } {
  const isEven =
    plan.kind === 'values' ||
    plan.kind === 'bits' ||
    (range === null && (plan.kind === 'ramp' || plan.thresholdsOf === 'values'));
  if (isEven) return { colors: plan.colors, indexAt: (t) => Math.floor(t * countColors(plan.colors)) };
  const { min, max } = range ?? { min: 0, max: 1 };
  const { colors, thresholds } = toColorScale(plan, { min, max });
  return {
    colors,
    indexAt: (t) => thresholds.filter((threshold) => threshold <= min + (max - min) * t).length,
  };
}

const levelsAt = (colors: PackedColors, index: number): number[] =>
  hexToRgb(hexAt(colors, index)).map((channel) => Math.round(channel * 255));

/** Round numbers within a range: up to ten, at steps of 1, 2 or 5 times a power of ten. */
export function toTicks({ min, max }: Stretch): number[] {
  const rough = (max - min) / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Ranges so narrow that a tenth of them is zero.
  if (!(power > 0)) return [];
  const times = [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10;
  const [first, last] = [Math.ceil(min / (times * power)), Math.floor(max / (times * power))];
  // The first and last are often the ends themselves, where half of the line would be outside: it is drawn anyway.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * times * power);
}

/** A line over the lower third, black on light colours and white on dark ones. */
function paintTick(rgba: Uint8Array, { width, height }: ColorbarSize, part: number): void {
  const x = Math.min(width - 1, Math.max(0, Math.round(part * width - 0.5)));
  for (let y = Math.floor((height * 2) / 3); y < height; y++) {
    const at = (y * width + x) * 4;
    // Rec. 601 luma
    const luma = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!;
    rgba.fill(luma > 127 ? 0 : 255, at, at + 3);
  }
}
