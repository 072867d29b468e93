/** Loads what an open series shows, part by part, whenever the choice changes; a new choice cancels what it overtakes. */
import type { Api } from '../api/api.ts';
import type { PatientParts } from '../api/client-transport.ts';
import { isKeyRefused } from '../api/failure.ts';
import type { StatisticsRequest } from '../api/statistics.ts';
import { makeStatisticsApi } from '../api/statistics.ts';
import { readWeather } from '../api/weather.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { Store } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import type { Latest } from './latest.ts';
import { makeLatest } from './latest.ts';
import { planSeries } from './plan-series.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';

const PARTS = ['measured', 'compared', 'weather', 'soil'] as const;
type PartName = (typeof PARTS)[number];

/** What the loader is made of. */
export interface SeriesLoaderParts {
  readonly store: Store<ViewerState>;
  readonly api: Pick<Api, 'send'>;
  readonly report: Pick<Report, 'fail'>;
  readonly wait: PatientParts['wait'];
  /** The day `YYYY-MM-DD` that it is. */
  readonly readToday: () => string;
}

/** The loader of a series. */
export interface SeriesLoader {
  /** Gives up what is under way. */
  cancel(): void;
  /** Asks again for a part that failed or was given up. */
  retry(part: PartName): void;
}

/** Indices are ticked one after the other: one request for all of them. */
const SETTLE_MS = 300;

/** Starts loading, and goes on with every change. */
export const startSeriesLoader = (parts: SeriesLoaderParts): SeriesLoader => {
  const { store, api, report, wait, readToday } = parts;
  const patient: PatientParts = { send: api.send, wait };
  const statistics = makeStatisticsApi(patient);
  const latest: Readonly<Record<PartName, Latest>> = {
    measured: makeLatest(),
    compared: makeLatest(),
    weather: makeLatest(),
    soil: makeLatest(),
  };
  const set = <Name extends PartName>(name: Name, part: SeriesState[Name]): void =>
    store.update((state) => ({ ...state, series: { ...state.series, [name]: part } }));

  const planPart = (name: PartName): StatisticsRequest | null => {
    const state = store.read();
    const { choice, field } = state.series;
    const { layers } = choice;
    const request = planSeries(state, readToday());
    if (request === null || name === 'measured') return request;
    // Two fields are compared by one index: more lines could not be told apart.
    if (name === 'compared')
      return (
        field.other && { ...request, outline: field.other.outline, indices: request.indices.slice(0, 1) }
      );
    const isWanted = name === 'soil' ? layers.includes('soil') : layers.some((layer) => layer !== 'soil');
    return isWanted ? request : null;
  };

  const measure = (name: 'measured' | 'compared') => (request: StatisticsRequest, signal: AbortSignal) =>
    statistics.measure(request, {
      signal,
      onProgress: (progress) => {
        if (!signal.aborted) set(name, { kind: 'loading', progress });
      },
    });
  const readers = {
    measured: measure('measured'),
    compared: measure('compared'),
    weather: (request: StatisticsRequest, signal: AbortSignal) =>
      readWeather(patient, { ...request, today: readToday() }, signal),
    soil: (request: StatisticsRequest, signal: AbortSignal) => statistics.readSoil(request, signal),
  };

  const load = async (name: PartName, settleMs: number): Promise<void> => {
    const signal = latest[name].start();
    const request = planPart(name);
    if (request === null) {
      latest[name].cancel();
      return set(name, { kind: 'idle' });
    }
    set(name, { kind: 'loading', progress: null });
    try {
      await wait(settleMs, signal);
      const value = await readers[name](request, signal);
      if (!signal.aborted) set(name, { kind: 'ready', value } as SeriesState[PartName]);
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailureOf(error);
      set(name, { kind: 'failed', text: failure.message });
      if (isKeyRefused(failure)) report.fail(failure);
    }
  };

  const toKey = (name: PartName): string => {
    const request = planPart(name);
    if (request === null || name === 'measured' || name === 'compared') return JSON.stringify(request);
    // Weather does not depend on what is measured.
    return JSON.stringify([request.outline, request.from, request.to]);
  };
  for (const name of PARTS) {
    store.watch(
      () => toKey(name),
      () => void load(name, SETTLE_MS),
    );
  }
  return {
    cancel() {
      for (const name of PARTS) {
        if (store.read().series[name].kind !== 'loading') continue;
        latest[name].cancel();
        set(name, { kind: 'cancelled' });
      }
    },
    retry: (name) => void load(name, 0),
  };
};
