/** What the flows of the viewer share: a browser, and a real service with a season of the demo world. */
import { rmSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeSeasonData } from '../support/season-data.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { whenMapIdle } from './map-pixels.ts';
import type { OpenBrowser } from './open-browser.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import type { WatchedPage } from './watched-page.ts';
import { openPage } from './watched-page.ts';
import { requireFreshWebBuild } from './web-build.ts';

/** What a flow has at hand. */
export interface DemoBench {
  readonly browser: Browser;
  readonly swath: RunningSwath;
  /** Opens the viewer with a key, at a state of its address (`#bands=NDVI`), and waits until the map is drawn. */
  open(hash?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

interface Started {
  readonly swath: RunningSwath;
  readonly opened: OpenBrowser;
}

/** One service and one browser for all flows of the process: each takes seconds of two cores to start. */
let started: Promise<Started> | null = null;
after(async () => {
  if (started === null) return;
  const { swath, opened } = await started;
  await opened.close();
  await swath.stop();
  rmSync(swath.dataDir, { recursive: true });
});

async function start(): Promise<Started> {
  requireFreshWebBuild();
  const dataDir = await makeSeasonData();
  // The pages of the tests ask faster than people do.
  const env = { SWATH_LOG: 'warn', SWATH_STATISTICS_PER_MINUTE: '0' };
  const swath = await startSwath({ dataDir, env });
  await waitUntilReady(swath.url);
  return { swath, opened: await openBrowser() };
}

/**
 * Land and borders of the whole Earth take half of the processor time of a page; flows look at the fields of the demo.
 * `first-tile` has them, and `viewer/layers` looks at them.
 */
const WITHOUT_EARTH = `fetch = ((send) => (address, options) =>
  String(address).includes('assets/world-')
    ? Promise.resolve(Response.json({ type: 'FeatureCollection', features: [] }))
    : send(address, options))(fetch);`;

/** Waits until the panel, which a sheet may cover on a phone, and the map show that the page has what it needs. */
const whenReady = async (page: Page): Promise<void> => {
  await page.locator('.thumbnail.is-loaded, #panel-body > *').first().waitFor({ state: 'attached' });
  await whenMapIdle(page);
};

/** Most flows are about one scene: where they name none, the newest is shown and not the clear view. */
const toSceneHash = (hash: string): string =>
  /[#&](?:scene|clear)=/.test(hash) ? hash : `#clear=off${hash.replace('#', '&')}`;

/** A suite of flows against the service. */
export function describeDemo(name: string, defineTests: (bench: DemoBench) => void): void {
  describe(name, { skip: whyNoBrowser() }, () => {
    let bench: Started;
    before(async () => {
      started ??= start();
      bench = await started;
    });
    defineTests({
      get browser() {
        return bench.opened.browser;
      },
      get swath() {
        return bench.swath;
      },
      async open(hash = '', options = {}) {
        const watched = await openPage(bench.opened.browser, options);
        await watched.page.addInitScript(WITHOUT_EARTH);
        await watched.page.goto(`${bench.swath.url}/?api_key=${SERVICE_KEY}${toSceneHash(hash)}`);
        await whenReady(watched.page);
        return watched;
      },
    });
  });
}
