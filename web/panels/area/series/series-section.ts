/** What the time series of the area shows: dataset, indices, dates, and what lies below them. */
import { indicesOf, periodOfSeries, sensorOfSeries, seriesSensorsOf } from '../../../actions/plan-series.ts';
import { wordsOfIndex } from '../../../scenes/titles.ts';
import type { SeriesLayer } from '../../../state/series-state.ts';
import { MAX_INDICES, SERIES_LAYERS } from '../../../state/series-state.ts';
import { makeDatePair } from '../../date-pair.ts';
import { el } from '../../dom.ts';
import { isNarrow } from '../../narrow.ts';
import type { PanelContext } from '../../panel-context.ts';
import { readToday } from './today.ts';

const makeDatasets = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const select = el('select', { id: 'series-dataset' });
  select.addEventListener('change', () => actions.chooseSeries({ dataset: select.value }));
  store.watch(
    (state) =>
      seriesSensorsOf(state)
        .map(({ dataset }) => dataset)
        .join(),
    (_, state) => {
      select.replaceChildren(
        ...seriesSensorsOf(state).map(({ dataset, title }) => el('option', { value: dataset }, title)),
      );
      select.value = sensorOfSeries(state)?.dataset ?? '';
    },
  );
  store.watch(
    (state) => sensorOfSeries(state)?.dataset ?? '',
    (dataset) => {
      select.value = dataset;
    },
  );
  return el('div', {}, el('label', { for: 'series-dataset' }, texts.series.dataset), select);
};

const makeIndices = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const summary = el('summary', {});
  const checks = el('div', { class: 'checks', role: 'group', 'aria-label': texts.series.indices });
  const inputs = (): HTMLInputElement[] => [...checks.querySelectorAll('input')];
  const apply = (): void => {
    const chosen = inputs().filter(({ checked }) => checked);
    // The last one stays: a series without an index shows nothing.
    if (chosen.length === 0) show();
    else actions.chooseSeries({ indices: chosen.map(({ value }) => value) });
  };
  const show = (): void => {
    const { indices } = store.read().series.choice;
    summary.textContent = `${texts.series.indices}: ${indices.join(', ')}`;
    for (const input of inputs()) {
      input.checked = indices.includes(input.value);
      input.disabled = !input.checked && indices.length >= MAX_INDICES;
    }
  };
  store.watch(sensorOfSeries, (sensor) => {
    checks.replaceChildren(
      ...(sensor === null ? [] : indicesOf(sensor)).map((index) => {
        const input = el('input', { type: 'checkbox', value: index.name });
        input.addEventListener('change', apply);
        return el('label', { class: 'check' }, input, `${index.name} ${wordsOfIndex(index, texts).title}`);
      }),
    );
    show();
  });
  store.watch(({ series }) => series.choice.indices, show);
  const hint = el('p', { class: 'muted small series-hint' }, texts.series.indicesHint(MAX_INDICES));
  return el('details', { class: 'dropdown' }, summary, checks, hint);
};

const makeDates = ({ store, actions, texts }: PanelContext): HTMLElement => {
  let chosen = store.read().series.choice;
  const pair = makeDatePair({
    name: 'series',
    texts,
    // An end that is as it was stays what was chosen for it: by default the ends follow the calendar.
    onChange: ({ from, to }, before) =>
      actions.chooseSeries({
        from: from === before.from ? chosen.from : from || null,
        to: to === before.to ? chosen.to : to || null,
      }),
  });
  pair.element.addEventListener('focusin', () => {
    chosen = store.read().series.choice;
  });
  store.watch(
    ({ series }) => series.choice,
    (_, state) => pair.show(periodOfSeries(state, readToday())),
  );
  return pair.element;
};

const makeLayers = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const checks = SERIES_LAYERS.map((layer): [SeriesLayer, HTMLInputElement] => {
    const input = el('input', { type: 'checkbox' });
    input.addEventListener('change', () => {
      const layers = checks.flatMap(([name, check]) => (check.checked ? [name] : []));
      actions.chooseSeries({ layers });
    });
    return [layer, input];
  });
  store.watch(
    ({ series }) => series.choice.layers,
    (layers) => {
      for (const [layer, input] of checks) input.checked = layers.includes(layer);
    },
  );
  return el(
    'fieldset',
    {},
    el('legend', {}, texts.series.layers),
    ...checks.map(([layer, input]) =>
      el('label', { class: 'check' }, input, texts.series.layerNames[layer].title),
    ),
  );
};

/** Builds the section. */
export const makeSeriesSection = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const open = el('button', { type: 'button', 'aria-controls': 'dock' });
  open.addEventListener('click', () => {
    const isOpen = !store.read().series.isOpen;
    actions.openSeries(isOpen);
    // A phone has room for the panel or for the chart.
    if (isOpen && isNarrow()) actions.openPanel(null);
  });
  store.watch(
    ({ series }) => series.isOpen,
    (isOpen) => {
      open.className = isOpen ? 'secondary' : 'primary';
      open.textContent = isOpen ? texts.series.hide : texts.series.show;
      open.setAttribute('aria-expanded', String(isOpen));
    },
  );
  return el(
    'section',
    { class: 'measure', 'aria-labelledby': 'series-heading' },
    el('h3', { id: 'series-heading' }, texts.series.title),
    makeDatasets(context),
    makeIndices(context),
    makeDates(context),
    makeLayers(context),
    open,
  );
};
