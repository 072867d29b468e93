/**
 * Asks Firefox whether it shows the viewer as Chromium does: `npm run oracle firefox`.
 *
 * Needs an installed Firefox and a screen in memory (Debian's firefox-esr and xvfb). On a real service with a season of the demo world the page is opened
 * in both themes, a scene is chosen, an area is drawn with the mouse, and every panel is opened; the map must be drawn, the
 * console stay empty, and axe find nothing. `--screenshots FOLDER` saves what was seen.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { requireFreshWebBuild } from '../../browser/web-build.ts';
import { makeSeasonData } from '../../support/season-data.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import type { FirefoxPage } from './open-firefox.ts';
import { findFirefox, openFirefox } from './open-firefox.ts';

const { values } = parseArgs({ options: { screenshots: { type: 'string' } } });
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const WINDOW = { width: 1000, height: 640 };
/** Keys that open the panels. */
const PANELS = {
  find: 'f',
  look: 'l',
  area: 'a',
  fields: 'i',
  measure: 'm',
  compare: 'c',
  download: 'd',
  share: 's',
};
const IS_DRAWN = `document.getElementById('map')?.getAttribute('aria-busy') === 'false'`;
const FAULTS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 120))))`;

const faults: string[] = [];
function judge(what: string, isRight: boolean, detail: unknown = ''): void {
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}`);
  if (isRight) return;
  console.log(detail);
  faults.push(what);
}

/** The number of colours in the right half of the window, which is map: imagery has thousands, an empty map a few. */
async function countColors(page: FirefoxPage): Promise<number> {
  const { width, height } = WINDOW;
  const { data } = await sharp(await page.screenshot())
    .extract({ left: width / 2, top: height / 4, width: width / 2 - 80, height: height / 2 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colors = new Set<number>();
  for (let i = 0; i < data.length; i += 3) colors.add(data.readUIntBE(i, 3));
  return colors.size;
}

async function judgeFaults(page: FirefoxPage, what: string): Promise<void> {
  await page.evaluate(`(() => { ${AXE} })()`);
  const found = (await page.evaluate(FAULTS)) as string[];
  judge(`axe finds nothing: ${what}`, found.length === 0, found);
}

async function judgeViewer(page: FirefoxPage, url: string): Promise<void> {
  const save = async (name: string): Promise<void> => {
    if (values.screenshots !== undefined)
      writeFileSync(join(values.screenshots, `firefox-${name}.png`), await page.screenshot());
  };
  await page.goto(`${url}/?api_key=${SERVICE_KEY}`);
  await page.when(IS_DRAWN);
  await page.when(`document.querySelectorAll('button.scene').length > 0`);
  await save('start');
  judge('the page opens and has a list of scenes', true);

  await page.click('button.scene');
  await page.when(`document.querySelector('button.scene').getAttribute('aria-current') === 'true'`);
  await page.when(IS_DRAWN);
  await save('scene');
  const colors = await countColors(page);
  judge(`the map shows imagery: ${colors} colours`, colors > 500);
  judge(
    'a scene is chosen and is in the address',
    /&scene=/.test(String(await page.evaluate('location.hash'))),
  );

  await page.press('a');
  await page.click('.tool');
  const { x, y } = (await page.evaluate(
    `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(document.getElementById('map').getBoundingClientRect())`,
  )) as { x: number; y: number };
  await page.clickAt([
    [x - 60, y - 50],
    [x + 60, y - 50],
    [x + 60, y + 50],
    [x - 60, y - 50],
  ]);
  await page.when(`/&area=/.test(location.hash)`);
  await page.when(IS_DRAWN);
  await save('area');
  judge('an area is drawn with the mouse', true);

  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    for (const [panel, key] of Object.entries(PANELS)) {
      await page.press(key);
      await page.when(
        `new URLSearchParams(location.hash.slice(1)).get('panel') === '${panel}' || '${panel}' === 'find'`,
      );
      await page.when(`document.querySelector('#panel [aria-busy="true"].state') === null`);
      await judgeFaults(page, `${panel}, ${theme}`);
      if (theme === 'dark') await save(panel);
    }
  }
  judge('the console stays empty', page.problems.length === 0, page.problems);
}

const firefox = findFirefox();
if (firefox === null) {
  console.log('Firefox is not installed; nothing was checked.');
  process.exit(1);
}
requireFreshWebBuild();
console.log(firefox.version);
const swath = await startSwath({ dataDir: await makeSeasonData(), env: { SWATH_LOG: 'warn' } });
try {
  await waitUntilReady(swath.url);
  await using page = await openFirefox(firefox.program, WINDOW);
  await judgeViewer(page, swath.url);
} finally {
  await swath.stop();
  rmSync(swath.dataDir, { recursive: true });
}
process.exit(faults.length === 0 ? 0 : 1);
