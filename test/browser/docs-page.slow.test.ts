/** /docs as a developer uses it: choose an operation, send it with one's key, look at the answer. On the real service. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { whenHolds } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';
import { requireFreshWebBuild } from './web-build.ts';
import { whenValue } from './when-shown.ts';
import { whenTrue } from './when-true.ts';

test('/docs sends any operation with its example, and shows a picture, JSON as text, and the curl line', {
  skip: whyNoBrowser(),
}, async () => {
  requireFreshWebBuild();
  const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'warn' } });
  try {
    await waitUntilReady(swath.url);
    const { browser, close } = await openBrowser();
    try {
      await using watched = await openPage(browser);
      const { page, problems, urls } = watched;
      await page.goto(`${swath.url}/docs`);
      await page.getByLabel('Your key').fill(SERVICE_KEY);
      await page.getByLabel('Your key').press('Enter');
      await page.getByText(`Examples are of ${DEMO_SCENE.viewId}.`).waitFor();

      const tile = page.locator('#getTile');
      await tile.locator('> summary').click();
      await whenValue(tile.getByLabel('view_id'), DEMO_SCENE.viewId);
      await tile.getByRole('button', { name: 'Send' }).click();
      const picture = tile.getByRole('img');
      await picture.waitFor();
      await whenTrue(page, "document.querySelector('#getTile img')?.naturalWidth === 256");
      await whenHolds(async () =>
        assert.match(
          (await tile.locator('.curl').textContent()) ?? '',
          /^curl -H 'x-api-key: .*' 'http.*\/B04,?/,
        ),
      );

      const point = page.locator('#getPointValue');
      await point.locator('> summary').click();
      await point.getByRole('button', { name: 'Send' }).click();
      await point.getByText('index_value').last().waitFor();

      const search = page.locator('#searchDataset');
      await search.locator('> summary').click();
      await search.getByRole('button', { name: 'Send' }).click();
      await search.getByText(DEMO_SCENE.sceneId).waitFor();

      assert.deepEqual(problems, []);
      const foreign = urls.filter((url) => !url.startsWith(swath.url) && !url.startsWith('data:'));
      assert.deepEqual(foreign, [], 'nothing is loaded from elsewhere');
    } finally {
      await close();
    }
  } finally {
    await swath.stop();
    rmSync(swath.dataDir, { recursive: true });
  }
});
