/** What the colours of a picture mean, read from the server's legend of it. */
import { isTexts } from '../scenes/read-json.ts';
import type { Texts } from '../texts/en.ts';
import { formatNumber } from '../texts/format.ts';

/** One colour and what it stands for. */
interface LegendEntry {
  readonly color: string;
  readonly text: string;
}

/** A row of colours from one value to another, or a list of classes. */
export type Legend =
  | {
      readonly kind: 'bar';
      readonly colors: readonly string[];
      /** Values between colours, one fewer than those. */
      readonly thresholds: readonly number[];
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'classes'; readonly entries: readonly LegendEntry[] };

/** More steps than this are easier to read as a bar than as a list. */
const MAX_LISTED = 12;
const COLOR = /^#[0-9a-f]{6}$/i;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => Number.isFinite(one));
const isValues = (value: unknown): value is (number | string)[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' || Number.isFinite(one));

/** `below 0.2`, `0.2 to 0.4`, `0.4 and above`. */
const describeStep = (thresholds: readonly number[], i: number, { legend, locale }: Texts): string => {
  const [from, to] = [thresholds[i - 1], thresholds[i]];
  if (from === undefined) return to === undefined ? legend.all : legend.below(formatNumber(to, locale));
  if (to === undefined) return legend.above(formatNumber(from, locale));
  return legend.between(formatNumber(from, locale), formatNumber(to, locale));
};

/** The ends of a bar: one step before the first threshold and one after the last. */
const toEnds = (thresholds: readonly number[]): { min: number; max: number } => {
  const [first = 0, second = first] = thresholds;
  const [beforeLast = first, last = first] = thresholds.slice(-2);
  return { min: first - (second - first), max: last + (last - beforeLast) };
};

/** Reads the answer `{colors, thresholds, values?, labels?}`; `null` for red, green and blue and for other schemas. */
export const parseLegend = (body: unknown, texts: Texts): Legend | null => {
  const { colors, thresholds, values, labels } = Object(body) as Readonly<Record<string, unknown>>;
  if (!isTexts(colors) || colors.length === 0 || !colors.every((color) => COLOR.test(color))) return null;
  const names = isTexts(labels) ? labels : isValues(values) ? values.map(String) : null;
  if (names !== null && names.length === colors.length) {
    return { kind: 'classes', entries: colors.map((color, i) => ({ color, text: names[i] ?? '' })) };
  }
  if (!isNumbers(thresholds) || thresholds.length !== colors.length - 1) return null;
  if (colors.length > MAX_LISTED) return { kind: 'bar', colors, thresholds, ...toEnds(thresholds) };
  return {
    kind: 'classes',
    entries: colors.map((color, i) => ({ color, text: describeStep(thresholds, i, texts) })),
  };
};

/** The colour of a bar at a value. */
export const colorAt = (
  { colors, thresholds }: Extract<Legend, { kind: 'bar' }>,
  value: number,
): string | undefined => colors[thresholds.filter((threshold) => threshold <= value).length];
