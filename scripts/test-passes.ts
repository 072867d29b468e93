/** Which test files have passed, and with what: a later run leaves out those for which nothing has changed. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { run } from 'node:test';
import type { Digests } from './test-digests.ts';

/** The digest with which each file last passed. */
export type Passes = ReadonlyMap<string, string>;

/** What earlier runs have remembered; nothing in a new checkout. */
export function readPasses(path: string): Passes {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>));
  } catch {
    // A cache: without it, or with a damaged one, every file runs.
    return new Map();
  }
}

interface Finished {
  readonly ran: readonly string[];
  readonly passed: ReadonlySet<string>;
  /** Before the first file ran, and after the last. */
  readonly before: Digests;
  readonly after: Digests;
}

/**
 * Remembers the files that passed, and forgets those that ran and did not. A file whose sources were written during the
 * run is forgotten too: nobody knows which version it has loaded.
 */
export function rememberPasses(path: string, { ran, passed, before, after }: Finished): void {
  // Read again: another run may have ended in the meantime.
  const passes = new Map(readPasses(path));
  for (const file of ran) {
    const digest = before.of(file);
    const isSteady = before.stampOf(file) === after.stampOf(file);
    if (passed.has(file) && digest !== null && isSteady) passes.set(file, digest);
    else passes.delete(file);
  }
  mkdirSync(dirname(path), { recursive: true });
  // By its final name only once it is whole.
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(Object.fromEntries(passes), null, 1));
  renameSync(fresh, path);
}

/** What one process has reported of its files. */
interface Report {
  readonly passed: Set<string>;
  /** Tests that were skipped since the last file of a group ended. */
  skipped: number;
  hasFailed: boolean;
  hasEnded: boolean;
}

/** What became of the files of a run. */
interface Outcome {
  readonly passed: ReadonlySet<string>;
  /** Scripts that ended without a report of their tests, which the runner takes for passed. */
  readonly silent: readonly string[];
}

/**
 * Follows a run and finds out which files passed; `groups` has the files of scripts that run several. All files of a
 * process that failed or died count as failed. A file with a skipped test does not count as passed: what was missing may
 * be there the next time.
 */
export function followPasses(
  results: ReturnType<typeof run>,
  groups: ReadonlyMap<string, readonly string[]>,
): { finish(): Outcome } {
  const reports = new Map<string, Report>();
  const reportOf = (script: string): Report => {
    const known = reports.get(script);
    const report = known ?? { passed: new Set(), skipped: 0, hasFailed: false, hasEnded: false };
    reports.set(script, report);
    return report;
  };
  results.on('test:pass', (data) => {
    const script = scriptOf(data);
    const report = reportOf(script);
    if (data.skip !== undefined || data.todo !== undefined) report.skipped += 1;
    if (data.nesting > 0) return;
    if (!groups.has(script)) report.passed.add(relative('.', script));
    else {
      if (report.skipped === 0) report.passed.add(data.name);
      report.skipped = 0;
    }
  });
  results.on('test:fail', (data) => {
    reportOf(scriptOf(data)).hasFailed = true;
  });
  results.on('test:summary', ({ file, success }) => {
    // One of each process that came to its end, and one of the run.
    if (file === undefined) return;
    const report = reportOf(file);
    report.hasEnded = true;
    if (!success) report.hasFailed = true;
  });
  return {
    finish() {
      const scripts = [...reports];
      const passed = scripts
        .filter(([script, { hasEnded, hasFailed, skipped }]) => {
          return hasEnded && !hasFailed && (groups.has(script) || skipped === 0);
        })
        .flatMap(([script, report]) => {
          // A file that never began has no result, although its process ended well.
          return (groups.get(script) ?? [relative('.', script)]).filter((file) => report.passed.has(file));
        });
      const silent = scripts.filter(([, { hasEnded, hasFailed }]) => !hasEnded && !hasFailed);
      return { passed: new Set(passed), silent: silent.map(([script]) => script) };
    },
  };
}

/** The script of the process that has reported; the runner's own report of a process names it as the file. */
function scriptOf(data: object): string {
  if ('entryFile' in data && typeof data.entryFile === 'string') return data.entryFile;
  return 'file' in data ? String(data.file) : '';
}
