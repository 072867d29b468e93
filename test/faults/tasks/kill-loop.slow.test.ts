import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { HANG_MS } from '../../../src/testing/wait-for.ts';
import { makeDemoData } from '../../support/demo-data.ts';
import { runKillLoop } from './kill-loop.ts';

test('if servers and workers are killed at random, every acknowledged task ends once, and no file is partial or orphaned', async () => {
  const dataDir = await makeDemoData();
  const { faults, ...report } = await runKillLoop({
    dataDir,
    databaseUrl: null,
    seconds: 8,
    clients: 4,
    workers: 1,
    everyMs: [500, 1_500],
    seed: 16,
    settleMs: HANG_MS,
  });
  assert.deepEqual(faults, [], JSON.stringify(report));
  // On a busy machine each kill takes seconds.
  assert.ok(report.kills + report.freezes > 0 && report.acknowledged > 0, JSON.stringify(report));
  rmSync(dataDir, { recursive: true });
});
