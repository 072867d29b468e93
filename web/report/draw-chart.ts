/** A chart over time on a page: lines, points, bars or a band, with numbers at the side and days below. */
import { toNumberLabels, toTimeLabels } from '../panels/area/series/axis-labels.ts';
import type { Column } from '../panels/area/series/chart-lines.ts';
import { toRoundNumber } from './map-marks.ts';
import type { Sheet, Spot } from './sheet.ts';
import { FAINT, RULE } from './sheet.ts';

/** What is drawn, in the order of the list. */
export type ChartLayer =
  | { readonly kind: 'line' | 'points' | 'bars'; readonly values: Column; readonly color: string }
  | { readonly kind: 'band'; readonly low: Column; readonly high: Column; readonly color: string };

/** A chart. */
export interface ChartPane {
  readonly title: string;
  /** Midnight UTC of each day. */
  readonly seconds: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly isFromZero?: boolean;
  readonly hasTimeAxis: boolean;
  readonly locale: string;
}

/** Where it goes. */
export interface ChartFrame {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

const DAY_S = 86_400;
const TITLE = { sizePx: 11, isBold: true } as const;
const LABEL = { sizePx: 9.5, color: FAINT } as const;
const [HEAD_PX, SIDE_PX, FOOT_PX] = [18, 38, 18];

const valuesOf = (layer: ChartLayer): readonly number[] =>
  (layer.kind === 'band' ? [...layer.low, ...layer.high] : layer.values).filter((value) => value !== null);

/** Round numbers from below the lowest to above the highest value. */
export const planTicks = (min: number, max: number, count: number): readonly number[] => {
  const span = max > min ? max - min : Math.max(Math.abs(max), 1) * 0.1;
  let step = toRoundNumber(span / count);
  while (Math.ceil(max / step) - Math.floor(min / step) > count + 1) step = toRoundNumber(step * 2.01);
  const [first, last] = [
    Math.floor(min / step + 1e-9),
    Math.max(Math.ceil(max / step - 1e-9), Math.floor(min / step + 1e-9) + 1),
  ];
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
};

/** First days of months, at most `count` of them; of days where the time is short. */
export const planDays = (seconds: readonly number[], count: number): readonly number[] => {
  const [first = 0, last = 0] = [seconds[0], seconds.at(-1)];
  if (last - first < 80 * DAY_S) {
    const step = Math.max(1, Math.ceil((last - first) / DAY_S / count)) * DAY_S;
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step);
  }
  const starts = seconds.filter((second) => new Date(second * 1000).getUTCDate() === 1);
  const step = [1, 2, 3, 6, 12, 24].find((months) => starts.length / months <= count) ?? 60;
  return starts.filter((second) => {
    const day = new Date(second * 1000);
    return (day.getUTCFullYear() * 12 + day.getUTCMonth()) % step === 0;
  });
};

/** The parts of a column without gaps, as places. */
const toRuns = (column: Column, at: (row: number, value: number) => Spot): readonly (readonly Spot[])[] => {
  const runs: Spot[][] = [[]];
  for (const [row, value] of column.entries()) {
    if (value === null) {
      if (runs.at(-1)?.length !== 0) runs.push([]);
    } else runs.at(-1)?.push(at(row, value));
  }
  return runs.filter(({ length }) => length > 0);
};

const drawLayer = (
  sheet: Sheet,
  layer: ChartLayer,
  at: (row: number, value: number) => Spot,
  { bottom, dayPx }: { readonly bottom: number; readonly dayPx: number },
): void => {
  const { color } = layer;
  if (layer.kind === 'band') {
    const rows = layer.low.map((low, row) => ({ low, high: layer.high[row] ?? null }));
    const known = (part: 'low' | 'high'): Column =>
      rows.map(({ low, high }) => (low === null || high === null ? null : part === 'low' ? low : high));
    const lows = toRuns(known('low'), at);
    for (const [i, highs] of toRuns(known('high'), at).entries())
      sheet.path([...highs, ...(lows[i] ?? []).toReversed()], { fill: color });
    return;
  }
  if (layer.kind === 'line') {
    for (const run of toRuns(layer.values, at)) sheet.path(run, { stroke: color, widthPx: 1.6 });
    return;
  }
  for (const [row, value] of layer.values.entries()) {
    if (value === null) continue;
    const [x, y] = at(row, value);
    if (layer.kind === 'bars') {
      const half = Math.max(0.4, Math.min(4, dayPx * 0.4));
      if (value > 0)
        sheet.path(
          [
            [x - half, bottom],
            [x - half, y],
            [x + half, y],
            [x + half, bottom],
          ],
          { fill: color },
        );
    } else {
      const corners = Array.from({ length: 13 }, (_, i): Spot => {
        const angle = (i / 6) * Math.PI;
        return [x + 2.4 * Math.cos(angle), y + 2.4 * Math.sin(angle)];
      });
      sheet.path(corners, { fill: color });
    }
  }
};

/** Draws it into its frame. */
export const drawChart = (sheet: Sheet, pane: ChartPane, { x, y, widthPx, heightPx }: ChartFrame): void => {
  const { seconds, layers, locale, hasTimeAxis } = pane;
  sheet.text(pane.title, [x, y + 11], TITLE);
  const values = layers.flatMap(valuesOf);
  const [left, top, right, bottom] = [
    x + SIDE_PX,
    y + HEAD_PX,
    x + widthPx,
    y + heightPx - (hasTimeAxis ? FOOT_PX : 2),
  ];
  const lowest = pane.isFromZero === true || values.length === 0 ? 0 : Math.min(...values);
  const ticks = planTicks(
    lowest,
    values.length === 0 ? 1 : Math.max(...values, lowest),
    Math.max(2, Math.floor((bottom - top) / 26)),
  );
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const [first = 0, last = 1] = [seconds[0], seconds.at(-1)];
  const xOf = (second: number): number =>
    left + ((second - first) / Math.max(1, last - first)) * (right - left);
  const yOf = (value: number): number => bottom - ((value - low) / (high - low)) * (bottom - top);
  const labels = toNumberLabels(ticks, (ticks[1] ?? 1) - low, locale);
  for (const [i, tick] of ticks.entries()) {
    sheet.path(
      [
        [left, yOf(tick)],
        [right, yOf(tick)],
      ],
      { stroke: RULE, widthPx: 0.5 },
    );
    sheet.text(labels[i] ?? '', [left - 5, yOf(tick) + 3], { ...LABEL, align: 'right' });
  }
  const days = planDays(seconds, Math.floor((right - left) / 70));
  const words = toTimeLabels(days, (days[1] ?? last) - (days[0] ?? first), locale);
  for (const [i, day] of days.entries()) {
    sheet.path(
      [
        [xOf(day), top],
        [xOf(day), bottom],
      ],
      { stroke: RULE, widthPx: 0.5 },
    );
    if (hasTimeAxis)
      sheet.text(words[i] ?? '', [xOf(day), bottom + 13], { ...LABEL, align: i === 0 ? 'left' : 'center' });
  }
  const at = (row: number, value: number): Spot => [xOf(seconds[row] ?? 0), yOf(value)];
  const dayPx = (right - left) / Math.max(1, seconds.length);
  for (const layer of layers) drawLayer(sheet, layer, at, { bottom, dayPx });
};
