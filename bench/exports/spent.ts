import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** What one run took. */
export interface Spent {
  readonly wallS: number;
  /** Of all processes and threads of the side that is measured. */
  readonly cpuS: number;
  /** The part of the processors that all other programs took meanwhile, the bench itself included. */
  readonly others: number;
}

/** Clock ticks of a second in /proc; the same on all Linux machines of today. */
const TICKS = 100;

/** Its parent and the CPU seconds that a process has taken so far, with all of its threads. */
function readProcess(pid: number): { readonly parent: number; readonly cpuS: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS };
}

/** CPU seconds that a process has taken so far, with all of its threads. */
export const readCpuS = (pid: number): number => readProcess(pid).cpuS;

/** CPU seconds of a process and all that it has started. */
export function readTreeCpuS(root: number): number {
  const all = new Map<number, ReturnType<typeof readProcess>>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      all.set(Number(name), readProcess(Number(name)));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isInTree = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return pid === root || (parent !== undefined && isInTree(parent));
  };
  return [...all].reduce((sum, [pid, { cpuS }]) => (isInTree(pid) ? sum + cpuS : sum), 0);
}

/** CPU seconds of PostgreSQL: of all its processes, and of connections that have ended. */
export function readServerCpuS(postmaster: number): number {
  const stat = readFileSync(`/proc/${postmaster}/stat`, 'utf8');
  const ended = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return readTreeCpuS(postmaster) + ended.reduce((sum, ticks) => sum + Number(ticks) / TICKS, 0);
}

/** CPU seconds that all programs have taken so far; what the host of a virtual machine took counts too. */
function readAllCpuS(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user, nice, system, , , irq, softirq, steal] = line.split(/\s+/).slice(1).map(Number) as number[];
  return (
    [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) / TICKS
  );
}

/** Measures work; `readOwnCpuS` says what its side has taken so far. */
export async function measureSpent<Result>(
  readOwnCpuS: (result: Result | null) => number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly spent: Spent }> {
  const [startMs, startAllS, startOwnS] = [performance.now(), readAllCpuS(), readOwnCpuS(null)];
  const result = await work();
  const wallS = (performance.now() - startMs) / 1000;
  const cpuS = readOwnCpuS(result) - startOwnS;
  const othersS = readAllCpuS() - startAllS - cpuS;
  return { result, spent: { wallS, cpuS, others: Math.max(0, othersS / (wallS * availableParallelism())) } };
}

/** The middle one. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;

/** The medians of several runs. */
export const toMedian = (runs: readonly Spent[]): Spent => ({
  wallS: median(runs.map(({ wallS }) => wallS)),
  cpuS: median(runs.map(({ cpuS }) => cpuS)),
  others: median(runs.map(({ others }) => others)),
});
