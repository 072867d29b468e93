/** The chart of a series: indices above, and below them what was switched on, all over the same days. */
import type uPlot from 'uplot';
import type { SeriesLayer, SeriesState } from '../../../state/series-state.ts';
import { formatDate } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import type { PanelContext } from '../../panel-context.ts';
import type { ChartData } from './chart-data.ts';
import { describeRow } from './describe-row.ts';
import { readPageScale } from './page-scale.ts';
import type { PaneColors } from './pane.ts';
import { makePane } from './pane.ts';
import { contentsOf } from './pane-contents.ts';
import { excuseOf, makePaneHead, makeSwatch, partOf } from './pane-head.ts';

/** What the chart tells. */
interface ChartEvents {
  /** A scene was clicked, or chosen by the keyboard. */
  onScene(scene: { readonly sceneId: string; readonly viewId: string }): void;
  /** Asks again for what failed. */
  onRetry(part: 'weather' | 'soil'): void;
}

/** The chart. */
export interface SeriesChart {
  readonly element: HTMLElement;
  show(data: ChartData, series: SeriesState): void;
}

/** A pointer this many pixels from a point means the point. */
const REACH_PX = 14;
const MIN_INDEX_PX = 110;
const MIN_LAYER_PX = 64;
const TIME_AXIS_PX = 26;
/** Room for the title of a pane. */
const HEAD_PX = 18;

/** A custom property as the browser resolved it for this theme. */
const makeColorReader = (host: HTMLElement) => {
  const probe = el('span', { class: 'unseen' });
  host.append(probe);
  return (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
};

/** Builds the chart; it draws itself again when its room or the theme changes. */
export const makeSeriesChart = (context: PanelContext, events: ChartEvents): SeriesChart => {
  const { store, texts } = context;
  const words = texts.series;
  const readout = el('p', { class: 'series-readout' });
  const keys = el('p', { class: 'series-keys' });
  const panes = el('div', { class: 'series-panes', tabindex: '0', role: 'slider', 'aria-valuemin': '0' });
  const quiet = el('div', { class: 'series-quiet' });
  const element = el(
    'div',
    { class: 'series-chart' },
    el('div', { class: 'series-line' }, keys, readout),
    panes,
    quiet,
  );
  const readColor = makeColorReader(element);
  let shown: { readonly data: ChartData; readonly series: SeriesState } | null = null;
  let plots: uPlot[] = [];
  /** The row that the keyboard is at. */
  let keyRow: number | null = null;
  /** The row that the line above the chart is about. */
  let toldRow: number | null = null;

  const sceneRows = (): readonly number[] =>
    shown?.data.scenes.flatMap((scene, row) => (scene === null ? [] : [row])) ?? [];
  /** The nearest row with a scene, if it is in reach of the pointer. */
  const snapToScene = (row: number): number | null => {
    const [plot] = plots;
    if (plot === undefined || shown === null) return null;
    const pxPerRow = plot.over.clientWidth / Math.max(1, shown.data.seconds.length - 1);
    const near = sceneRows().toSorted((a, b) => Math.abs(a - row) - Math.abs(b - row))[0];
    return near !== undefined && Math.abs(near - row) * pxPerRow <= REACH_PX ? near : null;
  };
  const tell = (row: number | null): void => {
    toldRow = row;
    if (shown === null) return;
    const { data } = shown;
    readout.classList.toggle('muted', row === null);
    if (row === null) {
      readout.textContent = words.smoothed;
      return;
    }
    readout.textContent = describeRow(data, snapToScene(row) ?? row, texts).join('  ·  ');
  };
  const choose = (row: number): void => {
    const scene = shown?.data.scenes[snapToScene(row) ?? row] ?? null;
    if (scene !== null) events.onScene(scene);
  };
  const pointAt = (row: number | null): void => {
    const second = row === null ? null : (shown?.data.seconds[row] ?? null);
    if (second !== null) {
      for (const plot of plots) plot.setCursor({ left: plot.valToPos(second, 'x'), top: 0 }, false);
    }
    tell(row);
  };
  const stepTo = (row: number | undefined): void => {
    if (row === undefined || shown === null) return;
    keyRow = row;
    panes.setAttribute('aria-valuenow', String(sceneRows().indexOf(row)));
    panes.setAttribute('aria-valuetext', describeRow(shown.data, row, texts).join(', '));
    pointAt(row);
  };
  panes.addEventListener('keydown', (event) => {
    const rows = sceneRows();
    const index = keyRow === null ? -1 : rows.indexOf(keyRow);
    const step: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: rows[index < 0 ? rows.length - 1 : Math.max(0, index - 1)],
      ArrowRight: rows[Math.min(rows.length - 1, index + 1)],
      Home: rows[0],
      End: rows.at(-1),
    };
    if (event.key in step) stepTo(step[event.key]);
    else if (event.key === 'Enter' && keyRow !== null) choose(keyRow);
    else return;
    event.preventDefault();
  });

  /** What is not drawn says so below the chart: a slider can hold no button. */
  const showQuiet = (layers: readonly SeriesLayer[], series: SeriesState): void => {
    const hadFocus = quiet.contains(document.activeElement);
    quiet.replaceChildren(
      ...layers.map((layer) => {
        const host = el('div', { class: 'pane is-quiet' }, makePaneHead(layer, series, words));
        host.append(el('p', { class: 'muted small' }, excuseOf(layer, series, words) ?? ''));
        const part = partOf(layer);
        if (['failed', 'cancelled'].includes(series[part].kind)) {
          const retry = el('button', { type: 'button', class: 'link small' }, texts.frame.tryAgain);
          retry.addEventListener('click', () => events.onRetry(part));
          host.append(retry);
        }
        return host;
      }),
    );
    if (hadFocus) panes.focus();
  };

  const describeChart = ({ days, indices }: ChartData): void => {
    const rows = sceneRows();
    panes.setAttribute('aria-valuemax', String(Math.max(0, rows.length - 1)));
    const [first = '', last = ''] = [days[0], days.at(-1)].map((day) => formatDate(day ?? '', texts.locale));
    panes.setAttribute('aria-label', words.chart(indices.map(({ name }) => name).join(', '), first, last));
    if (keyRow !== null && rows.includes(keyRow)) {
      panes.setAttribute('aria-valuenow', String(rows.indexOf(keyRow)));
      return;
    }
    keyRow = null;
    panes.setAttribute('aria-valuenow', '0');
    panes.removeAttribute('aria-valuetext');
  };

  const draw = (): void => {
    const told = toldRow;
    for (const plot of plots) plot.destroy();
    plots = [];
    if (shown === null || panes.clientWidth === 0) return;
    const { data, series } = shown;
    const { layers } = series.choice;
    const isDrawn = (layer: SeriesLayer): boolean => excuseOf(layer, series, words) === null;
    keys.replaceChildren(...data.indices.map(({ name }, i) => makeSwatch(`series-${i + 1}`, name)));
    showQuiet(
      layers.filter((layer) => !isDrawn(layer)),
      series,
    );
    const drawn = [null, ...layers.filter(isDrawn)].map((layer) => ({
      layer,
      host: el('div', { class: 'pane' }, ...(layer === null ? [] : [makePaneHead(layer, series, words)])),
    }));
    panes.replaceChildren(...drawn.map(({ host }) => host));

    // The height is shared, two parts to the indices; a part of a pixel too much would make a scroll bar.
    const scale = readPageScale();
    const share =
      (Math.floor(panes.getBoundingClientRect().height) - TIME_AXIS_PX * scale) / (drawn.length + 1);
    const forecastRow = data.weather.findIndex((day) => day?.isForecast === true);
    const onMap = store.read().shown?.viewId;
    const markedRow = data.scenes.findIndex((scene) => scene?.viewId === onMap);
    const colors: PaneColors = {
      text: readColor('--muted'),
      line: readColor('--line'),
      raised: readColor('--raised'),
      accent: readColor('--accent'),
    };
    plots = drawn.map(({ layer, host }, i) => {
      const hasTimeAxis = i === drawn.length - 1;
      const room =
        layer === null ? Math.max(MIN_INDEX_PX * scale, 2 * share) : Math.max(MIN_LAYER_PX * scale, share);
      const { columns, ...contents } = contentsOf(layer, data, readColor);
      const isLine = (k: number): boolean => k > 0 && k <= data.indices.length;
      return makePane(
        host,
        {
          ...contents,
          width: panes.clientWidth,
          height: room + (hasTimeAxis ? TIME_AXIS_PX * scale : 0),
          hasTimeAxis,
          headPx: (layer === null ? 8 : HEAD_PX) * scale,
          locale: texts.locale,
          colors,
          forecastFrom: data.seconds[forecastRow] ?? null,
          marked: data.seconds[markedRow] ?? null,
          snap: (row, k) => (layer !== null ? row : isLine(k) ? null : snapToScene(row)),
          onRow: tell,
          onClick: choose,
        },
        columns,
      );
    });
    size = readSize();
    describeChart(data);
    const made = plots;
    // What was read before is read on. uPlot has its scales only after a microtask of its own, which forgets the pointer.
    queueMicrotask(() => {
      if (plots === made) pointAt(told);
    });
  };

  const readSize = (): string => `${panes.clientWidth} ${panes.clientHeight}`;
  let size = '';
  new ResizeObserver(() => {
    if (readSize() !== size) draw();
  }).observe(panes);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  store.watch(({ shown: scene }) => scene?.viewId ?? null, draw);
  return {
    element,
    show(data, series) {
      const rowOf = (row: number | null): number | null => {
        const next = row === null ? -1 : data.days.indexOf(shown?.data.days[row] ?? '');
        return next < 0 ? null : next;
      };
      [keyRow, toldRow] = [rowOf(keyRow), rowOf(toldRow)];
      shown = { data, series };
      draw();
    },
  };
};
