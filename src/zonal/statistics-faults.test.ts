import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwathError } from '../errors.ts';
import { isSwathError, sourceBroken, tooBusy, unavailable } from '../errors.ts';
import type { MeasureJob } from './measure-scene.ts';
import { toTestArea } from './testing/statistics-here.ts';
import { days, makeKit, measured, order, viewIdOf } from './testing/statistics-kit.ts';

test('a scene that fails is reported next to the results of others', async () => {
  const scenes = days(3);
  const measure = (job: MeasureJob) => {
    if (viewIdOf(job) === scenes[1]!.viewId) throw sourceBroken('bad-block', 'A block cannot be read.');
    return [measured(0)];
  };
  const { run, failed } = makeKit({ scenes, measure });
  const result = await run();
  assert.equal(result.scenes.length, 2);
  assert.deepEqual(
    result.failures.map(({ viewId, code, message }) => [viewId, code, message]),
    [[scenes[1]!.viewId, 'bad-block', 'A block cannot be read.']],
  );
  assert.deepEqual(failed, [scenes[1]!.viewId]);
});

test('an internal error does not reveal its cause', async () => {
  const measure = (job: MeasureJob) => {
    if (viewIdOf(job).endsWith('/1/0')) throw new TypeError('x is not a function');
    return [measured(0)];
  };
  const { failures } = await makeKit({ scenes: days(2), measure }).run();
  assert.deepEqual(
    failures.map(({ code, message }) => [code, message]),
    [['internal', 'Something went wrong inside Swath.']],
  );
});

const isError = (tag: SwathError['tag'], code: string) => (error: unknown) =>
  isSwathError(error) && error.tag === tag && error.code === code;

test('when all scenes are broken the statistics fail', async () => {
  const measure = () => {
    throw sourceBroken('bad-block', 'A block cannot be read.');
  };
  const { run } = makeKit({ scenes: days(3), measure });
  await assert.rejects(run(), isError('source-broken', 'statistics-computation'));
});

test('when all scenes are cloudy, or none exist, the statistics are empty but do not fail', async () => {
  const clouds = { ...order.clouds, maxPercent: 0 };
  const cloudy = await makeKit({ scenes: days(2), measure: () => [measured(100)] }).run({ clouds });
  assert.deepEqual([cloudy.scenes.length, cloudy.failures.length], [0, 2]);
  assert.equal(cloudy.failures[0]?.message, 'AOI contains clouds only');
  assert.deepEqual(await makeKit({ scenes: [] }).run(), { scenes: [], failures: [] });
});

test('a catalog outage is a retryable error', async () => {
  const search = () => {
    throw unavailable('store-down', 'The store is down.');
  };
  await assert.rejects(
    makeKit({ scenes: days(1), search }).run(),
    isError('unavailable', 'statistics-search'),
  );
});

test('a pool that stops fails the whole order, not a single scene', async () => {
  const measure = () => {
    throw tooBusy('pool-stopping', 'The service is stopping.');
  };
  await assert.rejects(makeKit({ scenes: days(2), measure }).run(), isError('too-busy', 'pool-stopping'));
});

test('a stopped task ends, and the measurements made until then are stored', async () => {
  const stop = new AbortController();
  let count = 0;
  const measure = () => {
    count += 1;
    if (count === 3) stop.abort();
    return [measured(0)];
  };
  const { run, known } = makeKit({ scenes: days(50), measure });
  await assert.rejects(run({}, stop.signal));
  assert.ok(count < 10, `${count} scenes were measured`);
  assert.ok(known.size > 0, 'some are stored');
});

test('an area outside the image fails with no-data, without a job', async () => {
  const { run, jobs } = makeKit({ scenes: days(1) });
  const { failures } = await run({ area: toTestArea([200, 200, 210, 210]).geometry });
  assert.deepEqual([failures[0]?.code, jobs.asked.length], ['no-data', 0]);
});
