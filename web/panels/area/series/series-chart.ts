/** The chart of a series: indices above, and below them what was switched on, all over the same days. */
import '../../valid-language.ts';
import uPlot from 'uplot';
import type { SeriesLayer, SeriesState } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatDate, formatNumber, formatPercent } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import type { PanelContext } from '../../panel-context.ts';
import type { ChartData } from './chart-data.ts';
import { readPageScale } from './page-scale.ts';
import type { PaneColors, PaneOptions } from './pane.ts';
import { makePane } from './pane.ts';

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

/** What is known of a day, in words. */
const describeRow = (data: ChartData, row: number, texts: Texts): readonly string[] => {
  const { locale, series: words } = texts;
  const [scene, weather, soil] = [
    data.scenes[row] ?? null,
    data.weather[row] ?? null,
    data.soil[row] ?? null,
  ];
  const values = data.indices.flatMap(({ name, points, line }) => {
    const point = points[row] ?? null;
    const smooth = line[row] ?? null;
    if (point !== null) return [`${name} ${formatNumber(point, locale)}`];
    return smooth === null ? [] : [`${name} ≈ ${formatNumber(smooth, locale)}`];
  });
  const temperature =
    weather === null
      ? []
      : [`${formatNumber(weather.minC, locale)} … ${formatNumber(weather.maxC, locale)} °C`];
  const rain =
    weather === null || weather.rainMm === null ? [] : [`${formatNumber(weather.rainMm, locale)} mm`];
  return [
    formatDate(data.days[row] ?? '', locale),
    ...values,
    ...(scene === null || scene.cloudPercent === null
      ? []
      : [texts.find.cloud(formatPercent(scene.cloudPercent, locale))]),
    ...temperature,
    ...rain,
    ...(soil === null ? [] : [`${formatNumber(soil.surface, locale)} m³/m³`]),
    ...(weather?.isForecast ? [words.forecast] : []),
  ];
};

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

/** Builds the chart; it draws itself again when its room or the theme changes. */
export const makeSeriesChart = (context: PanelContext, events: ChartEvents): SeriesChart => {
  const { store, texts } = context;
  const words = texts.series;
  const readout = el('p', { class: 'series-readout' });
  const keys = el('p', { class: 'series-keys' });
  const panes = el('div', { class: 'series-panes', tabindex: '0', role: 'slider', 'aria-valuemin': '0' });
  const element = el(
    'div',
    { class: 'series-chart' },
    el('div', { class: 'series-line' }, keys, readout),
    panes,
  );
  const readColor = makeColorReader(element);
  let shown: { readonly data: ChartData; readonly series: SeriesState } | null = null;
  let plots: uPlot[] = [];
  /** The row that the keyboard is at. */
  let keyRow: number | null = null;

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
  const stepTo = (row: number | undefined): void => {
    if (row === undefined || shown === null) return;
    keyRow = row;
    panes.setAttribute('aria-valuenow', String(sceneRows().indexOf(row)));
    panes.setAttribute('aria-valuetext', describeRow(shown.data, row, texts).join(', '));
    const second = shown.data.seconds[row] ?? 0;
    for (const plot of plots) plot.setCursor({ left: plot.valToPos(second, 'x'), top: 0 }, false);
    tell(row);
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

  const layerState = (layer: SeriesLayer, series: SeriesState): string | null => {
    const part = layer === 'soil' ? series.soil : series.weather;
    if (part.kind === 'loading') return words.loadingWeather;
    if (part.kind === 'failed') return part.text;
    if (part.kind === 'cancelled') return words.cancelled;
    if (part.kind !== 'ready') return '';
    const count = layer === 'soil' ? series.soil.kind === 'ready' && series.soil.value.length : null;
    if (layer === 'soil') return count === 0 ? words.noSoil : null;
    return series.weather.kind === 'ready' && series.weather.value.days.length === 0 ? words.noWeather : null;
  };
  const makeHead = (title: string, ...rest: readonly (Node | string)[]): HTMLElement =>
    el('p', { class: 'pane-head' }, el('strong', {}, title), ...rest);
  const makeSwatch = (slot: string, text: string): HTMLElement =>
    el('span', { class: 'series-key' }, el('span', { class: `series-swatch ${slot}` }), text);

  /** Who has measured the weather; some ask to be named. */
  const makeSource = ({ weather }: SeriesState): string => {
    const source = weather.kind === 'ready' ? weather.value.source : null;
    if (source === null) return '';
    return source.startsWith('open-meteo') ? words.openMeteo : words.source(source);
  };

  const draw = (): void => {
    for (const plot of plots) plot.destroy();
    plots = [];
    if (shown === null || panes.clientWidth === 0) return;
    const { data, series } = shown;
    const { layers } = series.choice;
    const colors: PaneColors = {
      text: readColor('--muted'),
      line: readColor('--line'),
      raised: readColor('--raised'),
      accent: readColor('--accent'),
    };
    const hosts = [null, ...layers].map((layer) => {
      const excuse = layer === null ? null : layerState(layer, series);
      return { layer, excuse, host: el('div', { class: 'pane' }) };
    });
    const drawn = hosts.filter(({ excuse }) => excuse === null);
    panes.replaceChildren(...hosts.map(({ host }) => host));
    keys.replaceChildren(...data.indices.map(({ name }, i) => makeSwatch(`series-${i + 1}`, name)));

    for (const { layer, excuse, host } of hosts) {
      if (layer === null) continue;
      const { title, unit } = words.layerNames[layer];
      host.append(
        makeHead(
          title,
          el('span', {}, unit),
          ...(layer === 'soil' && excuse === null
            ? [makeSwatch('series-soil', words.surface), makeSwatch('series-root', words.rootZone)]
            : []),
          ...(layer === 'temperature' ? [el('span', {}, makeSource(series))] : []),
        ),
      );
      if (excuse === null) continue;
      host.classList.add('is-quiet');
      host.append(el('p', { class: 'muted small' }, excuse));
      const part = layer === 'soil' ? 'soil' : 'weather';
      if (['failed', 'cancelled'].includes(series[part].kind)) {
        const retry = el('button', { type: 'button', class: 'link small' }, texts.frame.tryAgain);
        retry.addEventListener('click', () => events.onRetry(part));
        host.append(retry);
      }
    }

    // Quiet panes have their own heights; what is left is shared, two parts to the indices.
    const taken = hosts.reduce((sum, { excuse, host }) => sum + (excuse === null ? 0 : host.offsetHeight), 0);
    const scale = readPageScale();
    const free = panes.clientHeight - taken - TIME_AXIS_PX * scale;
    const share = free / (drawn.length + 1);
    const forecastRow = data.weather.findIndex((day) => day?.isForecast === true);
    const shownScene = store.read().shown;
    const markedRow = data.scenes.findIndex((scene) => scene?.viewId === shownScene?.viewId);
    const base = {
      width: panes.clientWidth,
      locale: texts.locale,
      colors,
      forecastFrom: data.seconds[forecastRow] ?? null,
      marked: data.seconds[markedRow] ?? null,
      onRow: tell,
      onClick: choose,
    };
    const at = <Value>(list: readonly (Value | null)[], read: (value: Value) => number | null) =>
      list.map((value) => (value === null ? null : read(value)));
    const seconds = [...data.seconds];

    for (const [i, { layer, host }] of drawn.entries()) {
      const hasTimeAxis = i === drawn.length - 1;
      const extra = hasTimeAxis ? TIME_AXIS_PX * scale : 0;
      const height =
        extra +
        (layer === null ? Math.max(MIN_INDEX_PX * scale, 2 * share) : Math.max(MIN_LAYER_PX * scale, share));
      const common: Pick<PaneOptions, keyof typeof base | 'hasTimeAxis' | 'headPx' | 'height' | 'snap'> = {
        ...base,
        hasTimeAxis,
        height,
        headPx: (layer === null ? 8 : HEAD_PX) * scale,
        snap: (row) => row,
      };
      if (layer === null) {
        const strokes = data.indices.map((_, k) => readColor(`--series-${k + 1}`));
        plots.push(
          makePane(
            host,
            {
              ...common,
              range: withRoom(0.08),
              snap: (row, k) => (k > 0 && k <= strokes.length ? null : snapToScene(row)),
              series: [
                ...strokes.map((stroke) => ({ stroke, width: 2, points: { show: false } })),
                ...strokes.map((stroke) => ({
                  stroke,
                  width: 0,
                  paths: () => null,
                  points: { show: true, size: 7, fill: stroke, stroke, width: 0 },
                })),
              ],
            },
            [
              seconds,
              ...data.indices.map(({ line }) => [...line]),
              ...data.indices.map(({ points }) => [...points]),
            ],
          ),
        );
      } else if (layer === 'temperature') {
        const stroke = readColor('--series-heat');
        const fill = readColor('--series-heat-soft');
        plots.push(
          makePane(
            host,
            {
              ...common,
              range: withRoom(0.06),
              series: [
                { stroke, width: 1, points: { show: false } },
                { stroke, width: 1, points: { show: false } },
              ],
              bands: [{ series: [1, 2], fill }],
            },
            [seconds, at(data.weather, ({ maxC }) => maxC), at(data.weather, ({ minC }) => minC)],
          ),
        );
      } else if (layer === 'rain') {
        const fill = readColor('--series-rain');
        const bars = uPlot.paths.bars?.({ size: [0.8, 14], align: 0 });
        plots.push(
          makePane(
            host,
            {
              ...common,
              range: fromZero,
              series: [{ fill, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }],
            },
            [seconds, at(data.weather, ({ rainMm }) => rainMm)],
          ),
        );
      } else {
        plots.push(
          makePane(
            host,
            {
              ...common,
              range: withRoom(0.08),
              series: [
                { stroke: readColor('--series-soil'), width: 1.25, points: { show: false } },
                { stroke: readColor('--series-root'), width: 2, points: { show: false } },
              ],
            },
            [seconds, at(data.soil, ({ surface }) => surface), at(data.soil, ({ rootZone }) => rootZone)],
          ),
        );
      }
    }
    panes.setAttribute('aria-valuemax', String(Math.max(0, sceneRows().length - 1)));
    panes.setAttribute(
      'aria-label',
      words.chart(
        data.indices.map(({ name }) => name).join(', '),
        formatDate(data.days[0] ?? '', texts.locale),
        formatDate(data.days.at(-1) ?? '', texts.locale),
      ),
    );
    if (keyRow === null || data.scenes[keyRow] == null) {
      keyRow = null;
      panes.setAttribute('aria-valuenow', '0');
      panes.removeAttribute('aria-valuetext');
    }
    tell(null);
  };

  let size = '';
  new ResizeObserver(() => {
    const next = `${panes.clientWidth} ${panes.clientHeight}`;
    if (next === size) return;
    size = next;
    draw();
  }).observe(panes);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  store.watch(({ shown: scene }) => scene?.viewId ?? null, draw);
  return {
    element,
    show(data, series) {
      shown = { data, series };
      draw();
    },
  };
};
