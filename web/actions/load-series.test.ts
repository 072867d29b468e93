import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import { NO_ORIGINS } from '../scenes/origins.ts';
import { NO_SERIES } from '../state/series-state.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { startSeriesLoader } from './load-series.ts';
import { planSeries } from './plan-series.ts';

const ready: ViewerState = {
  ...INITIAL_STATE,
  phase: { kind: 'ready' },
  knowledge: { sensors: [viewerSensorOf('sentinel2l2a')], colormaps: [], functions: [], origins: NO_ORIGINS },
  datasets: ['sentinel2l2a'],
  area: {
    outline: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    name: null,
  },
  series: { ...NO_SERIES, choice: { ...NO_SERIES.choice, layers: [] } },
};
const TODAY = '2026-11-16';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const makeBench = (state = ready) => {
  const store = makeStore<ViewerState>(state);
  const sent: { path: string; body: { expressions: unknown }; signal: AbortSignal | undefined }[] = [];
  const answers: ((response: Response) => void)[] = [];
  const failures: unknown[] = [];
  const loader = startSeriesLoader({
    store,
    api: {
      send: (path, { body }, signal) => {
        sent.push({ path, body: JSON.parse(String(body)), signal });
        return new Promise((resolve) => answers.push(resolve));
      },
    },
    report: { fail: (error) => void failures.push(error) },
    wait: async (_, signal) => signal.throwIfAborted(),
    readToday: () => TODAY,
  });
  const setSeries = (change: Partial<ViewerState['series']>): void =>
    store.update((now) => ({ ...now, series: { ...now.series, ...change } }));
  return { store, sent, answers, failures, loader, setSeries };
};
const nothing = (): Response => Response.json({ results: [], errors: [] });

test('the plan is the last year of the first dataset by default, and there is none while the series is closed', () => {
  assert.equal(planSeries(ready, TODAY), null);
  const open = { ...ready, series: { ...ready.series, isOpen: true } };
  assert.deepEqual(
    { ...planSeries(open, TODAY), outline: null },
    { outline: null, dataset: 'sentinel2l2a', indices: ['NDVI'], from: '2025-11-16', to: TODAY },
  );
  const odd = { ...open.series.choice, indices: ['NO', 'NDMI'], from: '1990-01-01', to: '2026-01-01' };
  const plan = planSeries({ ...open, series: { ...open.series, choice: odd } }, TODAY);
  assert.deepEqual([plan?.indices, plan?.from], [['NDMI'], '2016-01-04']);
  const reversed = { ...odd, from: '2026-02-01' };
  assert.equal(planSeries({ ...open, series: { ...open.series, choice: reversed } }, TODAY), null);
});

test('an open series is loaded; another choice replaces it; closing cancels it', async () => {
  const { store, sent, answers, setSeries } = makeBench();
  assert.equal(sent.length, 0);
  setSeries({ isOpen: true });
  await settle();
  assert.deepEqual(store.read().series.measured, { kind: 'loading', progress: null });
  setSeries({ choice: { ...store.read().series.choice, indices: ['NDVI', 'NDMI'] } });
  await settle();
  assert.deepEqual(
    sent.map(({ body }) => body.expressions),
    [['NDVI'], ['NDVI', 'NDMI']],
  );
  assert.ok(sent[0]?.signal?.aborted && !sent[1]?.signal?.aborted);
  answers[1]?.(nothing());
  await settle();
  assert.deepEqual(store.read().series.measured, { kind: 'ready', value: { scenes: [], failures: [] } });
  // The limit of clouds is a matter of the chart alone.
  setSeries({ choice: { ...store.read().series.choice, maxCloudPercent: 5 } });
  await settle();
  assert.equal(sent.length, 2);
  setSeries({ isOpen: false });
  assert.equal(store.read().series.measured.kind, 'idle');
});

test('a failure is shown and can be retried; a refused key is asked for; cancelling stays cancelled', async () => {
  const { store, sent, answers, failures, loader, setSeries } = makeBench();
  setSeries({ isOpen: true });
  await settle();
  answers[0]?.(Response.json({ error: 'The area is too large.' }, { status: 400 }));
  await settle();
  assert.deepEqual(store.read().series.measured, { kind: 'failed', text: 'The area is too large.' });
  assert.equal(failures.length, 0);
  loader.retry('measured');
  await settle();
  answers[1]?.(Response.json({ error: 'Only for reading.', code: 'role-needed' }, { status: 403 }));
  await settle();
  assert.equal(failures.length, 0, 'another key is not needed for everything');
  loader.retry('measured');
  await settle();
  answers[2]?.(Response.json({ error: 'Unknown key.', code: 'bad-key' }, { status: 403 }));
  await settle();
  assert.equal(failures.length, 1);
  loader.retry('measured');
  await settle();
  loader.cancel();
  assert.ok(sent.at(-1)?.signal?.aborted);
  answers[3]?.(nothing());
  await settle();
  assert.equal(store.read().series.measured.kind, 'cancelled');
});
