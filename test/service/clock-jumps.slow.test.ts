import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

/** Debian's package "faketime". */
const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

const directory = mkdtempSync(join(tmpdir(), 'swath-clock-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Asks until the rate of a minute is used up; in all no more than the minutes of the monotonic clock allow. */
function makeExhaust(
  ask: () => Promise<Response>,
  { perMinute, allowed }: { readonly perMinute: number; readonly allowed: number },
) {
  let [startedMs, count] = [Number.NaN, 0];
  return async (offset: string): Promise<void> => {
    if (count === 0) startedMs = performance.now();
    let answer = await ask();
    while (answer.status !== 429) {
      assert.equal(answer.status, allowed, offset);
      count += 1;
      answer = await ask();
    }
    const most = perMinute * (1 + Math.floor((performance.now() - startedMs) / 60_000));
    assert.ok(count >= perMinute && count <= most, `${count} of at most ${most} at ${offset}`);
    const waitS = Number(answer.headers.get('retry-after'));
    assert.ok(waitS >= 1 && waitS <= 60, `${waitS} s at ${offset}`);
  };
}

test('setting the wall clock forward and back by an hour affects the expiry of keys, but not rates', async (t) => {
  if (FAKETIME === undefined) return t.skip('libfaketime is not installed here');
  const file = join(directory, 'offset');
  const setClock = (offset: string): void => writeFileSync(file, offset);
  setClock('+0');
  const swath = await startSwath({
    env: {
      ...ONE_THREAD,
      SWATH_WRITES_PER_MINUTE: '2',
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  t.after(() => swath.stop('SIGKILL'));
  const create = async (...options: readonly string[]): Promise<string> =>
    (await runSwath(['keys', 'create', ...options], { SWATH_DATA: swath.dataDir })).stdout.trim();
  const ask = (key: string) =>
    fetch(`${swath.url}/api/lms/search/v2/sentinel2`, {
      method: 'POST',
      body: '{"search":{}}',
      headers: { 'x-api-key': key },
    });
  const remove = () =>
    fetch(`${swath.url}/api/render/cropper/${'0'.repeat(32)}`, {
      method: 'DELETE',
      headers: { 'x-api-key': SERVICE_KEY },
    });
  const expiring = await create('--expires', new Date(Date.now() + 3_300_000).toISOString());
  const limited = await create('--rate', '3');
  assert.equal((await ask(expiring)).status, 200);
  const [asks, removals] = [
    makeExhaust(() => ask(limited), { perMinute: 3, allowed: 200 }),
    makeExhaust(remove, { perMinute: 2, allowed: 404 }),
  ];
  for (const exhaust of [asks, removals]) await exhaust('+0');

  for (const [offset, ofExpiring] of [
    ['+3600', 403],
    ['-3600', 200],
    ['+0', 200],
  ] as const) {
    setClock(offset);
    // Node writes the same Date for up to a second.
    await waitFor(async () => {
      const dateMs = Date.parse((await fetch(`${swath.url}/healthz`)).headers.get('date') ?? '');
      return Math.abs(dateMs - Date.now() - Number(offset) * 1000) < 60_000;
    });
    assert.equal((await ask(expiring)).status, ofExpiring, offset);
    for (const exhaust of [asks, removals]) await exhaust(offset);
    const ready = (await (await fetch(`${swath.url}/readyz`)).json()) as object;
    assert.deepEqual(
      { ...ready, checks: null },
      { ready: true, degraded: false, waiting: null, checks: null, unreached_places: null },
    );
  }
  assert.equal(await swath.stop(), 0);
});
