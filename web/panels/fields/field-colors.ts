/** Colours of fields on the map: by their newest value, or by its change. */
import type { FieldRow } from './field-rows.ts';

/** By what fields are coloured; `none` draws outlines only. */
export const COLORINGS = ['value', 'change', 'none'] as const;

/** One of them. */
export type Coloring = (typeof COLORINGS)[number];

/** Colours from one value to another. */
export interface FieldScale {
  readonly min: number;
  readonly max: number;
  /** From low to high, evenly spaced. */
  readonly colors: readonly string[];
}

/** Bare soil to dense leaves, and less to more (BrBG of ColorBrewer): colour-blind people tell both apart. */
const RAMPS = {
  value: ['#a6611a', '#dfc27d', '#f6f0c4', '#a6d96a', '#4dac26', '#1a6b1a'],
  change: ['#8c510a', '#d8b365', '#f5f5f5', '#5ab4ac', '#01665e'],
} as const;

/** The colour of a field without a value. */
export const NO_VALUE = '#8a949a';

/** One field that differs from all others does not make them look alike. */
const CUT_SHARE = 0.02;

/** The number that a field is coloured by. */
export const numberOf = ({ last, change }: FieldRow, by: 'value' | 'change'): number | null =>
  by === 'value' ? (last?.value ?? null) : change;

const roundTo = (value: number, step: number, round: (value: number) => number): number =>
  Number((round(value / step) * step).toFixed(6));

/** The scale of rows; `null` if none of them has a number. */
export const toScale = (rows: readonly FieldRow[], by: Coloring): FieldScale | null => {
  if (by === 'none') return null;
  const numbers = rows
    .map((row) => numberOf(row, by))
    .filter((number) => number !== null)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => numbers[Math.round(share * (numbers.length - 1))] ?? 0;
  if (numbers.length === 0) return null;
  const [low, high] = [at(CUT_SHARE), at(1 - CUT_SHARE)];
  // Round ends are read more easily; dB and other large numbers have larger steps.
  const step = Math.max(Math.abs(low), Math.abs(high)) > 5 ? 1 : 0.05;
  if (by === 'change') {
    const limit = Math.max(step, roundTo(Math.max(Math.abs(low), Math.abs(high)), step, Math.ceil));
    return { min: -limit, max: limit, colors: RAMPS.change };
  }
  const [min, max] = [roundTo(low, step, Math.floor), roundTo(high, step, Math.ceil)];
  return { min, max: max > min ? max : min + step, colors: RAMPS.value };
};

const channels = (color: string): readonly number[] =>
  [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));

/** The colour of a number; one that lies outside has the colour of the end. */
export const colorOf = (number: number | null, scale: FieldScale | null): string => {
  if (number === null || scale === null) return NO_VALUE;
  const { min, max, colors } = scale;
  const place = Math.min(1, Math.max(0, (number - min) / (max - min))) * (colors.length - 1);
  const index = Math.min(Math.floor(place), colors.length - 2);
  const [from, to] = [channels(colors[index] ?? NO_VALUE), channels(colors[index + 1] ?? NO_VALUE)];
  const mixed = from.map((channel, i) => Math.round(channel + ((to[i] ?? 0) - channel) * (place - index)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};
