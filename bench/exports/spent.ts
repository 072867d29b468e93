import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** What one run took. */
export interface Spent {
  readonly wallS: number;
  /** Of all processes and threads of the side that is measured. */
  readonly cpuS: number;
}

/** The middle one. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;

/** The medians of several runs. */
export const toMedian = (runs: readonly Spent[]): Spent => ({
  wallS: median(runs.map(({ wallS }) => wallS)),
  cpuS: median(runs.map(({ cpuS }) => cpuS)),
});

/** Clock ticks of a second in /proc; the same on all Linux machines of today. */
const TICKS = 100;

/** CPU seconds that a process has taken so far, with all of its threads; /proc is there on Linux only. */
export function readCpuS(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) / TICKS;
}

const run = promisify(execFile);

/** Runs programs one after the other; the shell says what CPU time its children took. */
export async function runPrograms(commands: readonly (readonly string[])[]): Promise<Spent> {
  let [wallS, cpuS] = [0, 0];
  for (const command of commands) {
    const start = performance.now();
    const { stdout: times } = await run('sh', ['-c', '"$@" >/dev/null && times', 'sh', ...command], {
      env: { ...process.env, GDAL_NUM_THREADS: 'ALL_CPUS' },
    });
    wallS += (performance.now() - start) / 1000;
    const [user, system] = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
      .slice(-2)
      .map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds)) as [number, number];
    cpuS += user + system;
  }
  return { wallS, cpuS };
}
