import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { makeSingleFlight } from './single-flight.ts';

const left = { tag: 'cancelled', code: 'cancelled' };

/** A run that the test ends by hand. */
function makeRun() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = {
    starts: 0,
    signal: undefined as AbortSignal | undefined,
    report: (_: unknown): void => {},
    resolve,
    reject,
    start(shared: { signal: AbortSignal; onProgress: (progress: unknown) => void }) {
      run.starts++;
      run.signal = shared.signal;
      run.report = shared.onProgress;
      return promise;
    },
  };
  return run;
}

test('equal keys share one run, other keys do not', async () => {
  const flights = makeSingleFlight<string>();
  const [a, b] = [makeRun(), makeRun()];
  const calls = Array.from({ length: 500 }, () => flights.run({ key: 'a', start: a.start }));
  const other = flights.run({ key: 'b', start: b.start });
  assert.deepEqual([a.starts, b.starts], [1, 1]);
  a.resolve('one');
  b.resolve('two');
  const landings = await Promise.all(calls);
  assert.ok(landings.every(({ value, shared }) => value === 'one' && shared));
  assert.deepEqual(
    landings.map(({ isFirst }) => isFirst),
    calls.map((_, i) => i === 0),
  );
  assert.deepEqual(await other, { value: 'two', shared: false, isFirst: true });
  assert.equal(flights.has('a'), false);
});

test('a failure reaches all callers and is not cached, not even in their catch', async () => {
  const flights = makeSingleFlight<string>();
  const [bad, good] = [makeRun(), makeRun()];
  const retried = flights.run({ key: 'a', start: bad.start }).catch(() => {
    return flights.run({ key: 'a', start: good.start });
  });
  const failed = flights.run({ key: 'a', start: bad.start });
  bad.reject(new Error('no luck'));
  good.resolve('second try');
  await assert.rejects(failed, /no luck/);
  assert.equal((await retried).value, 'second try');
  assert.deepEqual([bad.starts, good.starts], [1, 1]);
});

test('one caller that disconnects does not disturb the others', async () => {
  const flights = makeSingleFlight<string>();
  const run = makeRun();
  const leaver = new AbortController();
  const first = flights.run({ key: 'a', start: run.start, signal: leaver.signal });
  const second = flights.run({ key: 'a', start: run.start });
  leaver.abort();
  await assert.rejects(first, left);
  assert.equal(run.signal?.aborted, false);
  run.resolve('done');
  assert.equal((await second).value, 'done');
});

test('the run is cancelled when the last caller disconnects, and the next caller starts a new run', async () => {
  const flights = makeSingleFlight<string>();
  const [abandoned, fresh] = [makeRun(), makeRun()];
  const leavers = [new AbortController(), new AbortController()];
  const calls = leavers.map(({ signal }) => flights.run({ key: 'a', start: abandoned.start, signal }));
  for (const leaver of leavers) leaver.abort();
  for (const call of calls) await assert.rejects(call, left);
  assert.equal(abandoned.signal?.aborted, true);
  assert.equal(abandoned.signal.reason.code, 'cancelled');

  const next = flights.run({ key: 'a', start: fresh.start });
  assert.equal(fresh.starts, 1);
  // The end of the abandoned run must not remove the new one.
  abandoned.reject(new Error('stopped'));
  await new Promise(setImmediate);
  assert.equal(flights.has('a'), true);
  fresh.resolve('fresh');
  assert.equal((await next).value, 'fresh');
});

test('all callers that still wait receive progress', async () => {
  const flights = makeSingleFlight<string>();
  const run = makeRun();
  const heard: string[] = [];
  const leaver = new AbortController();
  const call = (name: string, signal?: AbortSignal) =>
    flights.run({
      key: 'a',
      start: run.start,
      signal,
      onProgress: (progress) => heard.push(`${name} ${progress}`),
    });
  const gone = call('gone', leaver.signal);
  const stays = call('stays');
  run.report(1);
  leaver.abort();
  run.report(2);
  run.resolve('end');
  await assert.rejects(gone);
  await stays;
  assert.deepEqual(heard, ['gone 1', 'stays 1', 'stays 2']);
});

test('an aborted caller starts nothing, and no listener stays on a signal', async () => {
  const flights = makeSingleFlight<string>();
  const run = makeRun();
  await assert.rejects(flights.run({ key: 'a', start: run.start, signal: AbortSignal.abort() }), left);
  assert.equal(run.starts, 0);
  const { signal } = new AbortController();
  const call = flights.run({ key: 'a', start: run.start, signal });
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  run.resolve('end');
  await call;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a forgotten key starts a new run, and earlier callers get the result of the old one', async () => {
  const flights = makeSingleFlight<string>();
  const [old, fresh] = [makeRun(), makeRun()];
  const first = flights.run({ key: 'a', start: old.start });
  flights.forget('a');
  const second = flights.run({ key: 'a', start: fresh.start });
  old.resolve('old');
  assert.equal((await first).value, 'old');
  assert.equal(flights.has('a'), true, 'the end of the old run does not remove the new one');
  fresh.resolve('fresh');
  assert.equal((await second).value, 'fresh');
});
