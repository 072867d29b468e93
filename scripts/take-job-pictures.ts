/** Pictures of the twelve jobs of docs/use/viewer.md, each where the job ends. */
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { makeMouse } from '../test/browser/hands.ts';
import { FIRST_PAGE, JOBS } from '../test/browser/jobs.ts';
import { whenMapIdle } from '../test/browser/map-pixels.ts';
import { openPage } from '../test/browser/watched-page.ts';
import { SERVICE_KEY } from '../test/support/start-swath.ts';

/** They stand side by side in a table. */
const WIDTH_PX = 480;

/** Does the jobs with the mouse; `keep` is given the name of each file and its bytes. */
export async function takeJobPictures(
  browser: Browser,
  url: string,
  keep: (name: string, bytes: Uint8Array) => void,
): Promise<void> {
  for (const [name, job] of Object.entries(JOBS)) {
    await using watched = await openPage(browser, {
      viewport: { width: 1120, height: 700 },
      colorScheme: 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = watched;
    await page.goto(`${url}/?api_key=${SERVICE_KEY}${FIRST_PAGE}`);
    await page.locator('button.scene').first().waitFor({ state: 'attached' });
    await whenMapIdle(page);
    await job.run(makeMouse(page));
    await whenMapIdle(page);
    keep(
      `job-${name}.jpg`,
      await sharp(await page.screenshot())
        .resize(WIDTH_PX)
        .jpeg({ quality: 78, mozjpeg: true })
        .toBuffer(),
    );
  }
}
