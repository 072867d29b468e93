/** Opens the browser for a test and makes sure that it goes away again. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/** A running browser; `close` ends its process too and may be called in any state. */
export interface OpenBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Unpacking takes about 3 s, starting 1 s; ten times that on a busy machine is still fine. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 10_000;

/** Why there is no browser for this machine, as a sentence for `skip`, or `false` when there is one. */
export const whyNoBrowser = (): string | false => {
  if (process.env.CHROMIUM_PATH !== undefined) return false;
  const platform = `${process.platform} ${process.arch}`;
  if (platform === 'linux x64') return false;
  return `The Chromium of the npm package is for linux x64, this is ${platform}: set CHROMIUM_PATH to a Chromium of your own.`;
};

const readEndpoint = async (server: ChildProcess): Promise<string> => {
  const lines = createInterface({ input: server.stdout! });
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  try {
    const [line] = await Promise.race([
      once(lines, 'line', { signal }),
      once(server, 'exit', { signal }).then(([code]) => {
        throw new Error(
          `The browser process ended with code ${code} before it was ready; its words are above.`,
        );
      }),
    ]);
    return String(line);
  } finally {
    lines.close();
  }
};

/** Ends the process by closing its input, and by force if it does not listen. */
const stop = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.stdin?.end();
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
};

/** Starts Chromium in a process of its own and connects to it. */
export const openBrowser = async (): Promise<OpenBrowser> => {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'browser-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const browser = await chromium.connect(await readEndpoint(server));
    return {
      browser,
      async close() {
        await browser.close();
        await stop(server);
      },
    };
  } catch (error) {
    await stop(server);
    throw error;
  }
};
