import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, setGlobalDispatcher } from 'undici';
import { HANG_MS, waitFor } from '../../src/testing/wait-for.ts';

// It starts the program that it names, and loads the probe that its caller names.
// Reads: nothing more

// A new connection for each `fetch` of a test: the service closes one that was idle for five seconds, and on a busy
// machine a test meets such a connection at the moment it is closed.
// An answer takes as long as it takes: the service has limits of its own.
setGlobalDispatcher(new Agent({ pipelining: 0, headersTimeout: HANG_MS, bodyTimeout: HANG_MS }));

/** A key the started service accepts. */
export const SERVICE_KEY = 'a-key-for-service-tests';

/** Where one thing is asked for after the other, a second pixel thread would only take its time to start. */
export const ONE_THREAD = { SWATH_THREADS: '1' } as const;

/** The longest that the setting allows. */
const LONGEST_RENDER_MS = 600_000;

/** A real Swath in a process of its own; disposing of it kills the process when it still runs. */
export interface RunningSwath extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** All it has printed so far. */
  output(): string;
  /** Waits until it has printed something: what it writes may arrive later than an answer it sent afterwards. */
  printed(words: RegExp): Promise<void>;
  /** Sends a signal and waits for the end; the exit status, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A directory of the caller, which stays afterwards; by default a fresh one that is removed when the process ends. */
  readonly dataDir?: string;
  /** A program and its arguments that execute the service in surroundings of their own, such as `unshare`. */
  readonly within?: readonly string[];
  /** Whom the process runs as; only root can choose. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** A module that is loaded before the program, and reached over the IPC channel of the process. */
  readonly probe?: URL;
  /** Another version of the program, by its path. */
  readonly program?: string;
}

const BIN = fileURLToPath(new URL('../../bin/swath.js', import.meta.url));
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

/** The environment without Swath settings of the user who runs the tests. */
function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SWATH_')));
}

/** Ended with this process, however that ends: a test that crashes leaves no service behind. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
function endWithUs(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Runs a command of the program, or of another version of it, to its end, in a working directory if one is given. */
export async function runSwath(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
  program = BIN,
) {
  const child = spawn(process.execPath, [...FLAGS, program, ...args], {
    env: { ...cleanEnvironment(), ...env },
    cwd,
  });
  endWithUs(child);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, stdout: stdout(), stderr: stderr() };
}

/** Starts the service on a free port and waits until it listens. */
export async function startSwath({
  env = {},
  dataDir,
  within = [],
  user,
  probe,
  program: bin = BIN,
}: StartOptions = {}): Promise<RunningSwath> {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'swath-service-'));
  const imports = probe === undefined ? [] : ['--import', probe.href];
  const command = [...within, process.execPath, ...FLAGS, ...imports, bin, 'serve'];
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, {
    ...user,
    stdio: probe === undefined ? 'pipe' : ['pipe', 'pipe', 'pipe', 'ipc'],
    env: {
      ...cleanEnvironment(),
      SWATH_PORT: '0',
      SWATH_DATA: directory,
      SWATH_API_KEY: SERVICE_KEY,
      SWATH_DEMO: 'off',
      SWATH_LOG_FORMAT: 'json',
      // A picture may take longer than the default of ten seconds where other tests have the cores.
      SWATH_RENDER_TIMEOUT_MS: String(LONGEST_RENDER_MS),
      ...env,
    },
  }) as ChildProcessWithoutNullStreams;
  endWithUs(child);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const guard = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      if (dataDir === undefined) rmSync(directory, { recursive: true, force: true });
      resolve(code ?? (signal as NodeJS.Signals));
    });
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = /(?:Map|Health)\s+(http:\/\/[^/\s]+)/.exec(stdout());
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    void ended.then((status) => reject(new Error(`swath ended with ${status}: ${stdout()}${stderr()}`)));
  }).finally(() => clearTimeout(guard));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return {
    url,
    dataDir: directory,
    process: child,
    output: () => stdout() + stderr(),
    printed: (words) => waitFor(() => words.test(stdout() + stderr())),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** Waits for `/readyz` to turn 200, which includes the first scene. */
export async function waitUntilReady(url: string, timeoutMs = HANG_MS): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  await waitFor(isReady, timeoutMs, 100);
}
