/** Opens the browser for a test and makes sure that it goes away again. */
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { HANG_MS } from '../../src/testing/wait-for.ts';
import { openShared } from '../support/shared-process.ts';

/** A connection to a running browser. `close` ends what it has opened, and the browser's process if it has one of its own. */
export interface OpenBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Why there is no browser for this machine, as a sentence for `skip`, or `false` when there is one. */
export const whyNoBrowser = (): string | false => {
  if (process.env.CHROMIUM_PATH !== undefined) return false;
  const platform = `${process.platform} ${process.arch}`;
  if (platform === 'linux x64') return false;
  return `The Chromium of the npm package is for linux x64, this is ${platform}: set CHROMIUM_PATH to a Chromium of your own.`;
};

/** Connects to the browser of this run of tests, or starts one. */
export const openBrowser = async (): Promise<OpenBrowser> => {
  const shared = await openShared('browser', new URL('./browser-server.ts', import.meta.url));
  try {
    const browser = await chromium.connect(shared.line, { timeout: HANG_MS });
    return {
      browser,
      async close() {
        await browser.close();
        await shared.close();
      },
    };
  } catch (error) {
    await shared.close();
    throw error;
  }
};
