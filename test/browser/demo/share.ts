/** Share, against the demo world: every snippet of the page works as it is pasted, with a key in it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { waitFor, whenHolds } from '../../../src/testing/wait-for.ts';
import { findProgram, run } from '../../clients/run-program.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { openPage } from '../watched-page.ts';

const HASH =
  '#panel=share&bands=NDVI&colormap=viridis&contrast=0,1&with=calibrated&map=12.50/48.22000/-122.40000';

/** True when a picture has something to see. */
const isPicture = async (bytes: Uint8Array): Promise<boolean> => {
  const { channels } = await sharp(bytes).removeAlpha().stats();
  return channels.some(({ stdev }) => stdev > 5);
};

const needs = (name: string): string | false =>
  findProgram(name) === null ? `${name} is not installed` : false;

const LIBRARIES: Readonly<Record<string, string>> = {
  leaflet: fileURLToPath(new URL('.', import.meta.resolve('leaflet/dist/leaflet.js'))),
  'maplibre-gl': fileURLToPath(new URL('.', import.meta.resolve('maplibre-gl/dist/maplibre-gl.mjs'))),
};

/** The libraries of snippets come from a public address; here they come from the packages. */
const serveLibraries = async (page: Page): Promise<void> => {
  // Of the context: the worker of a library asks for its script too.
  await page.context().route('https://unpkg.com/**', (route) => {
    const [, name = '', file = ''] = /unpkg\.com\/([\w-]+)@[\d.]+\/([^?]*)/.exec(route.request().url()) ?? [];
    const path = join(LIBRARIES[name] ?? '', file.replace(/^dist\//, ''));
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({
      path,
      headers,
      contentType: /\.m?js$/.test(file) ? 'text/javascript' : 'text/css',
    });
  });
};

describeDemo('share in the demo world', (bench) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-share-'));
  after(() => rmSync(folder, { recursive: true }));
  let snippets: Readonly<Record<string, string>>;
  before(async () => {
    await using watched = await bench.open(HASH, { bypassCSP: true });
    const { page, problems } = watched;
    await page.locator('#share-tile').waitFor();
    const names = ['link', 'tile', 'curl', 'qgis', 'leaflet', 'maplibre', 'python'];
    snippets = Object.fromEntries(
      await Promise.all(
        names.map(
          async (name) => [name, (await page.locator(`#share-${name}`).textContent()) ?? ''] as const,
        ),
      ),
    );
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
  });
  const withKey = (name: string): string => (snippets[name] ?? '').replaceAll('YOUR_KEY', SERVICE_KEY);

  test('no snippet contains the key, and the link opens the same page', async () => {
    for (const [name, text] of Object.entries(snippets)) assert.ok(!text.includes(SERVICE_KEY), name);
    const { link = '' } = snippets;
    assert.match(link, /^http:\/\/[\w.:]+\/#map=12\.50\/48\.22000\/-122\.40000&scene=.*&colormap=viridis/);
    await using watched = await bench.open(new URL(link).hash);
    await watched.page.waitForURL((url) => url.hash === new URL(link).hash);
  });

  test('the copy buttons work', async () => {
    await using watched = await bench.open(HASH, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = watched;
    await page.getByRole('button', { name: 'Copy curl' }).click();
    await page.getByText('curl copied.').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), snippets.curl);
  });

  test('the tile URL and the QGIS URL return tiles', async () => {
    for (const name of ['tile', 'qgis']) {
      const url = withKey(name).replace('{z}', '13').replace('{x}', '1310').replace('{y}', '2840');
      const answer = await fetch(url);
      assert.equal(answer.status, 200, name);
      assert.match(answer.headers.get('content-type') ?? '', /^image\//);
    }
  });

  test('the curl snippet saves a tile', { skip: needs('curl') }, async () => {
    await run('bash', ['-e', '-c', snippets.curl ?? ''], { cwd: folder, env: { SWATH_KEY: SERVICE_KEY } });
    assert.ok(await isPicture(readFileSync(join(folder, 'tile.png'))));
  });

  test('the Python snippet saves a picture of the view', { skip: needs('python3') }, async () => {
    const printed = await run('python3', ['-c', withKey('python')], { cwd: folder });
    assert.equal(printed.trim(), 'picture.png saved');
    const bytes = readFileSync(join(folder, 'picture.png'));
    assert.equal((await sharp(bytes).metadata()).width, 1024);
    assert.ok(await isPicture(bytes));
  });

  for (const name of ['leaflet', 'maplibre']) {
    test(`the page for ${name} shows the scene`, async (t) => {
      await using watched = await openPage(bench.browser);
      const { page, problems } = watched;
      await serveLibraries(page);
      // On this machine, as the service: browsers keep pages of other networks away from it.
      const server = createServer((request, response) => {
        if (request.url !== '/') response.writeHead(204).end();
        else response.setHeader('content-type', 'text/html').end(withKey(name));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => server.close());
      const { port } = server.address() as AddressInfo;
      const drawn = page.waitForResponse((response) => response.url().includes('/api/render/'));
      await page.goto(`http://127.0.0.1:${port}/`);
      assert.equal((await drawn).status(), 200);
      await page.waitForLoadState('networkidle');
      await waitFor(async () => isPicture(await page.locator('#map').screenshot()));
      assert.deepEqual(problems, []);
    });
  }

  test('the picture chosen under Look changes the snippets', async () => {
    await using watched = await bench.open(HASH);
    const { page } = watched;
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByRole('radio', { name: 'Natural colour' }).check();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await whenHolds(async () =>
      assert.match((await page.locator('#share-tile').textContent()) ?? '', /\/B04,B03,B02\/\{z\}/),
    );
  });
});
