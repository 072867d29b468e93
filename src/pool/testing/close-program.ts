/** A whole program: it uses a pool with very long limits, closes it and has nothing left to wait for. */
import { makePool } from '../index.ts';
import { toJob, toScript } from './pool-kit.ts';

const longMs = 600_000;
const pool = makePool({
  script: toScript('hostile-worker'),
  threads: 1,
  budgetBytes: 1_000,
  graceMs: longMs,
  startTimeoutMs: longMs,
  maxWaitMs: { tile: longMs, task: longMs },
});
await pool.run(...toJob('echo', 1, { timeoutMs: longMs }));
const runs = ['spin', 'echo'].map((kind) => pool.run(...toJob(kind, 1, { timeoutMs: longMs })));
const [, outcomes] = await Promise.all([pool.close({ drainMs: 1 }), Promise.allSettled(runs)]);
console.log(outcomes.map(({ status }) => status).join(' '));
