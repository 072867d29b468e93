import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from '../../src/testing/wait-for.ts';

// It starts the script that its caller names.
// Reads: nothing more

/**
 * A process that tests use and never change, such as a browser. Its script prints one line when it is ready, which tells
 * tests how to reach it, and ends when its standard input does: whoever started it may be killed and leaves nothing behind.
 *
 * A run of tests starts one for all of its files and writes the line to a file in the folder that `TEST_SHARED`
 * names. A file that runs by itself starts its own.
 */
export interface SharedProcess {
  /** What the script printed. */
  readonly line: string;
  close(): Promise<void>;
}

/** Only guards: a browser takes three seconds to unpack, a service with scenes twenty, ten times that on a busy machine. */
const START_TIMEOUT_MS = 1_800_000;
const STOP_TIMEOUT_MS = 30_000;

const lineFile = (folder: string, name: string): string => join(folder, `${name}.line`);
const failureFile = (folder: string, name: string): string => join(folder, `${name}.failed`);

/** The process of this run, or one of our own. */
export async function openShared(name: string, script: URL): Promise<SharedProcess> {
  const folder = process.env.TEST_SHARED;
  if (folder === undefined || !existsSync(join(folder, `${name}.starts`))) return startOwn(name, script);
  const isOver = (): boolean => existsSync(lineFile(folder, name)) || existsSync(failureFile(folder, name));
  await waitFor(isOver, START_TIMEOUT_MS, 50);
  if (!existsSync(lineFile(folder, name))) throw new Error(readFileSync(failureFile(folder, name), 'utf8'));
  return { line: readFileSync(lineFile(folder, name), 'utf8'), close: async () => {} };
}

/** Starts one for all files of a run, without waiting until it is ready. */
export function startForAll(name: string, script: URL, folder: string): { stop(): Promise<void> } {
  writeFileSync(join(folder, `${name}.starts`), '');
  const child = spawnScript(script);
  const told = readLine(name, child).then(
    (line) => {
      // By its final name only once it is whole.
      writeFileSync(join(folder, `${name}.new`), line);
      renameSync(join(folder, `${name}.new`), lineFile(folder, name));
    },
    (error: Error) => writeFileSync(failureFile(folder, name), error.message),
  );
  return {
    async stop() {
      await stop(child);
      await told;
    },
  };
}

async function startOwn(name: string, script: URL): Promise<SharedProcess> {
  const child = spawnScript(script);
  try {
    return { line: await readLine(name, child), close: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

const spawnScript = (script: URL): ChildProcess =>
  spawn(process.execPath, [script.pathname], { stdio: ['pipe', 'pipe', 'inherit'] });

async function readLine(name: string, child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  try {
    const [line] = await Promise.race([
      once(lines, 'line', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(
          `The ${name} process ended with code ${code} before it was ready; its words are above.`,
        );
      }),
    ]);
    return String(line);
  } finally {
    lines.close();
    // What it prints later is nobody's, and must not fill the pipe.
    child.stdout?.resume();
  }
}

/** Ends the process by closing its input, and by force if it does not listen. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
