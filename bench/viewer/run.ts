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
import type { Browser, CDPSession, Page } from 'playwright-core';
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
  // What the page itself adds to a frame, whatever draws it: 60 frames a second leave 16 ms.
  panScript: { title: 'script and layout of such a frame, mean', limitMs: 16 },
  slowLine: { title: 'first picture at 400 kB/s, 100 ms', limitMs: 4000 },
} as const;

/** A slow line, as Chrome simulates it. */
const SLOW_LINE = { downloadThroughput: 400_000, uploadThroughput: 400_000, latency: 100, offline: false };
/** Tiles in flight when the drag begins. */
const TILES_IN_FLIGHT = 40;
/** A window that needs as many. */
const PAN_WINDOW = { width: 1440, height: 960 };
/** They stay in flight for this part of the drag. */
const LINE_MS = 300;
/** A map that has not asked for them by then does not ask for so many. */
const DEADLINE_MS = 120_000;
/** Addresses of tiles. */
const TILES = /\/api\/(render|mosaic)\/.*\/\d+\/\d+\/\d+(\?|$)/;

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

/** Milliseconds that the page has spent on scripts, styles and layout so far. */
async function readOwnMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const own = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'];
  return 1000 * metrics.reduce((sum, { name, value }) => sum + (own.includes(name) ? value : 0), 0);
}

/**
 * Drags the map over ground that it has not shown yet. The drag begins when enough tiles are in flight; from then on they
 * arrive, and the drag asks for more. At half a zoom level the map needs the most tiles;
 * 1280 × 800 pixels take 35, so that the window is larger here.
 */
async function measurePanning(
  page: Page,
  round: number,
): Promise<Pick<Record<Measure, number>, 'panFrame' | 'panLongest' | 'panScript'>> {
  const held: (() => void)[] = [];
  let isHeld = true;
  const letGo = (): void => {
    isHeld = false;
    for (const release of held.splice(0)) release();
  };
  const { promise: enough, resolve: begin, reject } = Promise.withResolvers<void>();
  await page.route(TILES, async (route) => {
    if (isHeld) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (held.push(resolve) >= TILES_IN_FLIGHT) begin();
      await promise;
    }
    // The map gives up tiles that it has left behind.
    await route.continue().catch(() => {});
  });
  await page.setViewportSize(PAN_WINDOW);
  // Another place in each round, so that the service has drawn none of its tiles.
  await page.evaluate(
    `location.hash = '#map=12.52/${(48.22 + 0.02 * round).toFixed(2)}/-122.40&clear=,90&panel=none'`,
  );
  const giveUp = () => reject(new Error(`Only ${held.length} tiles of the map are in flight at once.`));
  const deadline = setTimeout(giveUp, DEADLINE_MS);
  await enough.finally(() => clearTimeout(deadline));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await readOwnMs(session);
  setTimeout(letGo, LINE_MS);
  const frames = ((await page.evaluate(PAN)) as number[]).toSorted((a, b) => a - b);
  const ownMs = (await readOwnMs(session)) - before;
  await page.unroute(TILES);
  return {
    panScript: ownMs / frames.length,
    panFrame: frames[Math.floor(frames.length * 0.95)] as number,
    panLongest: frames.at(-1) as number,
  };
}

/** A page with nothing cached, on a slow line. */
async function measureSlowLine(browser: Browser, url: string): Promise<number> {
  await using opened = await openPage(browser, {
    isPaced: false,
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
  await using opened = await openPage(browser, { isPaced: false, viewport: { width, height } });
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
