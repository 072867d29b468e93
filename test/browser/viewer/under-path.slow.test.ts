/** The viewer behind a proxy that serves it under a path, and strips the path from requests. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  describeViewer,
  GREY,
  INSIDE,
  KEY,
  NATURAL,
  openPanel,
  sceneButtons,
  whenColor,
} from '../describe-viewer.ts';
import { openPage } from '../watched-page.ts';

const PREFIX = '/maps/swath';

/** Forwards requests below the prefix, without it; others are not ours. */
async function startProxy(origin: string) {
  const strays: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    if (!url.startsWith(`${PREFIX}/`)) {
      strays.push(url);
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = request;
    const behind = ask(origin + url.slice(PREFIX.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    behind.on('error', () => response.destroy());
    request.pipe(behind);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`,
    strays,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describeViewer('viewer under a path', (bench) => {
  for (const publicUrl of [`https://imagery.example${PREFIX}`, 'https://imagery.example/elsewhere']) {
    test(`everything is requested under the path of the page; the public address is ${publicUrl}`, async () => {
      await using proxy = await startProxy(bench.fake.origin);
      bench.fake.state.publicUrl = publicUrl;
      await using opened = await openPage(bench.browser);
      const { page, problems, urls } = opened;
      await page.goto(`${proxy.url}/?api_key=${KEY}#clear=off`);
      await sceneButtons(page).first().waitFor();
      await whenColor(page, INSIDE, NATURAL);

      await openPanel(page, 'Look');
      await page.getByLabel('Single band').selectOption('B08');
      await page.getByRole('region', { name: 'Legend' }).waitFor();
      await whenColor(page, INSIDE, GREY);

      await openPanel(page, 'Settings');
      const link = await page.getByRole('link', { name: 'API docs' }).getAttribute('href');
      assert.equal(new URL(link ?? '', page.url()).href, `${proxy.url}/docs`);
      assert.deepEqual(proxy.strays, []);
      assert.ok(urls.every((url) => url.startsWith(`${proxy.url}/`)));
      assert.deepEqual(problems, []);
    });
  }
});
