import { Worker } from 'node:worker_threads';
import type { FuzzNews, FuzzOrder } from './fuzz-worker.ts';
import type { Fault } from './judge.ts';
import { makeInput } from './mutate.ts';
import { makeRandom } from './random.ts';
import type { FuzzTarget } from './target.ts';
import { readMaterial } from './target.ts';

/** An input that went wrong. */
export interface Finding extends Fault {
  readonly target: string;
  readonly seed: number;
  readonly run: number;
  readonly input: Uint8Array;
}

/** What became of a target's runs. */
export interface FuzzReport {
  readonly runs: number;
  readonly tookMs: number;
  /** How often each code, or `ok`, was the end. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly slowestMs: number;
  /** The first of each kind. */
  readonly findings: readonly Finding[];
}

/** How long to fuzz, and with what. */
export interface FuzzOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** Stops after so many runs, when the time is not over before. */
  readonly maxRuns?: number;
  /** Address of the module whose `targetByName` knows the target. */
  readonly targetsModule?: string;
  /** When a run counts as one that never ends. */
  readonly hangMs?: number;
}

/** Well beyond the second that a run may take, three times over. */
const HANG_MS = 10_000;
/** Loading a target on a busy machine. */
const LONGEST_START_MS = 600_000;
const WATCH_MS = 250;
const MAX_HEAP_MB = 768;

/** Runs a target for a time, in a thread that is replaced when it hangs or breaks. */
export async function fuzzTarget(
  target: FuzzTarget,
  {
    seed,
    durationMs,
    maxRuns = Number.POSITIVE_INFINITY,
    targetsModule = new URL('./targets/index.ts', import.meta.url).href,
    hangMs = HANG_MS,
  }: FuzzOptions,
): Promise<FuzzReport> {
  const material = await readMaterial(target);
  const outcomes = new Map<string, number>();
  const findings = new Map<string, Finding>();
  let slowestMs = 0;
  const note = (run: number, fault: Fault) => {
    if (findings.has(fault.kind)) return;
    const input = makeInput(makeRandom(seed, target.name, run), material);
    findings.set(fault.kind, { ...fault, target: target.name, seed, run, input });
  };
  const hear = (news: FuzzNews) => {
    if (news.kind === 'fault') {
      note(news.run, news.fault);
      return;
    }
    for (const [outcome, count] of news.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    slowestMs = Math.max(slowestMs, news.slowestMs);
  };

  const start = performance.now();
  let runs = 0;
  for (
    let leftMs = durationMs;
    leftMs > 0 && runs < maxRuns;
    leftMs = durationMs - (performance.now() - start)
  ) {
    const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const order = {
      target: target.name,
      targetsModule,
      seed,
      firstRun: runs,
      durationMs: leftMs,
      maxRuns,
      current,
    };
    const fault = await runThread(order, hear, hangMs);
    const last = Atomics.load(current, 0);
    if (fault !== null && last < 0) throw new Error(`${target.name} does not start: ${fault.details}`);
    runs = last + 1;
    if (fault === null) break;
    note(last, fault);
  }
  return { runs, tookMs: performance.now() - start, outcomes, slowestMs, findings: [...findings.values()] };
}

/** One life of a thread: null when its time was over, otherwise what ended it. */
async function runThread(
  order: FuzzOrder,
  hear: (news: FuzzNews) => void,
  hangMs: number,
): Promise<Fault | null> {
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let fault: Fault | null = null;
  let seen = -1;
  let seenAt = performance.now();
  const watch = setInterval(() => {
    const current = Atomics.load(order.current, 0);
    if (current !== seen) {
      seen = current;
      seenAt = performance.now();
      return;
    }
    const limitMs = current === -1 ? LONGEST_START_MS : hangMs;
    if (performance.now() - seenAt > limitMs) {
      fault ??= { kind: 'hang', details: `has not ended after ${limitMs} ms` };
      void worker.terminate();
    }
  }, WATCH_MS);
  worker.on('message', hear);
  worker.on('error', (error: Error) => {
    fault ??= { kind: `ends the thread: ${error.name}`, details: error.stack ?? String(error) };
  });
  const exit = Promise.withResolvers<void>();
  worker.on('exit', () => exit.resolve());
  await exit.promise;
  clearInterval(watch);
  return fault;
}
