import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, run } from '../clients/run-program.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** Whether this machine has the Python that `installPython` needs. */
export const hasPython = (): boolean => findProgram('python3') !== null;

/** Installs pinned Python packages once, in an environment of their own; gives the folder of its programs. */
export async function installPython(
  name: string,
  packages: readonly string[],
  print: (line: string) => void,
): Promise<string> {
  const pins = packages.join('\n');
  const folder = join(CACHE, name, createHash('sha256').update(pins).digest('hex').slice(0, 12));
  const [bin, done] = [join(folder, 'venv/bin'), join(folder, 'installed')];
  if (existsSync(done)) return bin;
  print(`Installing ${packages.join(', ')}, once …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  writeFileSync(done, pins);
  return bin;
}
