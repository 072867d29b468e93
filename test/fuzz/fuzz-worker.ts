/**
 * The thread of a target: makes inputs and runs them until its time is over. The number of the current run is in
 * shared memory, so that the other side knows which one it was when this thread never speaks again.
 */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Fault } from './judge.ts';
import { judgeRun } from './judge.ts';
import { makeInput } from './mutate.ts';
import { makeRandom } from './random.ts';
import type { FuzzTarget } from './target.ts';
import { readMaterial } from './target.ts';

/** What the thread is told. */
export interface FuzzOrder {
  readonly target: string;
  /** Address of the module whose `targetByName` knows the target. */
  readonly targetsModule: string;
  readonly seed: number;
  readonly firstRun: number;
  readonly durationMs: number;
  /** Runs to stop at. */
  readonly maxRuns: number;
  /** The current run, for both sides; -1 until the first. */
  readonly current: Int32Array;
}

/** What it tells: how runs ended since the last time, or a fault. */
export type FuzzNews =
  | {
      readonly kind: 'progress';
      readonly outcomes: ReadonlyMap<string, number>;
      readonly slowestMs: number;
    }
  | { readonly kind: 'fault'; readonly run: number; readonly fault: Fault };

/** How often it tells. */
const PROGRESS_MS = 500;

const { target: name, targetsModule, seed, firstRun, durationMs, maxRuns, current } = workerData as FuzzOrder;
const tell = (news: FuzzNews) => parentPort?.postMessage(news);

const { targetByName }: { targetByName: (name: string) => FuzzTarget } = await import(targetsModule);
const target = targetByName(name);
const material = await readMaterial(target);
// what is loaded and compiled once is not to be counted against a run
for (const input of material.seeds.slice(0, 2)) await judgeRun(target, input);

const end = performance.now() + durationMs;
for (let run = firstRun; run < maxRuns && performance.now() < end; ) {
  const outcomes = new Map<string, number>();
  const pause = Math.min(end, performance.now() + PROGRESS_MS);
  let slowestMs = 0;
  for (; run < maxRuns && performance.now() < pause; run++) {
    Atomics.store(current, 0, run);
    const verdict = await judgeRun(target, makeInput(makeRandom(seed, name, run), material));
    if (verdict.fault !== null) tell({ kind: 'fault', run, fault: verdict.fault });
    outcomes.set(verdict.outcome, (outcomes.get(verdict.outcome) ?? 0) + 1);
    slowestMs = Math.max(slowestMs, verdict.tookMs);
  }
  tell({ kind: 'progress', outcomes, slowestMs });
  // unhandled rejections are noticed only when the thread comes to rest
  await setImmediate();
}
