/**
 * How fast the viewer feels, measured in the browser: `npm run bench -- viewer`.
 *
 * A real service with a season of the demo world, and a page that is opened anew in each round: from the request of the page
 * until the map is drawn with its clear view, and from the click on another scene of the list until its tiles are drawn.
 * The first round warms the service up and is not counted; of the others the medians count. Fails if a median exceeds its
 * limit, unless `--report` is given. Animations are off, as for users who prefer reduced motion.
 * `--rounds 5`, `--width 1280`, `--height 800`; `--url` and `--key` measure a service that runs already.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../test/browser/open-browser.ts';
import { openPage } from '../../test/browser/watched-page.ts';
import { requireFreshWebBuild } from '../../test/browser/web-build.ts';
import { makeSeasonData } from '../../test/support/season-data.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../test/support/start-swath.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '800' },
    url: { type: 'string' },
    key: { type: 'string', default: SERVICE_KEY },
    report: { type: 'boolean', default: false },
  },
});

/** What is measured, and the longest that it may take. */
const MEASURES = {
  interactive: { title: 'page to interactive map', limitMs: 2000 },
  firstScene: { title: 'page to clear view drawn', limitMs: null },
  newScene: { title: 'click on a new scene to its tiles', limitMs: 1000 },
  shownScene: { title: 'click on a scene that was shown before', limitMs: 1000 },
} as const;

type Measure = keyof typeof MEASURES;

/**
 * Runs in the page. `swathBench.when(index)` waits until the map is drawn with that scene of the list (-1: the clear view), and has the times, in
 * milliseconds since the page was requested, at which there was a map to drag with a list next to it, and at which the map
 * was drawn. `choose(index)` clicks on a scene, and has the time of the click.
 */
const WATCH = `
  globalThis.swathBench = (() => {
    let interactiveMs = null;
    let idleMs = null;
    let waiting = null;
    const map = () => document.getElementById('map');
    const sceneAt = (index) => document.querySelectorAll('button.scene')[index];
    const check = () => {
      if (map() === null) return;
      if (map().querySelector('canvas') !== null && sceneAt(0) !== undefined) interactiveMs ??= performance.now();
      idleMs = map().getAttribute('aria-busy') === 'false' ? (idleMs ?? performance.now()) : null;
      const isShown = waiting !== null && sceneAt(0) !== undefined &&
        (waiting.index < 0 || sceneAt(waiting.index)?.getAttribute('aria-current') === 'true');
      if (idleMs !== null && isShown) waiting.resolve({ interactiveMs, idleMs });
    };
    new MutationObserver(check).observe(document, {
      subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy', 'aria-current'],
    });
    return {
      when: (index) => new Promise((resolve) => { waiting = { index, resolve }; check(); }),
      choose: (index) => {
        const startMs = performance.now();
        sceneAt(index).click();
        // The map is told of the scene at once, and is busy from then on.
        idleMs = null;
        return startMs;
      },
    };
  })();
`;

interface Times {
  readonly interactiveMs: number;
  readonly idleMs: number;
}

const whenDrawn = async (page: Page, index: number): Promise<Times> =>
  (await page.evaluate(`swathBench.when(${index})`)) as Times;

async function measureChoice(page: Page, index: number): Promise<number> {
  const startMs = (await page.evaluate(`swathBench.choose(${index})`)) as number;
  return (await whenDrawn(page, index)).idleMs - startMs;
}

async function runRound(browser: Browser, url: string, round: number): Promise<Record<Measure, number>> {
  const [width, height] = [Number(values.width), Number(values.height)];
  await using opened = await openPage(browser, { viewport: { width, height } });
  const { page } = opened;
  await page.addInitScript(WATCH);
  await page.goto(`${url}/?api_key=${values.key}`);
  const first = await whenDrawn(page, -1);
  // A scene that no round has shown yet: its files are read for the first time.
  const count = await page.locator('button.scene').count();
  const index = round % count;
  const newScene = await measureChoice(page, index);
  await measureChoice(page, (index + 1) % count);
  const shownScene = await measureChoice(page, index);
  return { interactive: first.interactiveMs, firstScene: first.idleMs, newScene, shownScene };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;

async function measure(url: string): Promise<readonly Record<Measure, number>[]> {
  const { browser, close } = await openBrowser();
  try {
    const rounds: Record<Measure, number>[] = [];
    for (let round = 0; round <= Number(values.rounds); round++)
      rounds.push(await runRound(browser, url, round));
    return rounds.slice(1);
  } finally {
    await close();
  }
}

async function measureOwnService(): Promise<readonly Record<Measure, number>[]> {
  const swath = await startSwath({ dataDir: await makeSeasonData(), env: { SWATH_LOG: 'warn' } });
  try {
    await waitUntilReady(swath.url);
    return await measure(swath.url);
  } finally {
    await swath.stop();
    rmSync(swath.dataDir, { recursive: true });
  }
}

requireFreshWebBuild();
const rounds = await (values.url === undefined ? measureOwnService() : measure(values.url));
const columns = ['median ms', 'min ms', 'max ms', 'limit ms'].map((title) => title.padStart(10));
console.log(`${values.width} × ${values.height}, ${rounds.length} rounds`.padEnd(36), ...columns);
let isSlow = false;
for (const [name, { title, limitMs }] of Object.entries(MEASURES)) {
  const spent = rounds.map((round) => round[name as Measure]);
  const middle = median(spent);
  const cells = [middle, Math.min(...spent), Math.max(...spent)].map((ms) => ms.toFixed(0).padStart(10));
  console.log(title.padEnd(36), ...cells, String(limitMs ?? '–').padStart(10));
  if (limitMs !== null && middle > limitMs) isSlow = true;
}
if (isSlow && !values.report) {
  console.log('A median exceeds its limit.');
  process.exitCode = 1;
}
