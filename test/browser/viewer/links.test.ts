/** Links that work without a key, guests, and what is said to people who have neither, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeViewer,
  INSIDE,
  KEY,
  NATURAL,
  NEWEST,
  openPanel,
  sceneButtons,
  whenColor,
} from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenContents } from '../when-shown.ts';

describeViewer('viewer, links', (bench) => {
  test('a link can be created, shows the picture without a key, and shows nothing after it ends', async () => {
    await using owner = await openPage(bench.browser, {
      bypassCSP: true,
      viewport: { width: 900, height: 800 },
    });
    await owner.page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=NDVI`);
    await sceneButtons(owner.page).first().waitFor();
    await openPanel(owner.page, 'Share');
    const section = owner.page.locator('.public-links');
    await section.getByLabel('Name').fill('Fields of June');
    await section.getByLabel('Works for').selectOption('30 days');
    await section.getByRole('button', { name: 'Make link' }).click();
    await section.getByText('Fields of June').waitFor();
    assert.deepEqual(await findFaults(owner.page), []);
    const posted = bench.fake.seen.find(({ method, url }) => method === 'POST' && url === '/api/recipes');
    const body = JSON.parse(posted?.body ?? '');
    assert.deepEqual([body.scenes, body.bands], [{ view_id: NEWEST.view_id }, 'NDVI']);
    assert.ok(Date.parse(body.public.expires) > Date.now() + 29 * 86_400_000);
    const listed = await fetch(`${bench.fake.origin}/api/recipes`, { headers: { 'x-api-key': KEY } });
    const { recipes } = (await listed.json()) as { recipes: { public: { token: string } }[] };
    const token = recipes[0]?.public.token ?? assert.fail('there is no link');

    await using visitor = await openPage(bench.browser, { bypassCSP: true });
    const { page, problems, urls } = visitor;
    bench.fake.seen.length = 0;
    const link = `${bench.fake.origin}/#shared=${token}&map=8.50/42.82000/2.39000`;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Fields of June' }).first().waitFor();
    await page.getByText('The link works until').waitFor();
    await page.locator('#legend').getByText('500').first().waitFor();
    await whenColor(page, INSIDE, NATURAL);
    assert.equal(await page.getByLabel('API key').count(), 0, 'nobody asks for a key');
    await whenContents(page.getByRole('navigation').getByRole('button').filter({ visible: true }), [
      'Settings',
    ]);
    assert.equal(page.url(), link, 'the address stays the link');
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
    // Only the public addresses are asked, none with a key or on another server, and no address of a page has the token.
    // The page that made the link is still open, and looks for new scenes with its key.
    const asked = urls.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/api/'));
    assert.ok(asked.length > 0);
    for (const path of asked) assert.match(path, /^\/api\/(?:public\/|about$)/);
    for (const { url, key } of bench.fake.seen)
      if (url.startsWith('/api/public/')) assert.equal(key, '', url);
    for (const url of urls.slice(1)) assert.ok(url.startsWith(`${bench.fake.origin}/`), url);
    assert.ok(!bench.fake.seen.some(({ url }) => url.startsWith('/?') || url.startsWith('/assets/?')));

    await section.getByRole('button', { name: 'End the link to Fields of June' }).click();
    await section.getByText('Fields of June').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'This link shows nothing any more' }).waitFor();
    await page.getByText('This map is not public any more.').waitFor();
    await page.getByRole('button', { name: 'Open Swath with a key' }).waitFor();
  });

  test('a link that needs a key says what it would show and whom to ask', async () => {
    bench.fake.state.about = { contact: 'maps@example.org', guests: false, base_map: null };
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/#scene=${NEWEST.sceneID}&dataset=sentinel2&bands=NDVI`);
    await page.getByLabel('API key').waitFor();
    await page.getByText(`This link shows ${NEWEST.sceneID}, NDVI.`).waitFor();
    await whenAttribute(
      page.getByRole('link', { name: 'maps@example.org' }),
      'href',
      'mailto:maps@example.org',
    );
  });

  test('guests see scenes without a key if the operator allows it', async () => {
    bench.fake.state.about = { contact: null, guests: true, base_map: null };
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/`);
    await sceneButtons(page).first().waitFor();
    await whenMapIdle(page);
    assert.equal(await page.getByLabel('API key').count(), 0);
    assert.deepEqual(problems, []);
  });
});
