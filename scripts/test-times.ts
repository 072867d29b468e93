/** How long each file of tests took in the last run: files are ordered and grouped by it. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { run } from 'node:test';
import { isSlow } from './test-tiers.ts';

/** What one file took, in milliseconds. */
export interface TestTime {
  /** From the beginning to the end of its tests. */
  readonly wallMs: number;
  /**
   * Processor time of its process and of all that it has started and seen end. A busy machine makes a test wait, but
   * hardly makes it work more.
   */
  readonly cpuMs: number;
}

/** Times by path. */
export type TestTimes = ReadonlyMap<string, TestTime>;

/** What a process of tests writes when it ends; see prepare-process.ts. */
export interface ProcessCost {
  readonly script: string;
  readonly cpuMs: number;
}

/** The times of the last run; none in a new checkout. */
export function readTimes(path: string): TestTimes {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, TestTime>));
  } catch {
    // A cache: without it, or with a damaged one, the order of the files is worse and nothing else.
    return new Map();
  }
}

/** Keeps the times of files that were not part of this run. */
export function writeTimes(path: string, known: TestTimes, fresh: TestTimes): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(Object.fromEntries([...known, ...fresh]), null, 1));
}

/** How many times as many cases a property tries in the full size; see src/testing/test-size.ts. */
const FULL_SIZE = 10;

/** The times that files take in the full size, from those in the small one. */
export const toFullSize = (times: TestTimes, isSized: (file: string) => boolean): TestTimes =>
  new Map(
    [...times].map(([file, { wallMs, cpuMs }]) => {
      const factor = isSized(file) ? FULL_SIZE : 1;
      return [file, { wallMs: factor * wallMs, cpuMs: factor * cpuMs }];
    }),
  );

/**
 * Scripts in the order in which they start: those that take longest first, so that none of them runs alone at the end. A
 * script with a file that was never run counts as longest. Among these, slow files go first, and those of test/ before
 * others: they start services and browsers.
 */
export function longestFirst(
  scripts: ReadonlyMap<string, readonly string[]>,
  times: TestTimes,
): readonly string[] {
  const rankOf = (file: string): number => (isSlow(file) ? 0 : 2) + (file.startsWith('test/') ? 0 : 1);
  const ranked = [...scripts].map(([script, files]) => ({
    script,
    rank: files.every((file) => times.has(file)) ? 4 : rankOf(files[0] ?? ''),
    ms: sum(files.map((file) => times.get(file)?.wallMs ?? 0)),
  }));
  return ranked.toSorted((a, b) => a.rank - b.rank || b.ms - a.ms).map(({ script }) => script);
}

/** Follows a run and finds out what each of its files took; `groups` has the files of scripts that run several. */
export function measureRun(
  results: ReturnType<typeof run>,
  folder: string,
  groups: ReadonlyMap<string, readonly string[]>,
) {
  /** By the script of the process, the durations of the tests of each file. */
  const durations = new Map<string, Map<string, number>>();
  results.on('test:complete', (data) => {
    if (data.nesting !== 0 || !('entryFile' in data)) return;
    const script = String(data.entryFile);
    const ofScript = durations.get(script) ?? new Map<string, number>();
    durations.set(script, ofScript);
    const file = groups.has(script) ? data.name : relative('.', script);
    ofScript.set(file, (ofScript.get(file) ?? 0) + data.details.duration_ms);
  });
  return {
    /** Reads what the processes have written. Files that share one share its processor time by the durations of their tests. */
    finish(): TestTimes {
      const times = new Map<string, TestTime>();
      for (const path of globSync(join(folder, 'cost-*.json'))) {
        const { script, cpuMs } = JSON.parse(readFileSync(path, 'utf8')) as ProcessCost;
        const ofScript = durations.get(script);
        if (ofScript === undefined) continue;
        const total = Math.max(1e-3, sum(ofScript.values()));
        for (const [file, ms] of ofScript) {
          times.set(file, { wallMs: Math.round(ms), cpuMs: Math.round((cpuMs * ms) / total) });
        }
      }
      return times;
    },
  };
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
