import { HANG_MS } from '../../testing/wait-for.ts';
import type { JobContext, JobHandlers, JobResult, JobRunner, JobTable, JobTicket, Ticket } from '../index.ts';
import { Moved } from '../serve-jobs.ts';

/** A ticket with limits that do not matter to the test. */
export const aTicket = {
  owner: 'me',
  lane: 'tile',
  timeoutMs: HANG_MS,
  signal: new AbortController().signal,
} as const satisfies Ticket;

/** A job as it was requested. */
export interface AskedJob {
  readonly kind: string;
  readonly input: unknown;
  readonly ticket: JobTicket;
}

/** A pool on this thread: jobs run one after the other, on copies of their inputs, as on a worker thread. */
export function makeRunnerHere<Jobs extends JobTable>(
  handlers: Partial<JobHandlers<Jobs>>,
): JobRunner<Jobs> & { readonly asked: AskedJob[] } {
  const asked: AskedJob[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    asked,
    async run<Kind extends keyof Jobs & string>(
      kind: Kind,
      input: Jobs[Kind]['input'],
      ticket: JobTicket,
    ): Promise<JobResult<Jobs[Kind]['output']>> {
      const handler = handlers[kind];
      if (handler === undefined) throw new Error(`the test does not expect the job ${kind}`);
      asked.push({ kind, input, ticket });
      const signal = ticket.signal ?? new AbortController().signal;
      const context: JobContext = { signal, cancelled: () => signal.aborted, report: () => {} };
      const work = last.then(() => handler(structuredClone(input), context));
      last = work.catch(() => {});
      const result = await work;
      const output = result instanceof Moved ? result.output : result;
      return { output, queuedMs: 0, ranMs: 0, shared: false };
    },
  };
}
