/** The dock below the map: the time series of the area, as a chart or as tables. */
import { startSeriesLoader } from '../../../actions/load-series.ts';
import { periodOfSeries } from '../../../actions/plan-series.ts';
import { makeShowScene } from '../../../actions/show-scene.ts';
import { isEmptyScene } from '../../../api/statistics.ts';
import { wait } from '../../../api/wait.ts';
import type { FailedScene, Measured, MeasuredScene, SeriesState } from '../../../state/series-state.ts';
import { SERIES_FORMS } from '../../../state/series-state.ts';
import { formatPercent } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import { makeIcon } from '../../icon.ts';
import type { PanelContext } from '../../panel-context.ts';
import { makeRadios } from '../../radios.ts';
import { saveFile } from '../../save-file.ts';
import type { ChartData } from './chart-data.ts';
import { isClear, toChartData } from './chart-data.ts';
import { makeDockEdge } from './dock-height.ts';
import { readPageScale } from './page-scale.ts';
import { makeSeriesChart } from './series-chart.ts';
import { makeSeriesStates } from './series-state-view.ts';
import type { ScenesTable } from './series-tables.ts';
import { makeDaysTable, makeScenesTable } from './series-tables.ts';
import type { SeriesDay } from './to-csv.ts';
import { toDaysCsv, toScenesCsv } from './to-csv.ts';
import { readToday } from './today.ts';

/** The indices and the time axis, and each layer below them. */
const BASE_PX = 170;
const LAYER_PX = 72;

const makeClouds = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const range = el('input', { id: 'series-clouds', type: 'range', min: '0', max: '100', step: '5' });
  const output = el('output', { for: 'series-clouds' });
  range.addEventListener('input', () => actions.chooseSeries({ maxCloudPercent: Number(range.value) }));
  store.watch(
    ({ series }) => series.choice.maxCloudPercent,
    (percent) => {
      range.value = String(percent);
      output.value = formatPercent(percent, texts.locale);
      range.setAttribute('aria-valuetext', output.value);
    },
  );
  return el(
    'div',
    { class: 'series-clouds' },
    el('label', { for: 'series-clouds' }, texts.series.clouds),
    range,
    output,
  );
};

/** Scenes that could not be read, or nothing. */
const makeUnread = (failures: readonly FailedScene[], { texts }: PanelContext): readonly HTMLElement[] => {
  const unread = failures.filter((failure) => !isEmptyScene(failure));
  if (unread.length === 0) return [];
  const items = unread.map(({ date, sceneId, text }) => el('li', {}, `${date} ${sceneId}: ${text}`));
  return [
    el(
      'details',
      { class: 'series-unread small' },
      el('summary', {}, texts.series.unread(unread.length)),
      el('ul', {}, ...items),
    ),
  ];
};

/** What was made last, as long as it was made of the same. */
const makeMemory = <Made>(): ((parts: readonly unknown[], make: () => Made) => Made) => {
  let last: { readonly parts: readonly unknown[]; readonly made: Made } | null = null;
  return (parts, make) => {
    const isSame = last?.parts.length === parts.length && last.parts.every((part, i) => part === parts[i]);
    if (last === null || !isSame) last = { parts, made: make() };
    return last.made;
  };
};

const measuredOf = ({ measured }: SeriesState): Measured | null =>
  measured.kind === 'ready' ? measured.value : null;

/** The scenes that are drawn, listed and saved. */
const clearScenesOf = (series: SeriesState): readonly MeasuredScene[] =>
  measuredOf(series)?.scenes.filter((scene) => isClear(scene, series.choice.maxCloudPercent)) ?? [];

const toDays = ({ days, weather, soil }: ChartData): readonly SeriesDay[] =>
  days
    .map((day, i) => ({ day, weather: weather[i] ?? null, soil: soil[i] ?? null }))
    .filter((day) => day.weather !== null || day.soil !== null);

/** Fills the dock and starts loading what it shows. */
export const fillDock = (host: HTMLElement, context: PanelContext): void => {
  const { store, api, actions, texts } = context;
  const words = texts.series;
  const loader = startSeriesLoader({ store, api, report: actions.report, wait, readToday });
  const showScene = makeShowScene({ store, api, report: actions.report, texts });
  const chart = makeSeriesChart(context, {
    onScene: (scene) => void showScene(scene),
    onRetry: loader.retry,
  });
  const readData = (): ChartData => {
    const state = store.read();
    return toChartData(state.series, periodOfSeries(state, readToday()));
  };

  const radios = makeRadios({
    name: 'series-form',
    legend: words.form,
    choices: SERIES_FORMS.map((value) => ({ value, title: words.forms[value] })),
    onChoose: (value) => actions.setSeriesForm(SERIES_FORMS.find((one) => one === value) ?? 'chart'),
  });
  radios.element.querySelector('legend')?.classList.add('unseen');
  const save = el('button', { type: 'button', class: 'secondary' }, makeIcon('download'), words.csv);
  save.addEventListener('click', () => {
    const { series } = store.read();
    if (series.form === 'days') return saveFile('days.csv', 'text/csv', toDaysCsv(toDays(readData())));
    saveFile('scenes.csv', 'text/csv', toScenesCsv(clearScenesOf(series)));
  });
  const close = el(
    'button',
    { type: 'button', class: 'plain', 'aria-label': words.close },
    makeIcon('close'),
  );
  close.addEventListener('click', () => actions.openSeries(false));
  const count = el('p', { class: 'muted small series-count' });
  const body = el('div', { class: 'series-body' });
  const head = el(
    'header',
    {},
    el('div', { class: 'series-title' }, el('h2', {}, words.title), count),
    el('div', { class: 'series-controls' }, makeClouds(context), radios.element, save),
    close,
  );
  host.replaceChildren(makeDockEdge(host, words.resize), head, body);

  const stateOf = makeSeriesStates(context, {
    onCancel: loader.cancel,
    onRetry: () => loader.retry('measured'),
  });
  const makeScrolled = (label: string, table: HTMLElement): HTMLElement =>
    el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
  const [unreadMemory, scenesMemory, daysMemory] = [
    makeMemory<readonly HTMLElement[]>(),
    makeMemory<{ readonly table: ScenesTable; readonly scrolled: HTMLElement }>(),
    makeMemory<readonly HTMLElement[]>(),
  ];
  /** Only what differs is put in: what is scrolled, focused or opened stays so. */
  const fill = (...elements: readonly HTMLElement[]): void => {
    const isSame =
      body.children.length === elements.length && elements.every((one, i) => body.children[i] === one);
    if (!isSame) body.replaceChildren(...elements);
  };

  const showScenes = (series: SeriesState, unread: readonly HTMLElement[]): void => {
    const { table, scrolled } = scenesMemory([series.measured, series.choice.maxCloudPercent], () => {
      const made = makeScenesTable(clearScenesOf(series), context, (scene) => void showScene(scene));
      return { table: made, scrolled: makeScrolled(words.forms.scenes, made.element) };
    });
    table.mark(store.read().shown?.viewId ?? null);
    fill(scrolled, ...unread);
  };
  const showDays = (series: SeriesState): void => {
    const days = toDays(readData());
    save.disabled = days.length === 0;
    const { weather, soil, choice } = series;
    fill(
      ...daysMemory([weather, soil, choice], () => [
        days.length === 0
          ? el('div', { class: 'state' }, el('p', { class: 'muted' }, daysExcuse(series)))
          : makeScrolled(words.forms.days, makeDaysTable(days, context)),
      ]),
    );
  };

  const show = (): void => {
    const { series } = store.read();
    const measured = measuredOf(series);
    const clear = clearScenesOf(series);
    const all = measured?.scenes.length ?? 0;
    if (measured === null) count.textContent = '';
    else count.textContent = clear.length === all ? words.scenes(all) : words.someScenes(clear.length, all);
    // As high as what is shown, until the user chooses another height.
    host.style.setProperty(
      '--dock-auto',
      `${head.offsetHeight + (BASE_PX + LAYER_PX * series.choice.layers.length) * readPageScale()}px`,
    );
    radios.show(series.form);
    save.disabled = clear.length === 0;
    host.setAttribute('aria-busy', String(series.measured.kind === 'loading'));
    if (series.form === 'days') {
      showDays(series);
      return;
    }
    const unread = unreadMemory([measured], () => makeUnread(measured?.failures ?? [], context));
    const state = stateOf(series);
    if (state !== null) fill(state, ...unread);
    else if (series.form === 'scenes') showScenes(series, unread);
    else {
      fill(chart.element, ...unread);
      chart.show(readData(), series);
    }
  };
  const daysExcuse = ({ choice, weather, soil }: SeriesState): string => {
    if (choice.layers.length === 0) return words.noDays;
    const failed = [weather, soil].find((part) => part.kind === 'failed');
    if (failed?.kind === 'failed') return failed.text;
    return [weather, soil].some(({ kind }) => kind === 'loading') ? words.loadingWeather : words.noWeather;
  };
  store.watch(({ series }) => series, show);
  // The table marks the scene on the map; the chart does so by itself.
  store.watch(
    ({ shown }) => shown?.viewId,
    () => {
      if (store.read().series.form === 'scenes') show();
    },
  );
};
