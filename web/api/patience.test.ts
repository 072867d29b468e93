import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePatience, readRetryAfterS, sendWhole } from './patience.ts';

type Answer = { readonly status: number; readonly retryAfter?: string } | 'none';

/** A server that gives these answers one after the other, and repeats the last one; `ready` lists its answers about itself. */
const makeBench = (answers: readonly Answer[], ready: readonly boolean[] = [true]) => {
  const [waited, outages]: [number[], boolean[]] = [[], []];
  let [sent, asked] = [0, 0];
  const patience = makePatience({
    readReadiness: async () => ({ isReady: ready[Math.min(asked++, ready.length - 1)] ?? true }),
    onOutage: (isOut) => void outages.push(isOut),
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waited.push(ms);
    },
    random: () => 0,
  });
  const send = async (): Promise<Response> => {
    const answer = answers[Math.min(sent++, answers.length - 1)] as Answer;
    if (answer === 'none') throw new TypeError('Failed to fetch');
    const headers = answer.retryAfter === undefined ? undefined : { 'retry-after': answer.retryAfter };
    return new Response('body', { status: answer.status, ...(headers && { headers }) });
  };
  return { patience, send, waited, outages, counts: () => ({ sent, asked }) };
};

test('an answer other than a temporary refusal is returned at once', async () => {
  for (const status of [200, 304, 400, 401, 403, 404, 422, 500]) {
    const bench = makeBench([{ status: status === 304 ? 400 : status }]);
    await bench.patience(bench.send);
    assert.deepEqual(bench.counts(), { sent: 1, asked: 0 });
  }
});

test('a rate limit is obeyed for as long as it says, without a readiness check', async () => {
  const bench = makeBench([
    { status: 429, retryAfter: '7' },
    { status: 503, retryAfter: '2' },
    { status: 200 },
  ]);
  assert.equal((await bench.patience(bench.send)).status, 200);
  assert.deepEqual(bench.waited, [7000, 2000]);
  assert.deepEqual(bench.counts(), { sent: 3, asked: 0 });
});

test('pauses grow and end: the last refusal is returned, the last error thrown', async () => {
  const busy = makeBench([{ status: 503 }]);
  assert.equal((await busy.patience(busy.send)).status, 503);
  assert.deepEqual(busy.waited, [1000, 2000, 4000, 8000, 16_000]);
  const gone = makeBench(['none']);
  await assert.rejects(gone.patience(gone.send), TypeError);
  assert.equal(gone.counts().sent, 6);
});

test('requests that a restart interrupts share one readiness check, and are sent again when the server is back', async () => {
  const bench = makeBench(['none', 'none', 'none', { status: 200 }], [false, false, false, true]);
  const answers = await Promise.all([1, 2, 3].map(() => bench.patience(bench.send)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(bench.counts(), { sent: 6, asked: 4 });
  assert.deepEqual(bench.outages, [true, false]);
});

test('a cancelled request is not sent again while the server is still unavailable', async () => {
  const bench = makeBench(['none'], [false]);
  const controller = new AbortController();
  const giving = bench.patience(() => {
    controller.abort(new Error('out of view'));
    return Promise.reject(new TypeError('Failed to fetch'));
  }, controller.signal);
  await assert.rejects(giving, TypeError);
  const late = new AbortController();
  const waiting = bench.patience(bench.send, late.signal);
  late.abort(new Error('out of view'));
  await assert.rejects(waiting);
  assert.equal(bench.counts().sent, 1);
});

test('Retry-After is seconds or a date, and has an upper bound', () => {
  const read = (text: string | null): number | null =>
    readRetryAfterS(new Response('', text === null ? {} : { headers: { 'retry-after': text } }), 0);
  assert.deepEqual(['5', '0', '3600', 'soon', null].map(read), [5, 0, 60, null, null]);
  assert.equal(read('Thu, 01 Jan 1970 00:00:09 GMT'), 9);
  assert.equal(read('Mon, 01 Jan 1900 00:00:00 GMT'), 0);
});

test('a picture that is truncated counts as no answer', async () => {
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new TypeError('network error')),
  });
  await assert.rejects(
    sendWhole(async () => new Response(broken)),
    TypeError,
  );
  const whole = await sendWhole(async () => new Response('all', { headers: { expires: 'never' } }));
  assert.deepEqual([await whole.text(), whole.headers.get('expires')], ['all', 'never']);
});
