import { parentPort, workerData } from 'node:worker_threads';
import { badInput } from '../../errors.ts';
import type { Caller } from '../call-thread.ts';
import { connectCalls } from '../call-thread.ts';
import type { JobType } from '../job.ts';
import { withTransfer } from '../serve-jobs.ts';

/** What the thread of the tests answers. */
export type EchoCalls = {
  greet: JobType<string, string>;
  quadruple: JobType<number, number>;
  bytes: JobType<number, Uint8Array>;
  refuse: JobType<string, never>;
  wait: JobType<null, never>;
  'seen-abort': JobType<null, null>;
  die: JobType<null, never>;
};

const { word } = workerData as { readonly word: string };
const seenAbort = Promise.withResolvers<null>();

type MainCalls = { double: JobType<number, number> };
const main: Caller<MainCalls> = connectCalls<EchoCalls, MainCalls>(parentPort!, {
  greet: async (name) => `${word} ${name}`,
  quadruple: async (value) => main.call('double', await main.call('double', value)),
  bytes: async (count) => {
    const bytes = new Uint8Array(count).map((_, i) => i);
    return withTransfer(bytes, [bytes.buffer]);
  },
  refuse: async (sentence) => {
    throw badInput('refused', sentence);
  },
  wait: (_, signal) =>
    new Promise<never>(() => {
      signal.addEventListener('abort', () => seenAbort.resolve(null));
    }),
  'seen-abort': () => seenAbort.promise,
  die: async () => process.exit(1),
});
