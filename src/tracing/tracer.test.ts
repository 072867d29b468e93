import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { request } from 'undici';
import { parseTraceparent, toTraceparent } from './trace-context.ts';
import { traceRequests } from './trace-requests.ts';
import { toCarrier } from './trace-threads.ts';
import type { Span } from './tracer.ts';
import { MAX_SPANS_OF_TRACE, makeTracer } from './tracer.ts';

const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };

function makeRecorded(options: { readonly share?: number; readonly random?: () => number } = {}) {
  const spans: Span[] = [];
  let surplus = 0;
  const onSurplus = (): void => {
    surplus += 1;
  };
  const tracer = makeTracer({ onSpan: (span) => spans.push(span), onSurplus, ...options });
  return { spans, tracer, countSurplus: () => surplus };
}

test('a traceparent is parsed according to W3C Trace Context, and written again', () => {
  const text = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
  assert.deepEqual(parseTraceparent(text), PARENT);
  assert.equal(toTraceparent(PARENT), text);
  assert.equal(parseTraceparent(text.replace(/01$/, '00'))?.isSampled, false);
  // Later versions may have more fields and more flags.
  assert.deepEqual(parseTraceparent(`01-${PARENT.traceId}-${PARENT.spanId}-03-more`), PARENT);
  for (const wrong of [
    null,
    undefined,
    '',
    `${text}-more`,
    text.toUpperCase(),
    `ff${text.slice(2)}`,
    `00-${'0'.repeat(32)}-${PARENT.spanId}-01`,
    `00-${PARENT.traceId}-${'0'.repeat(16)}-01`,
    text.slice(1),
  ])
    assert.equal(parseTraceparent(wrong), null, String(wrong));
});

test('spans nest like their work, through promises, and failures have their code', async () => {
  const { tracer, spans } = makeRecorded();
  const failing = Object.assign(new Error('secret text'), { code: 'store-full' });
  await assert.rejects(
    tracer.runRoot('root', { parent: null, kind: 'server' }, async () => {
      tracer.note({ key: 'k' });
      await Promise.all(
        ['one', 'two'].map((name) =>
          tracer.run(name, {}, async () => {
            await Promise.resolve();
            await tracer.run(`${name} inside`, {}, async () => {});
          }),
        ),
      );
      throw failing;
    }),
    failing,
  );
  const byName = new Map(spans.map((span) => [span.name, span]));
  const root = byName.get('root');
  assert.deepEqual([root?.parentSpanId, root?.error, root?.attributes.key], [null, 'store-full', 'k']);
  for (const name of ['one', 'two']) {
    assert.equal(byName.get(name)?.parentSpanId, root?.spanId);
    assert.equal(byName.get(`${name} inside`)?.parentSpanId, byName.get(name)?.spanId);
  }
  assert.equal(tracer.current(), null);
});

test('the sampling share decides for new traces, the parent for its own, and the decision is passed on', async () => {
  const { tracer, spans } = makeRecorded({ share: 0.3, random: () => 0.3 });
  assert.equal(tracer.pick(), false);
  assert.equal(makeRecorded({ share: 0.3, random: () => 0.29 }).tracer.pick(), true);
  const unsampled = { ...PARENT, isSampled: false };
  const passed = await tracer.runRoot('root', { parent: unsampled }, async (span) => {
    assert.equal(span, null);
    await tracer.run('inside', {}, async () => {});
    return tracer.current();
  });
  assert.equal(toTraceparent(passed ?? PARENT), toTraceparent(unsampled));
  assert.deepEqual(spans, []);
  assert.equal(await tracer.run('alone', {}, async () => 1), 1);
  assert.equal(tracer.record('alone', { startMs: 1, endMs: 2 }), null);
  assert.deepEqual(spans, []);
});

test('a trace has an upper bound of spans, and spans beyond it are counted', async () => {
  const { tracer, spans, countSurplus } = makeRecorded();
  await tracer.runRoot('root', { parent: PARENT }, async () => {
    for (let i = 0; i < MAX_SPANS_OF_TRACE + 5; i += 1) await tracer.run('part', {}, async () => {});
  });
  assert.equal(spans.length, MAX_SPANS_OF_TRACE);
  assert.equal(countSurplus(), 6);
  assert.equal(spans.at(-1)?.name, 'root');
});

test('a request to a server is a span with its host and bytes, without its path; also in a context of another thread', async () => {
  const server = createServer((_, response) => response.writeHead(206).end('12345'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { tracer, spans } = makeRecorded();
  const stop = traceRequests(tracer);
  const ask = async (): Promise<void> => {
    const { body } = await request(`http://127.0.0.1:${port}/secret?signature=1`);
    await body.text();
  };
  await ask();
  assert.equal(spans.length, 0, 'nothing is recorded outside of a trace');
  const taken = tracer.enter(PARENT, () => toCarrier(tracer).take());
  await toCarrier(tracer).enter(taken, ask);
  stop();
  await tracer.enter(PARENT, ask);
  const [span, ...more] = spans;
  assert.equal(more.length, 0);
  assert.deepEqual(
    [span?.name, span?.kind, span?.traceId, span?.parentSpanId],
    ['GET 127.0.0.1', 'client', PARENT.traceId, PARENT.spanId],
  );
  assert.deepEqual(span?.attributes, {
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'server.port': port,
    'http.response.status_code': 206,
    'http.response.body.size': 5,
  });
  server.closeAllConnections();
  server.close();
});
