import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Spent } from './spent.ts';
import { measureSpent } from './spent.ts';

const run = promisify(execFile);

/** Runs one program; the shell says what CPU time its children took. */
async function runProgram(command: readonly string[]): Promise<number> {
  const { stdout } = await run('sh', ['-c', '"$@" >/dev/null && times', 'sh', ...command], {
    env: { ...process.env, GDAL_NUM_THREADS: 'ALL_CPUS' },
  });
  const [user, system] = [...stdout.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds)) as [number, number];
  return user + system;
}

/** Runs programs one after the other. */
export async function runPrograms(commands: readonly (readonly string[])[]): Promise<Spent> {
  const { spent } = await measureSpent(
    (cpuS: number | null) => cpuS ?? 0,
    async () => {
      let cpuS = 0;
      for (const command of commands) cpuS += await runProgram(command);
      return cpuS;
    },
  );
  return spent;
}
