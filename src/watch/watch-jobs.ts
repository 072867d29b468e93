import type { JobHandlers, JobRunner, JobType } from '../pool/index.ts';
import type { JudgeScene } from './check-subscription.ts';
import type { Fired, SceneReadings } from './judge.ts';
import { judge } from './judge.ts';
import type { Condition } from './subscription.ts';

/** The input of the job that judges a scene. */
interface JudgeJob {
  readonly condition: Condition;
  readonly scene: SceneReadings;
  readonly past: readonly SceneReadings[];
}

/** The job of subscriptions: which readings of a scene meet a condition. */
export type WatchJobs = { 'watch-judge': JobType<JudgeJob, readonly Fired[]> };

/** The handlers of these jobs, for a thread. */
export const watchJobs: JobHandlers<WatchJobs> = {
  'watch-judge': ({ condition, scene, past }) => judge(condition, scene, past),
};

/** Builds the judging of scenes on the pool. */
export const makeJudgeScene =
  (pool: JobRunner<WatchJobs>): JudgeScene =>
  async (input, ticket) => {
    const bytes = [input.scene, ...input.past].reduce((sum, { readings }) => sum + readings.byteLength, 0);
    // Copied to the thread, and what fires has texts of its own.
    return (await pool.run('watch-judge', input, { ...ticket, bytes: 4 * bytes })).output;
  };
