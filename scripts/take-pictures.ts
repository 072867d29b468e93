/** Takes the pictures of the documentation from a real service in a real browser: `npm run pictures`. */
import { mkdirSync, rmSync } from 'node:fs';
import { whenMapIdle } from '../test/browser/map-pixels.ts';
import { openBrowser } from '../test/browser/open-browser.ts';
import { openPage } from '../test/browser/watched-page.ts';
import { DEMO_SCENE, makeDemoData } from '../test/support/demo-data.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../test/support/start-swath.ts';

const folder = 'docs/images';
mkdirSync(folder, { recursive: true });
const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'warn' } });
try {
  await waitUntilReady(swath.url);
  const { browser, close } = await openBrowser();
  try {
    await using watched = await openPage(browser, {
      viewport: { width: 1280, height: 800 },
      colorScheme: 'light',
    });
    await watched.page.goto(`${swath.url}/?api_key=${SERVICE_KEY}`);
    await watched.page.getByText(DEMO_SCENE.sceneId).first().waitFor();
    await whenMapIdle(watched.page);
    await watched.page.screenshot({ path: `${folder}/viewer.png` });
    console.log(`${folder}/viewer.png`);
  } finally {
    await close();
  }
} finally {
  await swath.stop();
  rmSync(swath.dataDir, { recursive: true });
}
