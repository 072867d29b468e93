import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';

/** Without scenes, right after the start; 160 MB when this was written, and 210 from sources. */
const MAX_RESIDENT_MB = 250;

test(`a service without scenes takes at most ${MAX_RESIDENT_MB} MB`, async () => {
  await using swath = await startSwath({ env: { SWATH_THREADS: '8', SWATH_METRICS: 'key' } });
  await waitUntilReady(swath.url);
  const metrics = await fetch(`${swath.url}/metrics`, { headers: { 'x-api-key': SERVICE_KEY } });
  const [, bytes = assert.fail('no metrics')] =
    /^process_resident_memory_bytes (\S+)$/m.exec(await metrics.text()) ?? [];
  assert.ok(Number(bytes) <= MAX_RESIDENT_MB * 2 ** 20, `${Math.round(Number(bytes) / 2 ** 20)} MB`);
});
