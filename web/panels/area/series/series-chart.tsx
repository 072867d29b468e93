/** The chart of a series: indices above, and below them what was switched on, all over the same days. */
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { SeriesLayer, SeriesState } from '../../../state/series-state.ts';
import { formatDate } from '../../../texts/format.ts';
import { Button } from '../../kit/controls.tsx';
import { usePanel, usePart } from '../../kit/panel.tsx';
import { readColor } from '../../page.ts';
import type { ChartData } from './chart-data.ts';
import { describeRow } from './describe-row.ts';
import { readPageScale } from './page-scale.ts';
import type { PaneColors } from './pane.ts';
import { makePane } from './pane.ts';
import { contentsOf } from './pane-contents.ts';
import { excuseOf, keysOf, PaneHead, partOf, SeriesKey } from './pane-head.tsx';

/** A pointer this many pixels from a point means the point. */
const REACH_PX = 14;
const MIN_INDEX_PX = 110;
const MIN_LAYER_PX = 64;
const TIME_AXIS_PX = 26;
/** Room for the title of a pane. */
const HEAD_PX = 18;

interface ChartProps {
  readonly data: ChartData;
  readonly series: SeriesState;
  /** A scene was clicked, or chosen by the keyboard. */
  readonly onScene: (scene: { readonly sceneId: string; readonly viewId: string }) => void;
  /** Asks again for what failed. */
  readonly onRetry: (part: 'weather' | 'soil') => void;
}

const sceneRowsOf = ({ scenes }: ChartData): readonly number[] =>
  scenes.flatMap((scene, row) => (scene === null ? [] : [row]));

/** The nearest row with a scene, if it is in reach of the pointer. */
const snapToScene = (data: ChartData, plot: uPlot | undefined, row: number): number | null => {
  if (plot === undefined) return null;
  const pxPerRow = plot.over.clientWidth / Math.max(1, data.seconds.length - 1);
  const near = sceneRowsOf(data).toSorted((a, b) => Math.abs(a - row) - Math.abs(b - row))[0];
  return near !== undefined && Math.abs(near - row) * pxPerRow <= REACH_PX ? near : null;
};

interface DrawParts {
  readonly data: ChartData;
  readonly layers: readonly (SeriesLayer | null)[];
  readonly panes: HTMLElement;
  readonly locale: string;
  /** The scene on the map. */
  readonly onMap: string | null;
  snap(row: number): number | null;
  onRow(row: number | null): void;
  onClick(row: number): void;
}

/** Draws a plot into each pane. */
const drawPanes = ({ data, layers, panes, locale, onMap, snap, onRow, onClick }: DrawParts): uPlot[] => {
  // The height is shared, two parts to the indices; a part of a pixel too much would make a scroll bar.
  const scale = readPageScale();
  const share =
    (Math.floor(panes.getBoundingClientRect().height) - TIME_AXIS_PX * scale) / (layers.length + 1);
  const forecastRow = data.weather.findIndex((day) => day?.isForecast === true);
  const markedRow = data.scenes.findIndex((scene) => scene?.viewId === onMap);
  const colors: PaneColors = {
    text: readColor('--muted'),
    line: readColor('--line'),
    raised: readColor('--raised'),
    accent: readColor('--accent'),
  };
  const isPoint = (k: number): boolean => k > data.indices.length && k <= 2 * data.indices.length;
  return layers.map((layer, i) => {
    const hasTimeAxis = i === layers.length - 1;
    const room =
      layer === null ? Math.max(MIN_INDEX_PX * scale, 2 * share) : Math.max(MIN_LAYER_PX * scale, share);
    const { columns, ...contents } = contentsOf(layer, data, readColor);
    return makePane(
      panes.children[i] as HTMLElement,
      {
        ...contents,
        width: panes.clientWidth,
        height: room + (hasTimeAxis ? TIME_AXIS_PX * scale : 0),
        hasTimeAxis,
        hasYears: !data.isOfYears,
        headPx: (layer === null ? 8 : HEAD_PX) * scale,
        locale,
        colors,
        forecastFrom: data.seconds[forecastRow] ?? null,
        marked: data.seconds[markedRow] ?? null,
        snap: (row, k) => (layer !== null ? row : isPoint(k) ? snap(row) : null),
        onRow,
        onClick,
      },
      columns,
    );
  });
};

interface ReadoutProps {
  readonly data: ChartData;
  readonly layers: readonly SeriesLayer[];
  /** The day that is pointed at. */
  readonly day: Signal<string | null>;
  readonly snap: (row: number) => number | null;
}

/** The line above the chart; it follows the pointer without the chart. */
const Readout: FunctionComponent<ReadoutProps> = ({ data, layers, day, snap }) => {
  const { texts } = usePanel();
  const row = day.value === null ? -1 : data.days.indexOf(day.value);
  if (row < 0) return <p class="series-readout muted">{texts.series.smoothed}</p>;
  return <p class="series-readout">{describeRow(data, snap(row) ?? row, texts, layers).join('  ·  ')}</p>;
};

interface QuietProps {
  readonly layers: readonly SeriesLayer[];
  readonly series: SeriesState;
  readonly onRetry: (part: 'weather' | 'soil') => void;
}

/** What is not drawn says so below the chart: a slider can hold no button. */
const QuietPanes: FunctionComponent<QuietProps> = ({ layers, series, onRetry }) => {
  const { texts } = usePanel();
  return (
    <div class="series-quiet">
      {layers.map((layer) => (
        <div key={layer} class="pane is-quiet">
          <PaneHead layer={layer} series={series} />
          <p class="muted small">{excuseOf(layer, series, texts.series) ?? ''}</p>
          {['failed', 'cancelled'].includes(series[partOf(layer)].kind) && (
            <Button look="link" onClick={() => onRetry(partOf(layer))}>
              {texts.frame.tryAgain}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
};

/** The chart; it draws itself again when its room or the theme changes. */
export const SeriesChart: FunctionComponent<ChartProps> = ({ data, series, onScene, onRetry }) => {
  const { texts } = usePanel();
  const words = texts.series;
  const onMap = usePart(({ shown }) => shown?.viewId ?? null);
  const panes = useRef<HTMLDivElement>(null);
  const plots = useRef<readonly uPlot[]>([]);
  /** Days rather than rows: those stay what they are when others come. */
  const toldDay = useSignal<string | null>(null);
  const keyDay = useSignal<string | null>(null);
  const redraws = useSignal(0);
  const isDrawn = (layer: SeriesLayer): boolean => excuseOf(layer, series, words) === null;
  const { layers } = series.choice;
  const drawn = [null, ...layers.filter(isDrawn)];

  const snap = (row: number): number | null => snapToScene(data, plots.current[0], row);
  const rowOf = (day: string | null): number | null => {
    const row = day === null ? -1 : data.days.indexOf(day);
    return row < 0 ? null : row;
  };
  const tell = (row: number | null): void => {
    toldDay.value = row === null ? null : (data.days[row] ?? null);
  };
  const choose = (row: number): void => {
    const scene = data.scenes[snap(row) ?? row] ?? null;
    if (scene !== null) onScene(scene);
  };
  const pointAt = (row: number | null): void => {
    const second = row === null ? null : (data.seconds[row] ?? null);
    if (second !== null) {
      for (const plot of plots.current) plot.setCursor({ left: plot.valToPos(second, 'x'), top: 0 }, false);
    }
    tell(row);
  };
  useLayoutEffect(() => {
    const { current } = panes;
    if (current === null || current.clientWidth === 0) return;
    const told = toldDay.peek();
    const { locale } = texts;
    const parts = { data, layers: drawn, panes: current, locale, onMap, snap, onRow: tell, onClick: choose };
    const made = drawPanes(parts);
    plots.current = made;
    // What was read before is read on. uPlot has its scales only after a microtask of its own, which forgets the pointer.
    queueMicrotask(() => {
      if (plots.current === made) pointAt(rowOf(told));
    });
    return () => {
      plots.current = [];
      for (const plot of made) plot.destroy();
    };
  }, [data, series, onMap, redraws.value]);
  useLayoutEffect(() => {
    const { current } = panes;
    if (current === null) return;
    const readSize = (): string => `${current.clientWidth} ${current.clientHeight}`;
    let size = readSize();
    const redraw = (): void => {
      redraws.value++;
    };
    const observer = new ResizeObserver(() => {
      if (readSize() === size) return;
      size = readSize();
      redraw();
    });
    observer.observe(current);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      theme.removeEventListener('change', redraw);
    };
  }, []);

  const rows = sceneRowsOf(data);
  const keyRow = rowOf(keyDay.value);
  const keyIndex = keyRow === null ? -1 : rows.indexOf(keyRow);
  const press = (event: KeyboardEvent): void => {
    const step: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: rows[keyIndex < 0 ? rows.length - 1 : Math.max(0, keyIndex - 1)],
      ArrowRight: rows[Math.min(rows.length - 1, keyIndex + 1)],
      Home: rows[0],
      End: rows.at(-1),
    };
    const row = step[event.key];
    if (row !== undefined) {
      keyDay.value = data.days[row] ?? null;
      pointAt(row);
    } else if (event.key === 'Enter' && keyRow !== null) choose(keyRow);
    else return;
    event.preventDefault();
  };
  const retry = (part: 'weather' | 'soil'): void => {
    onRetry(part);
    // The button goes.
    panes.current?.focus();
  };
  const [first = '', last = ''] = [data.days[0], data.days.at(-1)].map((day) =>
    formatDate(day ?? '', texts.locale),
  );
  return (
    <div class="series-chart">
      <div class="series-line">
        <p class="series-keys">
          {keysOf(data, words).map((key) => (
            <SeriesKey key={key.slot} {...key} />
          ))}
        </p>
        <Readout data={data} layers={layers} day={toldDay} snap={snap} />
      </div>
      <div
        ref={panes}
        class="series-panes"
        role="slider"
        tabIndex={0}
        aria-label={words.chart(data.indices.map(({ name }) => name).join(', '), first, last)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, rows.length - 1)}
        aria-valuenow={Math.max(0, keyIndex)}
        aria-valuetext={
          keyRow === null || keyIndex < 0 ? undefined : describeRow(data, keyRow, texts, layers).join(', ')
        }
        onKeyDown={press}
      >
        {drawn.map((layer) => (
          <div key={layer ?? 'indices'} class="pane">
            {layer !== null && <PaneHead layer={layer} series={series} data={data} />}
          </div>
        ))}
      </div>
      <QuietPanes layers={layers.filter((layer) => !isDrawn(layer))} series={series} onRetry={retry} />
    </div>
  );
};
