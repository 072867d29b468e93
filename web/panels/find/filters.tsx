/** The filters of a search: dates, clouds, datasets and where. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { Where } from '../../state/search-state.ts';
import { formatPercent } from '../../texts/format.ts';
import { DatePair } from '../date-pair.tsx';
import { Button, Segments, Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { isNarrow } from '../narrow.ts';

const DateFilter: FunctionComponent = () => {
  const { actions } = usePanel();
  const from = usePart(({ query }) => query.from ?? '');
  const to = usePart(({ query }) => query.to ?? '');
  return (
    <DatePair
      name="date"
      dates={{ from, to }}
      onChange={(dates) =>
        void actions.setQuery({ from: dates.from || null, to: dates.to || null, day: null })
      }
    />
  );
};

const CloudFilter: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const chosen = usePart(({ query }) => query.maxCloudPercent ?? 100);
  // While the handle is moved, the words follow it; the list follows when it comes to rest.
  const moved = useSignal<number | null>(null);
  const percent = moved.value ?? chosen;
  const words = percent === 100 ? texts.find.anyClouds : formatPercent(percent, texts.locale);
  return (
    <div class="row">
      <label for="clouds">{texts.find.clouds}</label>
      <input
        id="clouds"
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={words}
        onInput={({ currentTarget }) => {
          moved.value = Number(currentTarget.value);
        }}
        onChange={({ currentTarget }) => {
          const rest = Number(currentTarget.value);
          void actions.setQuery({ maxCloudPercent: rest === 100 ? null : rest });
          moved.value = null;
        }}
      />
      <output for="clouds">{words}</output>
    </div>
  );
};

/** Any number of the datasets that have scenes; unseen while there is nothing to choose between. */
const DatasetFilter: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const datasets = usePart((state) => state.datasets);
  const sensors = usePart(({ knowledge }) => knowledge?.sensors);
  const chosen = usePart(({ query }) => query.datasets);
  const offered = sensors?.filter(({ dataset }) => datasets.includes(dataset)) ?? [];
  const toggle = (changed: string, isOn: boolean): void => {
    const next = offered
      .map(({ dataset }) => dataset)
      .filter((one) => (one === changed ? isOn : chosen?.includes(one)));
    void actions.setQuery({ datasets: next.length === 0 ? null : next });
  };
  const only =
    chosen?.length === 1 ? sensors?.find(({ dataset }) => dataset === chosen[0])?.title : undefined;
  return (
    <details class="dropdown" id="datasets" hidden={offered.length < 2}>
      <summary>
        {chosen === null ? texts.find.allDatasets : (only ?? texts.find.someDatasets(chosen.length))}
      </summary>
      <fieldset class="checks">
        <legend class="unseen">{texts.find.datasets}</legend>
        {offered.map(({ dataset, title }) => (
          <Switch
            key={dataset}
            isOn={chosen?.includes(dataset) ?? false}
            onSwitch={(isOn) => toggle(dataset, isOn)}
          >
            {title}
          </Switch>
        ))}
      </fieldset>
    </details>
  );
};

const places: Readonly<Record<Where['kind'], Where>> = {
  everywhere: { kind: 'everywhere' },
  view: { kind: 'view' },
  point: { kind: 'point', point: null },
  area: { kind: 'area' },
};

const PlaceFilter: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const where = usePart(({ query }) => query.where);
  const isWithoutArea = usePart(({ query, area }) => query.where.kind === 'area' && area === null);
  return (
    <div>
      <Segments<Where['kind']>
        name="where"
        legend={texts.find.where}
        choices={[
          { value: 'everywhere', title: texts.find.everywhere },
          { value: 'view', title: texts.find.inView },
          { value: 'point', title: texts.find.atPoint },
          { value: 'area', title: texts.area.inArea },
        ]}
        value={where.kind}
        onChoose={(kind) => void actions.setQuery({ where: places[kind] })}
      />
      {where.kind === 'point' && (
        <>
          {where.point === null && <p class="muted small">{texts.find.pickPoint}</p>}
          <Button look="link" onClick={actions.takeMiddle}>
            {texts.find.useMiddle}
          </Button>
        </>
      )}
      {isWithoutArea && (
        <p class="muted small">
          {texts.area.noneToSearch}{' '}
          <Button look="link" onClick={() => actions.openPanel('area')}>
            {texts.area.openArea}
          </Button>
        </p>
      )}
    </div>
  );
};

/** The filters. */
export const Filters: FunctionComponent = () => {
  const { texts } = usePanel();
  // A phone has room for the list or for the filters.
  const isOpen = useSignal(!isNarrow()).peek();
  return (
    <details class="filters" open={isOpen}>
      <summary>{texts.find.filters}</summary>
      <DateFilter />
      <CloudFilter />
      <DatasetFilter />
      <PlaceFilter />
    </details>
  );
};
