/**
 * How fast the viewer feels, measured in the browser: `npm run bench -- viewer`.
 *
 * A real service with a season of the demo world, and a page that is opened anew in each round: from the request of the page
 * until the map is drawn with its clear view, and from the click on another scene of the list until its tiles are drawn.
 * Then the map is dragged across new ground while its tiles are in flight, and the browser tells when it drew each frame.
 * Last, on a line of 400 kB/s and 100 ms, from the request of the page until the first picture is drawn, with nothing cached.
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
  interactive: { title: 'page to interactive map', limitMs: 1000 },
  firstScene: { title: 'page to clear view drawn', limitMs: null },
  newScene: { title: 'click on a new scene to its tiles', limitMs: 400 },
  shownScene: { title: 'click on a scene that was shown before', limitMs: 400 },
  // 17 ms are 60 frames a second. No limit: this browser renders on the CPU, which takes several of them.
  panFrame: { title: 'frame while panning, 95th percentile', limitMs: null },
  panLongest: { title: 'longest frame while panning', limitMs: null },
  slowLine: { title: 'first picture at 400 kB/s, 100 ms', limitMs: 4000 },
} as const;

/** A slow line, as Chrome simulates it. */
const SLOW_LINE = { downloadThroughput: 400_000, uploadThroughput: 400_000, latency: 100, offline: false };
/** Tiles that are to be in flight while the map is dragged; MapLibre asks for fewer at once on a small map. */
const TILES_IN_FLIGHT = 40;

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

/**
 * Runs in the page: drags the map from edge to edge, one event for each frame, and answers the milliseconds between frames.
 * By events of the pointer, as a hand moves it.
 */
const PAN = `
  new Promise((resolve) => {
    const canvas = document.querySelector('#map canvas');
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const send = (type, x, y, buttons) => (type === 'mousedown' ? canvas : document).dispatchEvent(
      new MouseEvent(type, { clientX: x, clientY: y, button: 0, buttons, bubbles: true, cancelable: true, view: window }));
    const times = [];
    const strokes = 4;
    const perStroke = 30;
    let step = 0;
    const draw = (now) => {
      times.push(now);
      const at = step % perStroke;
      const x = left + width * 0.85 - (at / perStroke) * width * 0.7;
      const y = top + height * (Math.floor(step / perStroke) % 2 === 0 ? 0.3 + 0.3 * at / perStroke : 0.6 - 0.3 * at / perStroke);
      if (at === 0) send('mousedown', x, y, 1);
      else send('mousemove', x, y, 1);
      if (at === perStroke - 1) send('mouseup', x, y, 0);
      if (++step < strokes * perStroke) requestAnimationFrame(draw);
      else resolve(times.slice(1).map((time, i) => time - times[i]));
    };
    requestAnimationFrame(draw);
  })
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

/** Drags the map over ground that it has not shown yet; tiles wait until enough of them are in flight. */
async function measurePanning(
  page: Page,
  round: number,
): Promise<Pick<Record<Measure, number>, 'panFrame' | 'panLongest'>> {
  const held: (() => void)[] = [];
  let isHeld = true;
  const letGo = (): void => {
    isHeld = false;
    for (const release of held.splice(0)) release();
  };
  let most = 0;
  await page.route(/\/api\/(render|mosaic)\//, async (route) => {
    if (isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>();
      most = Math.max(most, held.push(resolve));
      if (held.length >= TILES_IN_FLIGHT) letGo();
      await promise;
    }
    // The map gives up tiles that it has left behind.
    await route.continue().catch(() => {});
  });
  // Another zoom in each round, so that no tile is in the cache.
  await page.evaluate(`location.hash = '#map=${(12 + 0.3 * round).toFixed(1)}/48.22/-122.40&clear=,90'`);
  const frames = ((await page.evaluate(PAN)) as number[]).toSorted((a, b) => a - b);
  letGo();
  await page.unroute(/\/api\/(render|mosaic)\//);
  if (most < TILES_IN_FLIGHT) console.log(`  ${most} tiles were in flight while panning`);
  return {
    panFrame: frames[Math.floor(frames.length * 0.95)] as number,
    panLongest: frames.at(-1) as number,
  };
}

/** A page with nothing cached, on a slow line. */
async function measureSlowLine(browser: Browser, url: string): Promise<number> {
  await using opened = await openPage(browser, {
    viewport: { width: Number(values.width), height: Number(values.height) },
  });
  const { page } = opened;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_LINE);
  await page.addInitScript(WATCH);
  // The first picture, not the detail of the base map that follows it.
  await page.goto(`${url}/?api_key=${values.key}`, { waitUntil: 'commit' });
  return (await whenDrawn(page, -1)).idleMs;
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
  const panning = await measurePanning(page, round);
  const slowLine = await measureSlowLine(browser, url);
  return {
    interactive: first.interactiveMs,
    firstScene: first.idleMs,
    newScene,
    shownScene,
    ...panning,
    slowLine,
  };
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
