/** One pane of a chart over time: a uPlot in our colours, whose time axis lines up with those of the panes above and below. */
import '../../valid-language.ts';
import uPlot from 'uplot';
import { toNumberLabels, toTimeLabels } from './axis-labels.ts';
import { readPageScale } from './page-scale.ts';

/** Colours of the page, as the browser resolved them. */
export interface PaneColors {
  readonly text: string;
  readonly line: string;
  readonly raised: string;
  readonly accent: string;
}

/** What a pane is made of. */
export interface PaneOptions {
  readonly width: number;
  readonly height: number;
  readonly locale: string;
  readonly colors: PaneColors;
  readonly hasTimeAxis: boolean;
  /** Whether the days are those of one year rather than of any. */
  readonly hasYears: boolean;
  /** Room above the lines. */
  readonly headPx: number;
  /** The range of values from what is there. */
  readonly range: (min: number, max: number) => readonly [number, number];
  readonly series: readonly uPlot.Series[];
  readonly bands?: readonly uPlot.Band[];
  /** The first second that is a forecast; `null` for none. */
  readonly forecastFrom: number | null;
  /** The second that is marked: of the scene on the map. */
  readonly marked: number | null;
  /** The row that a series highlights when the pointer is over another. */
  readonly snap: (row: number, seriesIndex: number) => number | null;
  /** The pointer is over a row; `null` when it left. */
  onRow(row: number | null): void;
  onClick(row: number): void;
}

/** Panes with one key show the pointer at the same day. */
const SYNC_KEY = 'series';
/** Room for the numbers of an axis. */
const AXIS_PX = 52;
const TIME_AXIS_PX = 26;
/** The small size of the page's type scale. */
const FONT_PX = 12;
const DAY_S = 86_400;
/** Of the time that is shown. */
const EDGE_SHARE = 0.012;

/** What lies behind the lines: days to come, and the day of the scene on the map. */
const drawBehind =
  ({ colors, forecastFrom, marked }: PaneOptions) =>
  (plot: uPlot): void => {
    const { ctx, bbox } = plot;
    ctx.save();
    if (forecastFrom !== null) {
      const from = Math.max(bbox.left, plot.valToPos(forecastFrom - DAY_S / 2, 'x', true));
      ctx.fillStyle = colors.raised;
      ctx.fillRect(from, bbox.top, bbox.left + bbox.width - from, bbox.height);
    }
    if (marked !== null) {
      ctx.fillStyle = colors.accent;
      const x = Math.round(plot.valToPos(marked, 'x', true));
      ctx.fillRect(x, bbox.top, Math.max(1, uPlot.pxRatio), bbox.height);
    }
    ctx.restore();
  };

/** Builds a pane inside `host`. */
export const makePane = (host: HTMLElement, options: PaneOptions, data: uPlot.AlignedData): uPlot => {
  const { colors, locale } = options;
  const scale = readPageScale();
  const font = `${FONT_PX * scale}px system-ui, sans-serif`;
  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      padding: [options.headPx, 12, options.hasTimeAxis ? 0 : 6, 0],
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        sync: { key: SYNC_KEY },
        dataIdx: (_, seriesIndex, row) => options.snap(row, seriesIndex) as number,
      },
      scales: {
        // Room at both ends: the first and the last point can be hit, too.
        x: { range: (_, min, max) => [min - (max - min) * EDGE_SHARE, max + (max - min) * EDGE_SHARE] },
        y: { range: (_, min, max) => [...options.range(min, max)] as [number, number] },
      },
      axes: [
        {
          show: true,
          stroke: colors.text,
          font,
          size: options.hasTimeAxis ? TIME_AXIS_PX * scale : 0,
          space: 76 * scale,
          grid: { stroke: colors.line, width: 1 },
          ticks: { show: false },
          values: (_, seconds, __, ___, step) =>
            options.hasTimeAxis ? toTimeLabels(seconds, step, locale, options.hasYears) : [],
        },
        {
          stroke: colors.text,
          font,
          size: AXIS_PX * scale,
          space: 22 * scale,
          grid: { stroke: colors.line, width: 1 },
          ticks: { show: false },
          values: (_, values, __, ___, step) => toNumberLabels(values, step, locale),
        },
      ],
      series: [{}, ...options.series],
      bands: [...(options.bands ?? [])],
      hooks: {
        drawClear: [drawBehind(options)],
        setCursor: [
          ({ cursor }) => {
            const { left = -1, idx = null } = cursor;
            options.onRow(left < 0 || idx === null ? null : idx);
          },
        ],
      },
    },
    data,
    host,
  );
  plot.over.addEventListener('click', () => {
    if (plot.cursor.idx != null) options.onClick(plot.cursor.idx);
  });
  return plot;
};
