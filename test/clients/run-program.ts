import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit statuses that do not count as failures; only 0 by default. */
  readonly allowed?: readonly number[];
}

/** Ended with this process, also when it is interrupted: no program goes on alone. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** The path of a program of this machine, or null. */
export const findProgram = (name: string): string | null =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file)) ?? null;

/** Runs a program to its end and gives what it printed; a failure is an error with its last words. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env = {}, allowed = [0] }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
    children.add(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => {
      children.delete(child);
      if (status !== null && allowed.includes(status)) resolve(printed);
      else reject(new Error(`${program} ended with ${status}: ${printed.slice(-3_000)}`));
    });
  });
}
