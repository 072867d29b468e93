/** Traces of a real process, as a collector gets them. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';
import type { CollectedSpan } from '../support/trace-collector.ts';
import { readAttribute, startTraceCollector } from '../support/trace-collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

test('a trace leads from the request to the stages of drawing; header and share decide what is recorded; SIGUSR2 changes the log level', async () => {
  const dataDir = await makeDemoData();
  await using collector = await startTraceCollector();
  await using swath = await startSwath({
    dataDir,
    env: {
      ...ONE_THREAD,
      SWATH_TRACES: collector.url,
      SWATH_TRACES_SHARE: '0',
      SWATH_TRACES_HEADERS: 'x-a=b%20c',
    },
  });
  const ask = async (path: string, traceparent: string | null): Promise<Response> => {
    const headers = traceparent === null ? {} : { traceparent };
    const answer = await fetch(swath.url + path, { headers: { 'x-api-key': SERVICE_KEY, ...headers } });
    await answer.clone().arrayBuffer();
    return answer;
  };
  const tile = (x: number): string => `/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/16/${x}/22720`;
  const whenIn = (traceId: string, name: string): Promise<void> =>
    waitFor(() => collector.spans.some((span) => span.traceId === traceId && span.name === name));

  // Neither the share nor a header includes these.
  assert.equal((await ask(tile(10484), null)).status, 200);
  assert.equal((await ask(tile(10484), `00-${'ab'.repeat(16)}-${CALLER}-00`)).status, 200);
  assert.equal((await ask(tile(10485), `00-${TRACE}-${CALLER}-01`)).status, 200);
  // Those of a job may be sent before those of the request that waits for it.
  for (const name of ['GET /api/render/{view_id}/{bands}/{z}/{x}/{y}', 'job draw', 'encode'])
    await whenIn(TRACE, name);
  assert.deepEqual([...new Set(collector.spans.map(({ traceId }) => traceId))], [TRACE]);

  const named = (name: string): CollectedSpan =>
    collector.spans.find((span) => span.name === name) ??
    assert.fail(`${name} is missing: ${collector.spans.map((span) => span.name)}`);
  const request = named('GET /api/render/{view_id}/{bands}/{z}/{x}/{y}');
  assert.equal(request.parentSpanId, CALLER);
  assert.equal(readAttribute(request, 'http.response.status_code'), '200');
  assert.equal(readAttribute(request, 'swath.key.id'), 'configured');
  assert.equal(named('plan').parentSpanId, request.spanId);
  assert.match(String(readAttribute(named('store scenes.findByViewId'), 'db.system.name')), /sqlite/);
  const job = named('job draw');
  assert.equal(job.parentSpanId, request.spanId);
  for (const part of ['queue', 'run']) assert.equal(named(part).parentSpanId, job.spanId);
  for (const stage of ['read', 'warp', 'colour', 'encode'])
    assert.equal(named(stage).parentSpanId, named('run').spanId);
  const blocks = ['decoded', 'cached'].map((how) =>
    Number(readAttribute(named('run'), `swath.${how}Blocks`)),
  );
  assert.ok((blocks[0] ?? 0) + (blocks[1] ?? 0) > 0, String(blocks));
  for (const span of collector.spans) {
    const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
    assert.ok(start <= end, span.name);
    assert.ok(start >= BigInt(request.startTimeUnixNano) - 1_000_000n, span.name);
  }
  await swath.printed(new RegExp(`"trace_id":"${TRACE}"`));

  // A collector that fails slows nothing down; it gets the spans when it works again.
  collector.status = 503;
  const second = 'c'.repeat(32);
  const refused = await ask('/api/render/none/B04/1/2/3', `00-${second}-${CALLER}-01`);
  assert.equal(refused.status, 404);
  await swath.printed(/the collector of traces fails/);
  collector.status = 200;
  await whenIn(second, 'GET /api/render/{view_id}/{bands}/{z}/{x}/{y}');
  await swath.printed(/the collector of traces works again/);
  // The log level changes while the service runs.
  swath.process.kill('SIGUSR2');
  await swath.printed(/"log_level":"debug"/);
  assert.equal((await ask(tile(10490), null)).status, 200);
  await swath.printed(/"kind":"draw".*"msg":"job"/);
  swath.process.kill('SIGUSR2');
  await swath.printed(/"log_level":"info"/);
  const topEnv = { SWATH_DATA: dataDir, SWATH_API_KEY: SERVICE_KEY };
  const shown = await runSwath(['top', '--once', '--json', '--every', '1', '--url', swath.url], topEnv);
  assert.equal(shown.status, 0, shown.stderr);
  const [node] = (JSON.parse(shown.stdout) as { readonly nodes: readonly Record<string, unknown>[] }).nodes;
  // The scrape itself is in flight.
  assert.deepEqual([node?.isReachable, node?.isReady, node?.inFlight, node?.threads], [true, true, 1, 1]);
  // What is recorded last arrives before the process ends.
  const last = 'd'.repeat(32);
  await ask('/healthz', `00-${last}-${CALLER}-01`);
  assert.equal(await swath.stop(), 0);
  assert.ok(collector.spans.some(({ traceId, name }) => traceId === last && name === 'GET /healthz'));
  for (const body of collector.bodies) assert.ok(!body.includes(SERVICE_KEY));
  rmSync(dataDir, { recursive: true, force: true });
});
