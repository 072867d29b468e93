/**
 * Asks the STAC Browser of Radiant Earth whether it shows the service, on a page of another origin: the catalog, a collection
 * and an item with its files, over the small demo.
 *   STAC_BROWSER=folder npm run oracle standards
 * The folder is a build of the npm package @radiantearth/stac-browser: `npx vue-cli-service build --historyMode hash` in a copy
 * of the package with its dependencies (4.0.1 needs ol-stac 1.1.0).
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { openBrowser, whyNoBrowser } from '../../browser/open-browser.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { tell, tellMissing } from './verdicts.ts';

const folder = process.env.STAC_BROWSER ?? '';
const problem = existsSync(join(folder, 'index.html'))
  ? whyNoBrowser()
  : 'STAC_BROWSER names no folder of a build';
if (problem !== false) {
  tellMissing('STAC Browser', problem);
  process.exit(0);
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const files = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://files');
  const path = join(folder, pathname === '/' ? 'index.html' : pathname);
  if (!existsSync(path)) response.writeHead(404).end();
  else
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'image/png' }).end(readFileSync(path));
});
await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
const { port } = files.address() as AddressInfo;

const dataDir = await makeDemoData();
const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error', ...ONE_THREAD } });
const opened = await openBrowser();
try {
  await waitUntilReady(swath.url);
  const itemId = DEMO_SCENE.viewId.replaceAll('/', '_');
  const collection = `/stac/collections/${DEMO_SCENE.dataset}`;
  await judge('catalog', '/stac', ['Sentinel-2 L2A'], ['v1.0.0/core']);
  await judge('collection', collection, ['European Space Agency', 'Temporal Extent'], ['v1.0.0/collections']);
  const parts = [DEMO_SCENE.sceneId, 'B04', 'Sun Elevation', 'Map tiles of B04,B03,B02'];
  await judge('item', `${collection}/items/${itemId}`, parts, ['v1.0.0/ogcapi-features']);
} finally {
  await opened.close();
  await swath.stop();
  files.close();
  rmSync(dataDir, { recursive: true });
}

/** Waits until a page shows all of some texts; what the service has refused is told. */
async function judge(
  what: string,
  path: string,
  texts: readonly string[],
  classes: readonly string[],
): Promise<void> {
  const page = await opened.browser.newPage();
  const refused: string[] = [];
  page.on('requestfailed', (request) => {
    // Tiles of the map need a key, which STAC Browser sends to documents only.
    if (request.url().startsWith(`${swath.url}/stac`)) refused.push(request.url());
  });
  const address = `${swath.url}${path}?~api_key=${SERVICE_KEY}`;
  await page.goto(`http://127.0.0.1:${port}/#/external/${address}`);
  const shown = page.getByText(/Powered by STAC Browser/);
  await shown.waitFor();
  let passed = 0;
  for (const text of texts) {
    const isShown = await page
      .getByText(text)
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      );
    if (isShown && refused.length === 0) passed += 1;
    else console.log(`${path}: ${text} is not shown; refused: ${refused.join(', ')}`);
  }
  tell({ judge: 'STAC Browser', classes, what, tests: texts.length, passed });
  await page.close();
}
