import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresCluster } from '../ports/postgres-cluster.ts';
import { startPostgres } from '../ports/postgres-cluster.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

let cluster: PostgresCluster | null = null;
after(() => cluster?.stop());

/** What the interface promises. */
const PER_MINUTE = 10;
const STEP_MS = 60_000 / PER_MINUTE;

const poll = (url: string) =>
  fetch(`${url}/api/gdw/api/0b9d2c1e-6c0f-4f7e-9a59-0d6f1f0e8f5a`, { headers: { 'x-api-key': SERVICE_KEY } });
const order = (url: string) =>
  fetch(`${url}/api/gdw/api`, { method: 'POST', body: '{}', headers: { 'x-api-key': SERVICE_KEY } });

/** Asks the nodes in turn until one refuses, and once more when it says. */
async function exhaust(
  urls: readonly string[],
  ask: (url: string) => Promise<Response>,
  allowedStatus: number,
): Promise<void> {
  const startedMs = performance.now();
  let allowed = 0;
  let refused: Response;
  for (;;) {
    const answer = await ask(urls[allowed % 2] as string);
    if (answer.status === 429) {
      refused = answer;
      break;
    }
    assert.equal(answer.status, allowedStatus);
    allowed += 1;
  }
  const most = PER_MINUTE + Math.floor((performance.now() - startedMs) / STEP_MS);
  assert.ok(allowed >= PER_MINUTE && allowed <= most, `${allowed} of at most ${most}`);
  const { code, error } = (await refused.json()) as { code: string; error: string };
  assert.equal(code, 'statistics-rate-limited');
  assert.match(error, /\blimit of 10 requests\b/);
  const retryAfterS = Number(refused.headers.get('retry-after'));
  assert.ok(Number.isInteger(retryAfterS) && retryAfterS >= 1 && retryAfterS <= 6, `${retryAfterS}`);
  await sleep(1000 * retryAfterS);
  const other = await ask(urls[(allowed + 1) % 2] as string);
  assert.equal(other.status, allowedStatus, 'after that time, on the node that had not refused');
}

test('PostgreSQL: two nodes share the statistics rate limit', async (t) => {
  cluster = await startPostgres();
  if (cluster === null) return t.skip('PostgreSQL is not installed here');
  // Without workers, which would only take time to start.
  const env = { ...ONE_THREAD, SWATH_DATABASE_URL: cluster.url, SWATH_ROLES: 'api' };
  const nodes = [await startSwath({ env }), await startSwath({ env })];
  t.after(() => Promise.all(nodes.map((node) => node.stop('SIGKILL'))));
  const urls = nodes.map(({ url }) => url);

  // At the same time, because each waits for some seconds.
  await Promise.all([exhaust(urls, order, 400), exhaust(urls, poll, 404)]);

  cluster.halt();
  const away = nodes[0] as (typeof nodes)[number];
  for (let i = 0; i < 2 * PER_MINUTE; i += 1) {
    const answer = await poll(away.url);
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { code: string }).code],
      [503, 'store-unavailable'],
    );
  }
  await away.printed(/"requests to the statistics address are not counted"/);
  assert.equal(away.output().split('are not counted').length - 1, 1, 'one line');
});
