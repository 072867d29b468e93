import { retry } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import type { JobRunner, JobTable, JobTicket } from './job.ts';

/** A refusal of the pool because of its load, not because it is stopping. */
const isRefusal = (error: unknown): boolean =>
  isSwathError(error) &&
  error.tag === 'too-busy' &&
  (error.code === 'pool-full' || error.code === 'waited-too-long');

/** Between two attempts; long compared with a job, short compared with a file. */
const PAUSE_MS = 500;

/** Runs a job of a file that is half made: where the pool has no room now, it is asked again until it has. */
export async function runPatiently<Jobs extends JobTable, Kind extends keyof Jobs & string>(
  pool: JobRunner<Jobs>,
  kind: Kind,
  input: Jobs[Kind]['input'],
  ticket: JobTicket,
  pauseMs = PAUSE_MS,
): Promise<Jobs[Kind]['output']> {
  const { output } = await retry(() => pool.run(kind, input, ticket), {
    toWaitMs: (error) => (isRefusal(error) ? pauseMs : null),
    signal: ticket.signal,
  });
  return output;
}
