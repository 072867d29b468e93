/**
 * Ends test processes that hang. Node's runner limits the time of a test, not of a process: one that waits forever while
 * it loads, or that leaves a server open, would hold up the run without a word.
 */
import { ChildProcess, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { relative } from 'node:path';
import type { run } from 'node:test';

/** How long a test process may be silent. */
export interface SilenceLimits {
  /**
   * While it prepares or runs a test: longer than a test may take, so that the runner ends the test first. Preparing may start
   * services and make what they show, which takes as long as tests do.
   */
  readonly testMs: number;
  /** After a test, while none runs: its hooks run, or something keeps it open. */
  readonly idleMs: number;
}

interface TestProcess {
  readonly child: ChildProcess;
  /** The last event by the monotonic clock. */
  lastMs: number;
  /** The running tests by their id. */
  readonly running: Map<number, string>;
  lastTest: string | null;
}

/** The interval of looking: a tenth of the shorter limit, and at most a second. */
const toIntervalMs = ({ testMs, idleMs }: SilenceLimits): number => Math.min(1_000, testMs / 10, idleMs / 10);

interface Watching {
  readonly limits: SilenceLimits;
  /** What a process runs, for people, by the path of its script. */
  nameOf(script: string): string;
  /** Told in a sentence what was ended, and where it hung. */
  onEnd(sentence: string): void;
}

/**
 * Watches the processes that the runner starts from now on, and kills one that is silent for too long with all that it
 * has started. The runner then reports its file as failed.
 */
export function endHungProcesses({ limits, nameOf, onEnd }: Watching) {
  const processes = new Set<TestProcess>();
  const onSpawn = (message: unknown): void => {
    if (!isSpawn(message)) return;
    const it = { child: message.process, lastMs: performance.now(), running: new Map(), lastTest: null };
    processes.add(it);
    it.child.once('exit', () => {
      processes.delete(it);
      // A process that outlives it may hold its output, for which the runner waits.
      setTimeout(() => it.child.stdout?.destroy(), limits.idleMs).unref();
    });
  };
  subscribe('child_process', onSpawn);

  const look = (): void => {
    for (const it of processes) {
      const isOver = it.lastTest !== null && it.running.size === 0;
      const limitMs = isOver ? limits.idleMs : limits.testMs;
      if (performance.now() - it.lastMs < limitMs) continue;
      processes.delete(it);
      onEnd(
        `${nameOf(scriptOf(it.child))} was ended: silent for ${limitMs / 1_000} s ${describePosition(it)}.`,
      );
      killTree(it.child);
    }
  };
  const timer = setInterval(look, toIntervalMs(limits));

  return {
    /** Takes note of what the processes report. */
    follow(results: ReturnType<typeof run>): void {
      const find = (data: object): TestProcess | undefined => {
        if (!('entryFile' in data)) return undefined;
        const found = [...processes].find(({ child }) => scriptOf(child) === data.entryFile);
        if (found !== undefined) found.lastMs = performance.now();
        return found;
      };
      results.on('test:dequeue', (data) => {
        find(data)?.running.set(data.testId, describeTest(data));
      });
      results.on('test:complete', (data) => {
        const it = find(data);
        it?.running.delete(data.testId);
        if (it !== undefined) it.lastTest = describeTest(data);
      });
    },
    stop(): void {
      clearInterval(timer);
      unsubscribe('child_process', onSpawn);
    },
  };
}

const isSpawn = (message: unknown): message is { readonly process: ChildProcess } =>
  typeof message === 'object' &&
  message !== null &&
  'process' in message &&
  message.process instanceof ChildProcess;

/** The runner gives the file as the last word of the command. */
const scriptOf = ({ spawnargs }: ChildProcess): string => spawnargs.at(-1) ?? '';

function describeTest({ name, file }: { readonly name: string; readonly file?: string }): string {
  return file === undefined ? `"${name}"` : `"${name}" of ${relative('.', file)}`;
}

function describePosition({ running, lastTest }: TestProcess): string {
  if (running.size > 0) return `in ${[...running.values()].join(', in ')}`;
  return lastTest === null ? 'before its first test' : `after ${lastTest}`;
}

/** Kills a process and all that descend from it: servers and browsers that its tests have started. */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // Grows while it is walked, until no child of any is left.
  for (const one of tree) {
    for (const [child = 0, parent] of pairs) if (parent === one) tree.push(child);
  }
  for (const one of tree) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended by itself in the meantime.
    }
  }
}
