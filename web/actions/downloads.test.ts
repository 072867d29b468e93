import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensors } from '../../test/support/viewer-sensors.ts';
import type { Api } from '../api/api.ts';
import { Failure } from '../api/failure.ts';
import type { Scene } from '../scenes/scene.ts';
import type { DownloadTask } from '../state/downloads.ts';
import { makeOrderStore } from '../state/order-store.ts';
import { makeStore } from '../state/store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { INITIAL_STATE } from '../state/viewer-state.ts';
import { en } from '../texts/en.ts';
import { makeDownloadActions, titleOfTask } from './downloads.ts';
import { makeReport } from './report.ts';

const scene: Scene = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  id: 'S2B_tile_20260621_10UEU_1',
  sensor: viewerSensors.find(({ dataset }) => dataset === 'sentinel2l2a') ?? assert.fail(),
  date: '2026-06-21',
  tms: '',
  outline: { type: 'Polygon', coordinates: [] },
  cloudPercent: null,
  sunElevationDeg: null,
  coveragePercent: null,
  thumbnail: null,
};

/** A task as the server lists it. */
const listed = (id: string, state: string, more: object = {}) => ({
  task_id: id,
  type: 'lbe',
  state,
  reference: `B04, 21 Jun 2026 · 2026-11-16T15:00:00.000Z`,
  progress: 0,
  created_at: '2026-11-16T15:00:00.000Z',
  estimated_bytes: 5,
  ...more,
});

type Answer = unknown | ((path: string, body: unknown) => unknown);

/** Actions over a server whose lists of tasks come one after the other; the last is answered again and again. */
const makeBench = (
  lists: readonly unknown[],
  answers: Readonly<Record<string, Answer>> = {},
  state: Partial<ViewerState> = {},
) => {
  const calls: { method: string; path: string; body: unknown }[] = [];
  const slept: number[] = [];
  let asked = 0;
  const call: Api['call'] = async (path, { method = 'GET', body }) => {
    calls.push({ method, path, body });
    const answer = answers[`${method} ${path}`];
    if (answer instanceof Failure) throw answer;
    if (answer !== undefined) return answer;
    if (method === 'GET') {
      const list = lists[Math.min(asked++, lists.length - 1)];
      if (list instanceof Failure) throw list;
      return list;
    }
    return {};
  };
  const texts = en;
  const store = makeStore<ViewerState>({ ...INITIAL_STATE, shown: scene, panel: 'download', ...state });
  const api = { call, readRanges: async () => [{ min: 0, max: 1 }] } as unknown as Api;
  const keys = { readKey: () => 'k', setKey: () => {}, forgetKey: () => {} };
  const shapes = { readArea: () => null, storeArea: () => true, readLine: () => null, storeLine: () => true };
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const report = makeReport({ store, api, keys, shapes, texts, isNarrow: () => false, sleep });
  let whenVisible = async (): Promise<void> => {};
  const actions = makeDownloadActions({
    store,
    api,
    texts,
    report,
    sleep,
    orders: makeOrderStore(() => {
      throw new Error('no storage');
    }),
    now: () => new Date('2026-11-16T15:52:07.000Z'),
    whenVisible: () => whenVisible(),
  });
  return {
    actions,
    store,
    calls,
    slept,
    tasks: () => store.read().downloads.tasks ?? [],
    hide: (until: Promise<void>) => {
      whenVisible = () => until;
    },
  };
};

test('open tasks are polled until they end: more slowly while nothing happens, at once when something does', async () => {
  const running = (progress: number) => ({ tasks: [listed('a', 'running', { progress })], next: null });
  const done = {
    tasks: [listed('a', 'finished', { bytes: 7, result_url: 'https://x.example/p/api/results/a/f.TIF?s=1' })],
  };
  const { actions, tasks, slept } = makeBench([running(0), running(0), running(0), running(0.5), done]);
  await actions.follow();
  assert.deepEqual(slept, [1000, 1500, 2250, 1000]);
  const [task] = tasks() as [DownloadTask];
  assert.deepEqual([task.state, task.bytes, task.href], ['finished', 7, 'api/results/a/f.TIF?s=1']);
  assert.equal(titleOfTask(task), 'B04, 21 Jun 2026');
});

test('long tasks are polled every ten seconds, and hidden tabs do not poll', async () => {
  const still = { tasks: [listed('a', 'queued')], next: null };
  const over = { tasks: [listed('a', 'failed', { error_message: 'The disk is full.' })], next: null };
  const { actions, calls, slept, tasks, hide } = makeBench([...Array.from({ length: 9 }, () => still), over]);
  const seen = Promise.withResolvers<void>();
  hide(seen.promise);
  const following = actions.follow();
  // Turns of the loop: the answer, the sleep, the tab.
  for (let i = 0; i < 20; i++) await Promise.resolve();
  assert.equal(calls.length, 1);
  seen.resolve();
  await following;
  assert.equal(Math.max(...slept), 10_000);
  assert.equal(tasks()[0]?.failure, 'The disk is full.');
});

test('a task that ends while the panel is closed is announced', async () => {
  const lists = [{ tasks: [listed('a', 'running')] }, { tasks: [listed('a', 'finished')] }];
  const { actions, store } = makeBench(lists, {}, { panel: 'look' });
  await actions.follow();
  assert.deepEqual(
    store.read().notices.map(({ kind, text }) => [kind, text]),
    [['done', 'The file is ready under Download: B04, 21 Jun 2026.']],
  );
});

test('an order is sent with its own reference, listed, and can be repeated', async () => {
  const { actions, store, calls, tasks } = makeBench([{ tasks: [listed('new', 'cancelled')], next: null }], {
    'POST api': { task_id: 'new' },
  });
  actions.changeForm({ bands: ['B04'] });
  await actions.order();
  const params = {
    view_id: scene.viewId,
    bands: ['B04'],
    reference: 'B04, 21 Jun 2026 · 2026-11-16T15:52:07.000Z',
  };
  assert.deepEqual(calls[0], { method: 'POST', path: 'api', body: { type: 'lbe', params } });
  await new Promise((resolve) => setImmediate(resolve));
  const [task] = tasks() as [DownloadTask];
  assert.ok(actions.canRepeat(task) && !actions.canRepeat({ ...task, id: 'other' }));
  await actions.repeat(task);
  assert.deepEqual(calls.filter(({ method }) => method === 'POST').length, 2);
  assert.equal(store.read().downloads.isOrdering, false);
});

test('a refusal is shown at the order, a server failure as a message, and a refused key asks for another', async () => {
  const refused = new Failure(400, 'A px_size of 12 fits.', 'picture-too-large');
  const { actions, store } = makeBench([], { 'POST api/tasks/estimate': refused });
  await actions.estimate();
  assert.deepEqual(store.read().downloads.estimate, {
    kind: 'refused',
    code: 'picture-too-large',
    text: 'A pixel size of 12 fits.',
    canRetry: false,
  });
  const full = makeBench([], { 'POST api': new Failure(402, 'No room is left.', 'task-storage-full') });
  await full.actions.order();
  const { estimate } = full.store.read().downloads;
  assert.deepEqual([estimate.kind, 'canRetry' in estimate && estimate.canRetry], ['refused', true]);
  const away = makeBench([], { 'POST api': new Failure(503, 'Busy.', 'store-full') });
  await away.actions.order();
  assert.deepEqual(
    away.store.read().notices.map(({ text }) => text),
    ['Busy.'],
  );
  const revoked = makeBench([new Failure(403, 'This key was revoked.', 'bad-key')]);
  await revoked.actions.follow();
  assert.equal(revoked.store.read().phase.kind, 'needs-key');
});

test('older tasks are loaded page by page, and stay when the newest are read again', async () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => listed(`t${from + i}`, 'finished'));
  const first = { tasks: page(0, 20), next: 't19' };
  const { actions, tasks, store, calls } = makeBench([first, { tasks: page(20, 3), next: null }, first]);
  await actions.follow();
  assert.equal(store.read().downloads.next, 't19');
  await actions.loadMore();
  assert.deepEqual([tasks().length, store.read().downloads.next], [23, null]);
  assert.match(calls.at(-1)?.path ?? '', /limit=20&after=t19$/);
  await actions.loadMore();
  assert.equal(calls.length, 2, 'there are no more');
  await actions.follow();
  assert.match(calls.at(-1)?.path ?? '', /limit=23$/);
  assert.deepEqual([tasks().length, store.read().downloads.next], [23, null]);
});

test('ending a task calls the server and reloads the list; a task that no longer exists is not an error', async () => {
  const { actions, calls, store, tasks } = makeBench([{ tasks: [listed('a', 'running')] }, { tasks: [] }], {
    'DELETE api/a': new Failure(404, 'There is no task with this task_id.', 'unknown-task'),
  });
  await actions.follow();
  await actions.end({ id: 'a' } as DownloadTask);
  assert.ok(calls.some(({ method, path }) => method === 'DELETE' && path === 'api/a'));
  assert.deepEqual([tasks(), store.read().notices], [[], []]);
});

test('ending one task does not wait for all others', async () => {
  const listing = { tasks: [listed('a', 'running'), listed('b', 'cancelled')] };
  const { actions, hide, store, slept } = makeBench([listing]);
  // The tab is never seen again: following does not end.
  hide(new Promise<void>(() => {}));
  void actions.follow();
  await actions.end({ id: 'b' } as DownloadTask);
  assert.equal(store.read().downloads.tasks?.length, 2);
  assert.ok(slept.length > 0, 'the task that is open is followed on');
});

test('a brief outage keeps the notification', async () => {
  const running = { tasks: [listed('a', 'running')] };
  const lists = [
    running,
    new Failure(0, 'No answer.'),
    new Failure(502, 'Bad gateway.'),
    { tasks: [listed('a', 'finished')] },
  ];
  const { actions, store, slept } = makeBench(lists, {}, { panel: 'look' });
  await actions.follow();
  assert.deepEqual(slept, [1000, 10_000, 10_000]);
  assert.equal(store.read().downloads.failure, null);
  assert.equal(store.read().notices[0]?.text, 'The file is ready under Download: B04, 21 Jun 2026.');
  const gone = makeBench([running, new Failure(404, 'There is nothing here.')]);
  await gone.actions.follow();
  assert.equal(gone.store.read().downloads.failure, 'There is nothing here.');
});

test('the files of a refused key are not shown to the next one', async () => {
  const { actions, store } = makeBench([
    { tasks: [listed('a', 'running')], next: 'a' },
    new Failure(403, 'This key was revoked.', 'bad-key'),
  ]);
  await actions.follow();
  const { tasks, next } = store.read().downloads;
  assert.deepEqual([tasks, next, store.read().phase.kind], [null, null, 'needs-key']);
});
