import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython } from '../support/python-packages.ts';
import { NPM_PACKAGES, PYTHON_PACKAGES } from './packages.ts';
import { findProgram, run } from './run-program.ts';

/** Where the programs of others are installed. */
export interface Installed {
  /** The folder of Python's programs: `python`, `schemathesis`, … */
  readonly pythonBin: string;
  /** The folder that holds `node_modules`. */
  readonly npmFolder: string;
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/swath-clients/', import.meta.url));

/** What the machine lacks, as a sentence; null if nothing. */
export function findMissing(): string | null {
  const missing = ['python3', 'npm'].filter((name) => findProgram(name) === null);
  return missing.length === 0
    ? null
    : `This needs ${missing.join(' and ')}, which this machine does not have: nothing was checked.`;
}

/** Installs the pinned programs, once for each list of versions, in folders of their own. */
export async function install(print: (line: string) => void): Promise<Installed> {
  const pythonBin = await installPython('swath-clients', PYTHON_PACKAGES, print);
  const pins = JSON.stringify(NPM_PACKAGES);
  const folder = join(CACHE, createHash('sha256').update(pins).digest('hex').slice(0, 12));
  const npmFolder = join(folder, 'npm');
  const done = join(folder, 'installed');
  if (existsSync(done)) return { pythonBin, npmFolder };
  print('Installing the client programs, once …');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(npmFolder, { recursive: true });
  writeFileSync(join(npmFolder, 'package.json'), '{"private": true, "type": "module"}\n');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...NPM_PACKAGES], {
    cwd: npmFolder,
  });
  writeFileSync(done, pins);
  return { pythonBin, npmFolder };
}
