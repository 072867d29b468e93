/** Thumbnails of hits in a page of another origin, without a key: as a plain picture, and read by a script. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';

async function readThumbnail(url: string): Promise<string> {
  const response = await fetch(`${url}/api/lms/search/v2/${DEMO_SCENE.dataset}`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search: {} }),
  });
  const { results } = (await response.json()) as { results: { thumbnail: string }[] };
  return results[0]?.thumbnail ?? '';
}

test('the thumbnail of a hit is shown by <img> in a page of another origin', {
  skip: whyNoBrowser(),
}, async () => {
  const swath = await startSwath({ dataDir: await makeDemoData(), env: ONE_THREAD });
  const pages = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>another origin</title>'),
  );
  try {
    await waitUntilReady(swath.url);
    const address = await readThumbnail(swath.url);
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const { browser, close } = await openBrowser();
    try {
      await using opened = await openPage(browser);
      const { page } = opened;
      await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
      for (const crossOrigin of [null, 'anonymous']) {
        // A text, because tests do not have the types of a browser.
        const sides = await page.evaluate<number[]>(`(async () => {
          const image = new Image();
          image.crossOrigin = ${JSON.stringify(crossOrigin)};
          image.src = ${JSON.stringify(address)};
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        })()`);
        assert.equal(Math.max(...sides), 256, `crossorigin ${crossOrigin}`);
      }
    } finally {
      await close();
    }
  } finally {
    pages.close();
    await swath.stop();
    rmSync(swath.dataDir, { recursive: true, force: true });
  }
});
