/** A page whose every request and complaint is written down. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { HANG_MS } from '../../src/testing/wait-for.ts';

/** The page and what it did. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console (refusals of the content policy among them) and uncaught exceptions. */
  readonly problems: string[];
  /** Every address the page asked for. */
  readonly urls: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Small, because every pixel is drawn by the processor; wide enough for the desktop layout. */
const VIEWPORT = { width: 800, height: 480 };

/**
 * After so long the page looks for new scenes (`web/actions/watch-growth.ts`), takes a confirmation away
 * (`web/panels/notices.tsx`), and gives up a file (`web/import/import-file.ts`).
 */
const OF_ITSELF_MS = [5000, 6000, 60_000];

/**
 * What a page does of itself after some seconds comes between two steps of a test on a slow machine only, so it does not come
 * at all. The page also takes a server that has not answered for 20 s for gone; here it may be slow.
 */
const WITHOUT_DEADLINES = `
  AbortSignal.timeout = ((timeout) => () => timeout.call(AbortSignal, ${HANG_MS}))(AbortSignal.timeout);
  globalThis.setTimeout = ((plan) => (work, ms, ...values) =>
    plan(work, ${JSON.stringify(OF_ITSELF_MS)}.includes(ms) ? ${HANG_MS} : ms, ...values))(setTimeout);
`;

/**
 * So long after it was asked for, a frame is drawn, as on a slow machine. The processor draws every one, and most of those
 * of the map show only one more tile than the last; a page that draws fewer of them ends with the same picture.
 */
const FRAME_MS = 80;
const PACED = `{
  const [begin, end] = [requestAnimationFrame, cancelAnimationFrame];
  const begun = new Map();
  requestAnimationFrame = (draw) => {
    const id = setTimeout(() => {
      const frame = begin((ms) => {
        begun.delete(id);
        draw(ms);
      });
      begun.set(id, frame);
    }, ${FRAME_MS});
    return id;
  };
  cancelAnimationFrame = (id) => {
    clearTimeout(id);
    if (begun.has(id)) end(begun.get(id));
    begun.delete(id);
  };
}`;

interface PageOptions extends BrowserContextOptions {
  /** Whether it draws few frames a second; a bench counts them all. */
  readonly isPaced?: boolean;
}

/** Opens a page with a storage of its own; `await using` closes it. */
export const openPage = async (
  browser: Browser,
  { isPaced = true, ...options }: PageOptions = {},
): Promise<WatchedPage> => {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    // A valid language tag: `Intl` refuses `en-US@posix`, the locale of a machine without a language.
    locale: 'en-US',
    ...options,
  });
  context.setDefaultTimeout(HANG_MS);
  await context.addInitScript(WITHOUT_DEADLINES);
  if (isPaced) await context.addInitScript(PACED);
  const page = await context.newPage();
  const problems: string[] = [];
  const urls: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  context.on('request', (request) => urls.push(request.url()));
  return { page, problems, urls, [Symbol.asyncDispose]: () => context.close() };
};
