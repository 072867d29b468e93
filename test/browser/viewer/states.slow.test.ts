/** What the page says when there is no list to show: no key, nothing there yet, a failure. In a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeViewer,
  FALSE_COLOR,
  INSIDE,
  KEY,
  NATURAL,
  openPanel,
  sceneButtons,
  WATER,
  whenColor,
} from '../describe-viewer.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenCount, whenText, whenValue } from '../when-shown.ts';

/** Requests that need a key: the page asks for what is public at once. */
const listKeyed = (seen: readonly { readonly url: string }[]): readonly string[] =>
  seen.map(({ url }) => url).filter((url) => /^\/api\/(?!(?:about|sensors|colormaps|functions)$)/.test(url));

describeViewer('viewer, without a list', (bench) => {
  test('without a key, or with a refused one, the page asks for it', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(bench.fake.origin);
    const input = page.getByLabel('API key');
    await input.waitFor();
    await whenText(page.locator('#api-key-hint'), /swath keys create prints a new one/);
    assert.deepEqual(listKeyed(bench.fake.seen), []);

    await input.fill('wrong');
    await page.getByRole('button', { name: 'Show scenes' }).click();
    await page.getByRole('alert').waitFor();
    await whenText(page.getByRole('alert'), /^The server does not know this key/);

    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await sceneButtons(page).first().waitFor();
    assert.ok(!page.url().includes(KEY));
  });

  test('a key revoked while tiles load is asked for once, and typed text stays', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await whenMapIdle(page);
    await openPanel(page, 'Look');
    bench.fake.state.tileFailure = { status: 403, error: 'This API key was revoked.' };
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('This API key was revoked.').waitFor();
    await page.getByLabel('API key').fill('half a ke');
    await whenMapIdle(page);
    await whenValue(page.getByLabel('API key'), 'half a ke');
    assert.equal(await page.locator('.notice').count(), 0);
  });

  test('forgetting the key removes the scenes from the map', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await whenColor(page, INSIDE, NATURAL);
    await openPanel(page, 'Settings');
    await page.getByRole('button', { name: 'Change key' }).click();
    await page.getByLabel('API key').waitFor();
    await whenColor(page, INSIDE, WATER);
    await page.reload();
    await page.getByLabel('API key').waitFor();
  });

  test('a server that is still starting says so, and the scenes appear by themselves', async () => {
    bench.fake.state.waiting = 'the first demo scene';
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('the first demo scene').waitFor();
    await whenAttribute(page.locator('progress'), 'value', null, 'it moves without an end in sight');
    bench.fake.state.waiting = 'the demo world 43 %';
    await page.getByText('the demo world 43 %').waitFor();
    await whenAttribute(page.locator('progress'), 'value', '43');
    assert.deepEqual(listKeyed(bench.fake.seen), []);
    bench.fake.state.waiting = 'the demo world 88 %';
    await page.getByText('the demo world 88 %').waitFor();
    bench.fake.state.waiting = null;
    await sceneButtons(page).first().waitFor();
  });

  test('an empty catalogue is reported as empty', async () => {
    bench.fake.state.scenes = [];
    await using opened = await openPage(bench.browser);
    await opened.page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await opened.page.getByRole('heading', { name: 'No scenes yet' }).waitFor();
  });

  test('tiles and thumbnails that a busy or restarting server refuses appear by themselves', async () => {
    bench.fake.state.refusals = 12;
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await whenColor(page, INSIDE, NATURAL);
    assert.equal(await page.locator('.notice').count(), 0);

    // The code of the panel has come: a server that is down does not send it.
    const falseColour = page.getByRole('radio', { name: 'False colour' });
    await falseColour.waitFor();
    bench.fake.state.isDown = true;
    await falseColour.check();
    await openPanel(page, 'Find');
    await page.getByText('The page retries by itself').waitFor();
    bench.fake.state.isDown = false;
    await page.getByText('The page retries by itself').waitFor({ state: 'detached' });
    await whenColor(page, INSIDE, FALSE_COLOR);
    await page.locator('.thumbnail.is-loaded').first().waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
  });

  test("failing tiles show the server's message once, and can be retried", async () => {
    const error = 'The files of this scene cannot be read.';
    bench.fake.state.tileFailure = { status: 500, error };
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText(error).waitFor();
    await whenMapIdle(page);
    await whenCount(page.locator('.notice'), 1);

    bench.fake.state.tileFailure = null;
    await page.getByRole('button', { name: 'Try again' }).click();
    await whenColor(page, INSIDE, NATURAL);
    assert.equal(await page.locator('.notice').count(), 0);

    await openPanel(page, 'Look');
    // Answers of scenes are data: markup in them is shown as text.
    bench.fake.state.tileFailure = { status: 400, error: '<img src=x onerror=alert(1)> is not a band.' };
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('<img src=x onerror=alert(1)> is not a band.').waitFor();
    assert.equal(await page.locator('.notice img').count(), 0);
  });
});
