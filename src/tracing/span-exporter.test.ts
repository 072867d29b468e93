import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GuardedRequest, GuardedResponse } from '../net/index.ts';
import { waitFor } from '../testing/wait-for.ts';
import { toOtlp } from './otlp.ts';
import { makeSpanExporter } from './span-exporter.ts';
import type { Span } from './tracer.ts';

const span = (name: string): Span => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  name,
  kind: 'server',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: { text: 'x', count: 3, share: 0.5, flag: true },
  error: null,
});

test('spans become OTLP JSON: ids in hexadecimal digits, times and integers as strings', () => {
  const body = JSON.parse(
    toOtlp([span('one'), { ...span('two'), parentSpanId: 'c'.repeat(16), error: 'store-full' }], {
      'service.name': 'swath',
    }),
  );
  const [resource] = body.resourceSpans;
  assert.deepEqual(resource.resource.attributes, [{ key: 'service.name', value: { stringValue: 'swath' } }]);
  const [one, two] = resource.scopeSpans[0].spans;
  assert.deepEqual(one, {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'one',
    kind: 2,
    startTimeUnixNano: '1700000000000250000',
    endTimeUnixNano: '1700000000001500000',
    attributes: [
      { key: 'text', value: { stringValue: 'x' } },
      { key: 'count', value: { intValue: '3' } },
      { key: 'share', value: { doubleValue: 0.5 } },
      { key: 'flag', value: { boolValue: true } },
    ],
  });
  assert.deepEqual([two.parentSpanId, two.status], ['c'.repeat(16), { code: 2, message: 'store-full' }]);
});

/** An exporter to a collector whose answers the test decides. */
function makeExporter(answer: (request: GuardedRequest) => number | Error) {
  const events: string[] = [];
  const exporter = makeSpanExporter({
    url: 'http://collector:4318',
    headers: { authorization: 'Bearer x' },
    resource: {},
    maxWaiting: 3,
    everyMs: 1,
    onFailure: (error) => events.push((error as Error).message),
    onRecovery: () => events.push('works'),
    async fetch(request) {
      const given = answer(request);
      if (given instanceof Error) throw given;
      return { status: given, body: new Uint8Array() } as GuardedResponse;
    },
  });
  return { exporter, events };
}

test('batches are sent to /v1/traces with the configured headers, the last one at shutdown', async () => {
  const requests: GuardedRequest[] = [];
  const { exporter } = makeExporter((request) => {
    requests.push(request);
    return 200;
  });
  exporter.add(span('one'));
  exporter.add(span('two'));
  await waitFor(() => requests.length === 1);
  exporter.add(span('three'));
  await exporter.stop();
  assert.deepEqual(
    requests.map(({ url, method, headers }) => [url, method, headers?.authorization]),
    requests.map(() => ['http://collector:4318/v1/traces', 'POST', 'Bearer x']),
  );
  assert.equal(requests.length, 2);
  assert.deepEqual(exporter.counts(), { sent: 3, dropped: 0, refused: 0 });
});

test('while the collector fails the buffer is bounded and the rest counts as dropped; then it gets the buffered spans', async () => {
  let answer: number | Error = new Error('away');
  let asked = 0;
  const { exporter, events } = makeExporter(() => {
    asked += 1;
    return answer;
  });
  for (let i = 0; i < 5; i += 1) exporter.add(span(`span ${i}`));
  assert.equal(exporter.counts().dropped, 2);
  await waitFor(() => asked >= 2);
  assert.deepEqual(events, ['away'], 'one outage is reported once');
  answer = 503;
  const before = asked;
  await waitFor(() => asked > before);
  answer = 200;
  await waitFor(() => exporter.counts().sent === 3);
  assert.deepEqual(events, ['away', 'works']);
  answer = 400;
  exporter.add(span('bad'));
  await waitFor(() => exporter.counts().refused === 1);
  answer = new Error('away again');
  exporter.add(span('late'));
  exporter.drop();
  await exporter.stop();
  assert.deepEqual(exporter.counts(), { sent: 3, dropped: 4, refused: 1 });
});
