/** What the time series of the area shows: dataset, indices, dates, and what lies below them. */
import type { FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import { indicesOf, periodOfSeries, sensorOfSeries, seriesSensorsOf } from '../../../actions/plan-series.ts';
import { wordsOfIndex } from '../../../scenes/titles.ts';
import { MAX_INDICES, SERIES_LAYERS } from '../../../state/series-state.ts';
import { DatePair } from '../../date-pair.tsx';
import { Select, Switch } from '../../kit/controls.tsx';
import { usePanel, usePart } from '../../kit/panel.tsx';
import { isNarrow } from '../../narrow.ts';
import { readToday } from './today.ts';

const Datasets: FunctionComponent = () => {
  const { store, actions, texts } = usePanel();
  const chosen = usePart((state) => sensorOfSeries(state)?.dataset ?? '');
  // Rendered again when other datasets are offered; the list itself differs each time.
  usePart((state) =>
    seriesSensorsOf(state)
      .map(({ dataset }) => dataset)
      .join(),
  );
  const offered = seriesSensorsOf(store.read());
  return (
    <div>
      <label for="series-dataset">{texts.series.dataset}</label>
      <Select
        id="series-dataset"
        choices={offered.map(({ dataset, title }) => ({ value: dataset, title }))}
        value={chosen}
        onChoose={(dataset) => actions.chooseSeries({ dataset })}
      />
    </div>
  );
};

const Indices: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const sensor = usePart(sensorOfSeries);
  const chosen = usePart(({ series }) => series.choice.indices);
  const offered = sensor === null ? [] : indicesOf(sensor);
  const toggle = (name: string, isOn: boolean): void => {
    const names = offered.map((index) => index.name);
    const next = names.filter((one) => (one === name ? isOn : chosen.includes(one)));
    actions.chooseSeries({ indices: next });
  };
  return (
    <details class="dropdown">
      <summary>{`${texts.series.indices}: ${chosen.join(', ')}`}</summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its border and its legend. */}
      <div class="checks" role="group" aria-label={texts.series.indices}>
        {offered.map((index) => {
          const isOn = chosen.includes(index.name);
          return (
            <label key={index.name} class="check">
              <input
                type="checkbox"
                value={index.name}
                checked={isOn}
                disabled={!isOn && chosen.length >= MAX_INDICES}
                onChange={({ currentTarget }) => {
                  // The last one stays: a series without an index shows nothing.
                  if (!currentTarget.checked && chosen.length === 1) currentTarget.checked = true;
                  else toggle(index.name, currentTarget.checked);
                }}
              />
              {`${index.name} ${wordsOfIndex(index, texts).title}`}
            </label>
          );
        })}
      </div>
      <p class="muted small series-hint">{texts.series.indicesHint(MAX_INDICES)}</p>
    </details>
  );
};

const SeriesDates: FunctionComponent = () => {
  const { store, actions } = usePanel();
  const choice = usePart(({ series }) => series.choice);
  const before = useRef(choice);
  return (
    <DatePair
      name="series"
      dates={periodOfSeries(store.read(), readToday())}
      onFocus={() => {
        before.current = choice;
      }}
      // An end that is as it was stays what was chosen for it: by default the ends follow the calendar.
      onChange={({ from, to }, shown) =>
        actions.chooseSeries({
          from: from === shown.from ? before.current.from : from || null,
          to: to === shown.to ? before.current.to : to || null,
        })
      }
    />
  );
};

const Layers: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const layers = usePart(({ series }) => series.choice.layers);
  return (
    <fieldset>
      <legend>{texts.series.layers}</legend>
      {SERIES_LAYERS.map((layer) => (
        <Switch
          key={layer}
          isOn={layers.includes(layer)}
          onSwitch={(isOn) =>
            actions.chooseSeries({
              layers: SERIES_LAYERS.filter((one) => (one === layer ? isOn : layers.includes(one))),
            })
          }
        >
          {texts.series.layerNames[layer].title}
        </Switch>
      ))}
    </fieldset>
  );
};

/** The section. */
export const SeriesSection: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const isOpen = usePart(({ series }) => series.isOpen);
  const toggle = (): void => {
    actions.openSeries(!isOpen);
    // A phone has room for the panel or for the chart.
    if (!isOpen && isNarrow()) actions.openPanel(null);
  };
  return (
    <section class="measure" aria-labelledby="series-heading">
      <h3 id="series-heading">{texts.series.title}</h3>
      <Datasets />
      <Indices />
      <SeriesDates />
      <Layers />
      <button
        type="button"
        class={isOpen ? 'secondary' : 'primary'}
        aria-controls="dock"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {isOpen ? texts.series.hide : texts.series.show}
      </button>
    </section>
  );
};
