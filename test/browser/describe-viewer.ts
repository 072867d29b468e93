/** What the tests of the viewer share: a browser, a server that answers like Swath, and the scenes it has. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { makeFakeFields } from './fake-fields.ts';
import { makeFakeLinks } from './fake-links.ts';
import type { FakeScene, FakeState } from './fake-state.ts';
import type { FakeSwath } from './fake-swath.ts';
import { startFakeSwath } from './fake-swath.ts';
import type { MapPixels, Rgb } from './map-pixels.ts';
import { whenDrawn } from './map-pixels.ts';
import type { OpenBrowser } from './open-browser.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { requireFreshWebBuild } from './web-build.ts';

/** The key that the server takes. */
export const KEY = 'key-that-must-not-leak';
/** Colours of the tiles: by bands of the newest scene, and of all others. */
export const NATURAL: Rgb = [60, 130, 70];
export const FALSE_COLOR: Rgb = [190, 50, 60];
export const GREY: Rgb = [128, 128, 128];
export const OTHER_DATE: Rgb = [70, 90, 200];
/** The water of the dark palette of `web/map/base-style.ts`. */
export const WATER: Rgb = [0x0e, 0x1a, 0x22];

/** About the outline of tile 31TDH, between the Pyrenees and the sea. */
const OUTLINE: FakeScene['dataGeometry'] = {
  type: 'Polygon',
  coordinates: [
    [
      [1.78, 42.35],
      [3.0, 42.35],
      [3.0, 43.3],
      [1.78, 43.3],
      [1.78, 42.35],
    ],
  ],
};

const makeScene = (day: number, cloudCoverage: number): FakeScene => ({
  sceneID: `S2A_tile_202606${day}_31TDH_0`,
  view_id: `S2/31/T/DH/2026/6/${day}/0`,
  date: `2026-06-${day}`,
  cloudCoverage,
  sunElevation: 67.2,
  satellite: 'sentinel2',
  dataGeometry: OUTLINE,
});
/** The same location and day seen by radar: another sensor, no clouds, no sun. */
export const RADAR: FakeScene = {
  sceneID: 'S1A_IW_GRDH_1SDH_20260620T060000_20260620T060025_060000_07A000_ABCD',
  view_id: 'S1/S1A_IW_GRDH_1SDH_20260620T060000_20260620T060025_060000_07A000_ABCD',
  date: '2026-06-20',
  satellite: 'sentinel1',
  dataGeometry: OUTLINE,
};
/** Three dates of one location. */
export const [NEWEST, MIDDLE, OLDEST] = [makeScene(21, 3.4), makeScene(16, 44), makeScene(11, 81)] as const;
/** The middle of the outline above. */
export const INSIDE = [2.39, 42.82] as const;

const freshState = (): FakeState => ({
  acceptedKey: KEY,
  // Another name than the page is opened by, as behind a proxy: the viewer must stay on its own origin.
  publicUrl: 'https://imagery.example',
  scenes: [NEWEST, MIDDLE, OLDEST],
  pageLimit: 100,
  catalogs: [],
  catalogNotes: [],
  about: { contact: null, guests: false, base_map: null },
  links: makeFakeLinks(),
  fields: makeFakeFields(),
  hasDemo: false,
  waiting: null,
  isWorldEmpty: true,
  tileFailure: null,
  isDown: false,
  refusals: 0,
  notNatural: [],
  missingBands: [],
  colorOf: ({ viewId, bands }) => {
    if (viewId !== NEWEST.view_id) return OTHER_DATE;
    if (bands === 'B04,B03,B02') return NATURAL;
    return bands === 'B08,B04,B03' ? FALSE_COLOR : GREY;
  },
  legend: { colors: ['#101010', '#f0f0f0'], thresholds: [500], bands: [] },
  thumbnail: NATURAL,
  classesOf: () => 'No classes here.',
  valueOf: (name) => (name === 'NDVI' ? 0.625 : 1200),
  elevationM: 812.4,
});

/** Compares colours; graphics drivers may round a channel by one or two. */
export const assertColor = (actual: Rgb, expected: Rgb): void => {
  const isClose = actual.every((value, i) => Math.abs(value - expected[i]!) <= 2);
  assert.ok(isClose, `expected the colour ${expected.join(', ')}, the screen shows ${actual.join(', ')}`);
};

/** Waits until the map is drawn with a colour at a position in degrees. */
export const whenColor = (
  page: Page,
  [lon, lat]: readonly [lon: number, lat: number],
  expected: Rgb,
): Promise<MapPixels> => whenDrawn(page, (pixels) => assertColor(pixels.atLonLat(lon, lat), expected));

/** The cards of the list. */
export const sceneButtons = (page: Page) => page.locator('button.scene');
/** Those of the addresses that are of tiles. */
export const tileUrls = (urls: readonly string[]): string[] =>
  urls.filter((url) =>
    /\/api\/(?:render|mosaic)\/(?!sources\/|point\/|legend\/|\w+\/(?:thumb|point|ir|parse_vb)\/).*\/\d+(?:\?|$)/.test(
      url,
    ),
  );

/** Opens a panel by its button in the rail. */
export const openPanel = async (page: Page, name: string): Promise<void> => {
  const button = page.getByRole('navigation').getByRole('button', { name, exact: true });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
};

/** What a test of the viewer has at hand; the server is as new for each. */
export interface ViewerBench {
  readonly browser: Browser;
  readonly fake: FakeSwath;
}

/** A suite of tests with a server of its own. */
export function describeViewer(name: string, defineTests: (bench: ViewerBench) => void): void {
  describe(name, { skip: whyNoBrowser() }, () => {
    let open: OpenBrowser;
    let fake: FakeSwath;
    before(async () => {
      requireFreshWebBuild();
      fake = await startFakeSwath(freshState());
      open = await openBrowser();
    });
    after(async () => {
      await open?.close();
      await fake?.close();
    });
    afterEach(() => {
      Object.assign(fake.state, freshState());
      fake.seen.length = 0;
    });
    defineTests({
      get browser() {
        return open.browser;
      },
      get fake() {
        return fake;
      },
    });
  });
}
