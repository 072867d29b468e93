/** A worker script for the tests: it behaves well, badly or terribly, as the job's kind says. */
import { badInput } from '../../errors.ts';
import type { JobContext, JobHandlers, JobType } from '../index.ts';
import { serveJobs, withTransfer } from '../index.ts';

/** A shared word that the test sets to 1 to let the worker go on. */
type Gate = Int32Array<SharedArrayBuffer>;

/** What `hoard` holds for as long as the thread lives. */
const hoard: Uint8Array[] = [];

const tick = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const makeFilled = (bytes: number) => new Uint8Array(bytes).fill(1);

/** Sums that were computed since the figures were taken. */
let sums = 0;

const handlers = (settings: unknown): JobHandlers<Record<string, JobType<never>>> => ({
  echo: (input: unknown) => input,
  settings: () => settings,
  add([a, b]: [number, number]) {
    sums += 1;
    return a + b;
  },
  pixels(bytes: number) {
    const pixels = makeFilled(bytes);
    return withTransfer(pixels, [pixels.buffer]);
  },
  /** Reports that it runs and blocks its thread until the gate opens. */
  hold({ label, gate }: { label: string; gate: Gate }, context: JobContext) {
    context.report(label);
    Atomics.wait(gate, 0, 0);
    return label;
  },
  unsendable: () => () => 1,
  throwKnown() {
    throw badInput('bad-zoom', 'The zoom must be from 0 to 24.', { details: { limit: 24 } });
  },
  throwUnknown() {
    throw new Error('secret path /etc/shadow');
  },
  spin(_: unknown, context: JobContext) {
    context.report('spinning');
    for (;;) if (Math.random() > 2) return 'never';
  },
  /** Waits for the abort signal, then reports it through memory that the test can see after the caller has gone. */
  async untilAborted({ seen }: { seen: Gate }, { report, signal }: JobContext) {
    report('waiting');
    while (!signal.aborted) await tick(5);
    Atomics.store(seen, 0, 1);
    Atomics.notify(seen, 0);
    throw signal.reason;
  },
  /** The same in a loop that never returns to the event loop. */
  untilCancelled({ seen }: { seen: Gate }, { report, cancelled }: JobContext) {
    report('looping');
    while (!cancelled()) Math.random();
    Atomics.store(seen, 0, 1);
    Atomics.notify(seen, 0);
  },
  exit: () => process.exit(3),
  async throwLater() {
    setTimeout(() => {
      throw new Error('outside of any handler');
    });
    await tick(60_000);
  },
  async rejectLater() {
    void Promise.reject(new Error('unhandled'));
    await tick(60_000);
  },
  heapHog() {
    const all: string[][] = [];
    for (;;) all.push(Array.from({ length: 10_000 }, (_, i) => `${i} of ${all.length}`));
  },
  /** Holds typed arrays after the job: a leak, or an unbounded cache. */
  hoard(bytes: number) {
    hoard.push(makeFilled(bytes));
    return hoard.length;
  },
  /** Leaves as much garbage as `hoard` holds. */
  litter: (bytes: number) => makeFilled(bytes).length,
  /** Allocates more and more while it runs, and never returns. */
  runaway() {
    const all: Uint8Array[] = [];
    for (;;) {
      if (all.length < 600) all.push(makeFilled(2 ** 20));
    }
  },
});

await serveJobs<Record<string, JobType<never>>>((settings, { countFigures }) => {
  countFigures(() => {
    const figures = { sums };
    sums = 0;
    return figures;
  });
  return handlers(settings);
});
