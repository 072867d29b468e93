/** The dock below the map: the time series of the area, as a chart or as tables. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { wait } from '../../../../clients/typescript/src/transport.ts';
import { startSeriesLoader } from '../../../actions/load-series.ts';
import { periodOfSeries } from '../../../actions/plan-series.ts';
import { makeShowScene } from '../../../actions/show-scene.ts';
import { isEmptyScene } from '../../../api/statistics.ts';
import type { FailedScene, MeasuredScene, SeriesForm, SeriesState } from '../../../state/series-state.ts';
import { SERIES_FORMS } from '../../../state/series-state.ts';
import type { Texts } from '../../../texts/en.ts';
import { formatPercent } from '../../../texts/format.ts';
import { Button } from '../../kit/controls.tsx';
import { mount, usePanel, usePart } from '../../kit/panel.tsx';
import { Empty } from '../../kit/parts.tsx';
import type { PanelContext } from '../../panel-context.ts';
import { saveFile } from '../../save-file.ts';
import type { ChartData } from './chart-data.ts';
import { isClear, toChartData } from './chart-data.ts';
import { DockEdge } from './dock-edge.tsx';
import { readPageScale } from './page-scale.ts';
import { SeriesChart } from './series-chart.tsx';
import { hasSeries, SeriesStates } from './series-states.tsx';
import { DaysTable, ScenesTable } from './series-tables.tsx';
import type { SeriesDay } from './to-csv.ts';
import { toDaysCsv, toScenesCsv } from './to-csv.ts';
import { readToday } from './today.ts';

/** The indices and the time axis, and each layer below them. */
const BASE_PX = 170;
const LAYER_PX = 72;

const CloudLimit: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const percent = usePart(({ series }) => series.choice.maxCloudPercent);
  const words = formatPercent(percent, texts.locale);
  return (
    <div class="series-clouds">
      <label for="series-clouds">{texts.series.clouds}</label>
      <input
        id="series-clouds"
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={words}
        onInput={({ currentTarget }) =>
          actions.chooseSeries({ maxCloudPercent: Number(currentTarget.value) })
        }
      />
      <output for="series-clouds">{words}</output>
    </div>
  );
};

/** Chart, scenes or days; its title is said, and not shown. */
const FormChoice: FunctionComponent<{ readonly form: SeriesForm }> = ({ form }) => {
  const {
    actions,
    texts: { series: words },
  } = usePanel();
  return (
    <fieldset class="choice">
      <legend class="unseen">{words.form}</legend>
      <div class="segments">
        {SERIES_FORMS.map((value) => (
          <label key={value} class="segment">
            <input
              type="radio"
              name="series-form"
              value={value}
              checked={value === form}
              onChange={() => actions.setSeriesForm(value)}
            />
            <span>{words.forms[value]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/** Scenes that could not be read, or nothing. */
const Unread: FunctionComponent<{ readonly failures: readonly FailedScene[] }> = ({ failures }) => {
  const { texts } = usePanel();
  const unread = failures.filter((failure) => !isEmptyScene(failure));
  if (unread.length === 0) return null;
  return (
    <details class="series-unread small">
      <summary>{texts.series.unread(unread.length)}</summary>
      <ul>
        {unread.map(({ date, sceneId, text }) => (
          <li key={`${date} ${sceneId}`}>{`${date} ${sceneId}: ${text}`}</li>
        ))}
      </ul>
    </details>
  );
};

/** A table that scrolls by itself. */
const Scrolled: FunctionComponent<{ readonly label: string; readonly children: ComponentChildren }> = ({
  label,
  children,
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long tables scroll, and keys have to reach them.
  <section class="table-scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
);

/** Why there are no days to list. */
const daysExcuse = ({ choice, weather, soil }: SeriesState, words: Texts['series']): string => {
  if (choice.layers.length === 0) return words.noDays;
  const failed = [weather, soil].find((part) => part.kind === 'failed');
  if (failed?.kind === 'failed') return failed.text;
  return [weather, soil].some(({ kind }) => kind === 'loading') ? words.loadingWeather : words.noWeather;
};

const toDays = ({ days, weather, soil, growth, balance }: ChartData): readonly SeriesDay[] =>
  days
    .map((day, i) => ({
      day,
      weather: weather[i] ?? null,
      soil: soil[i] ?? null,
      growthSum: growth[i] ?? null,
      balanceSum: balance[i] ?? null,
    }))
    .filter((day) => day.weather !== null || day.soil !== null);

/** What the dock shows of a series. */
interface Shown {
  readonly series: SeriesState;
  readonly data: ChartData;
  readonly days: readonly SeriesDay[];
  /** The scenes that are drawn, listed and saved. */
  readonly clear: readonly MeasuredScene[];
}

const DockHead: FunctionComponent<Shown> = ({ series, days, clear }) => {
  const {
    actions,
    texts: { series: words },
  } = usePanel();
  const all = series.measured.kind === 'ready' ? series.measured.value.scenes.length : null;
  const isDays = series.form === 'days';
  const save = (): void => {
    if (isDays) saveFile('days.csv', 'text/csv', toDaysCsv(days));
    else saveFile('scenes.csv', 'text/csv', toScenesCsv(clear));
  };
  return (
    <>
      <div class="series-title">
        <h2>{words.title}</h2>
        <p class="muted small series-count">
          {all !== null && (clear.length === all ? words.scenes(all) : words.someScenes(clear.length, all))}
        </p>
      </div>
      <div class="series-controls">
        <CloudLimit />
        <FormChoice form={series.form} />
        <Button icon="download" isDisabled={(isDays ? days : clear).length === 0} onClick={save}>
          {words.csv}
        </Button>
      </div>
      <Button look="plain" icon="close" label={words.close} onClick={() => actions.openSeries(false)} />
    </>
  );
};

interface BodyProps extends Shown {
  readonly loader: ReturnType<typeof startSeriesLoader>;
  readonly onScene: (scene: { readonly sceneId: string; readonly viewId: string }) => void;
}

const DockBody: FunctionComponent<BodyProps> = ({ series, data, days, clear, loader, onScene }) => {
  const {
    texts: { series: words },
  } = usePanel();
  if (series.form === 'days')
    return days.length === 0 ? (
      <Empty text={daysExcuse(series, words)} />
    ) : (
      <Scrolled key="days" label={words.forms.days}>
        <DaysTable days={days} />
      </Scrolled>
    );
  const failures = series.measured.kind === 'ready' ? series.measured.value.failures : [];
  return (
    <>
      {!hasSeries(series) ? (
        <SeriesStates series={series} onCancel={loader.cancel} onRetry={() => loader.retry('measured')} />
      ) : series.form === 'scenes' ? (
        <Scrolled key="scenes" label={words.forms.scenes}>
          <ScenesTable scenes={clear} onScene={onScene} />
        </Scrolled>
      ) : (
        <SeriesChart data={data} series={series} onScene={onScene} onRetry={loader.retry} />
      )}
      <Unread failures={failures} />
    </>
  );
};

/** The dock, which starts loading what it shows. */
const SeriesDock: FunctionComponent<{ readonly host: HTMLElement }> = ({ host }) => {
  const { store, api, actions, texts } = usePanel();
  const { loader, showScene } = useMemo(
    () => ({
      loader: startSeriesLoader({ store, api, report: actions.report, wait, readToday }),
      showScene: makeShowScene({ store, api, report: actions.report, texts }),
    }),
    [],
  );
  const series = usePart((state) => state.series);
  const data = useMemo(() => toChartData(series, periodOfSeries(store.read(), readToday())), [series]);
  const head = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // As high as what is shown, until the user chooses another height.
    const contentPx = (BASE_PX + LAYER_PX * series.choice.layers.length) * readPageScale();
    host.style.setProperty('--dock-auto', `${(head.current?.offsetHeight ?? 0) + contentPx}px`);
    host.setAttribute('aria-busy', String(series.measured.kind === 'loading'));
  }, [series]);
  const measured = series.measured.kind === 'ready' ? series.measured.value.scenes : [];
  const shown: Shown = {
    series,
    data,
    days: toDays(data),
    clear: measured.filter((scene) => isClear(scene, series.choice.maxCloudPercent)),
  };
  return (
    <>
      <DockEdge host={host} />
      <header ref={head}>
        <DockHead {...shown} />
      </header>
      <div class="series-body">
        <DockBody {...shown} loader={loader} onScene={(scene) => void showScene(scene)} />
      </div>
    </>
  );
};

/** Fills the dock. */
export const fillDock = (host: HTMLElement, context: PanelContext): void => {
  mount(host, () => <SeriesDock host={host} />, context);
};
