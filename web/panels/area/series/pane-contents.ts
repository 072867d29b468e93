/** What the panes of a chart draw: the indices, or one of the layers below them. */
import '../../valid-language.ts';
import uPlot from 'uplot';
import type { SeriesLayer } from '../../../state/series-state.ts';
import type { ChartData } from './chart-data.ts';
import type { Column } from './chart-lines.ts';
import type { PaneOptions } from './pane.ts';

/** Lines, points or bars, and their numbers. */
interface PaneContents extends Pick<PaneOptions, 'range' | 'series' | 'bands'> {
  readonly columns: uPlot.AlignedData;
}

/** A custom property of the page as a colour. */
type ReadColor = (name: string) => string;

/** A little room above and below, and never a range of nothing. */
const withRoom =
  (share: number) =>
  (min: number, max: number): readonly [number, number] => {
    if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
    const room = Math.max((max - min) * share, 0.02);
    return [min - room, max + room];
  };
const fromZero = (_: number, max: number): readonly [number, number] => [
  0,
  Number.isFinite(max) ? max * 1.1 || 1 : 1,
];

const at = <Value>(
  list: readonly (Value | null)[],
  read: (value: Value) => number | null,
): (number | null)[] => list.map((value) => (value === null ? null : read(value)));

const indexContents = (data: ChartData, readColor: ReadColor): PaneContents => {
  const { seconds, indices, spread, normal } = data;
  const strokes = indices.map((_, k) => readColor(`--series-${k + 1}`));
  const edge = { width: 0, points: { show: false } };
  const lines: { readonly series: uPlot.Series; readonly column: Column }[] = [
    ...indices.map(({ line }, k) => ({
      // The newest of several years stands out.
      series: {
        stroke: strokes[k] ?? '',
        width: data.isOfYears && k > 0 ? 1.25 : 2,
        points: { show: false },
      },
      column: line,
    })),
    ...indices.map(({ points }, k) => ({
      series: {
        stroke: strokes[k] ?? '',
        width: 0,
        paths: () => null,
        points: {
          show: true,
          size: data.isOfYears && k > 0 ? 4 : 7,
          fill: strokes[k] ?? '',
          stroke: strokes[k] ?? '',
          width: 0,
        },
      },
      column: points,
    })),
  ];
  const bands: uPlot.Band[] = [];
  for (const [band, fill] of [
    [spread, '--series-1-soft'],
    [normal, '--series-normal-soft'],
  ] as const) {
    if (band === null) continue;
    bands.push({ series: [lines.length + 1, lines.length + 2], fill: readColor(fill) });
    lines.push({ series: edge, column: band.high }, { series: edge, column: band.low });
  }
  if (normal !== null)
    lines.push({
      series: {
        stroke: readColor('--series-normal'),
        width: 1.5,
        dash: [6, 4],
        points: { show: false },
      },
      column: normal.mean,
    });
  return {
    range: withRoom(0.08),
    series: lines.map(({ series }) => series),
    bands,
    columns: [[...seconds], ...lines.map(({ column }) => [...column])],
  };
};

const layerContents: Readonly<Record<SeriesLayer, (data: ChartData, readColor: ReadColor) => PaneContents>> =
  {
    temperature({ seconds, weather }, readColor) {
      const line = { stroke: readColor('--series-heat'), width: 1, points: { show: false } };
      return {
        range: withRoom(0.06),
        series: [line, { ...line }],
        bands: [{ series: [1, 2], fill: readColor('--series-heat-soft') }],
        columns: [[...seconds], at(weather, ({ maxC }) => maxC), at(weather, ({ minC }) => minC)],
      };
    },
    rain({ seconds, weather }, readColor) {
      const bars = uPlot.paths.bars?.({ size: [0.8, 14], align: 0 });
      const fill = readColor('--series-rain');
      return {
        range: fromZero,
        series: [{ fill, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }],
        columns: [[...seconds], at(weather, ({ rainMm }) => rainMm)],
      };
    },
    growth: ({ seconds, growth }, readColor) => ({
      range: fromZero,
      series: [{ stroke: readColor('--series-1'), width: 2, points: { show: false } }],
      columns: [[...seconds], [...growth]],
    }),
    evaporation: ({ seconds, weather }, readColor) => ({
      range: fromZero,
      series: [{ stroke: readColor('--series-heat'), width: 1.25, points: { show: false } }],
      columns: [[...seconds], at(weather, ({ evaporationMm }) => evaporationMm)],
    }),
    balance: ({ seconds, balance }, readColor) => ({
      range: withRoom(0.08),
      series: [{ stroke: readColor('--series-rain'), width: 2, points: { show: false } }],
      columns: [[...seconds], [...balance]],
    }),
    soil({ seconds, soil }, readColor) {
      return {
        range: withRoom(0.08),
        series: [
          { stroke: readColor('--series-soil'), width: 1.25, points: { show: false } },
          { stroke: readColor('--series-root'), width: 2, points: { show: false } },
        ],
        columns: [[...seconds], at(soil, ({ surface }) => surface), at(soil, ({ rootZone }) => rootZone)],
      };
    },
  };

/** The contents of the pane of a layer; `null` is that of the indices. */
export const contentsOf = (layer: SeriesLayer | null, data: ChartData, readColor: ReadColor): PaneContents =>
  layer === null ? indexContents(data, readColor) : layerContents[layer](data, readColor);
