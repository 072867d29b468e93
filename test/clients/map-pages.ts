import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, whyNoBrowser } from '../browser/open-browser.ts';
import { openPage } from '../browser/watched-page.ts';
import type { ClientCheck, ClientStage } from './client-check.ts';
import { fillIn } from './snippets.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/** Serves an example with the libraries next to it, on an origin of its own. */
async function serveExample(name: string, stage: ClientStage) {
  const page = fillIn(
    readFileSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), 'utf8'),
    stage,
  );
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(stage.npmFolder, path);
    if (path === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (path.startsWith('/node_modules/') && existsSync(file)) {
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
      createReadStream(file).pipe(response);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Fewer tiles would not cover the window. */
const MIN_TILES = 4;

const mapPage = (name: string, file: string): ClientCheck => ({
  name,
  whyNot: () => whyNoBrowser() || null,
  async run(stage) {
    const served = await serveExample(file, stage);
    const { browser, close } = await openBrowser();
    try {
      await using watched = await openPage(browser);
      const tiles = new Set<string>();
      const enough = Promise.withResolvers<void>();
      watched.page.on('response', (response) => {
        const isTile = response.url().startsWith(`${stage.url}/api/render/`);
        if (!isTile) return;
        if (!response.ok()) enough.reject(new Error(`${response.status()} ${response.url()}`));
        tiles.add(response.url());
        if (tiles.size >= MIN_TILES) enough.resolve();
      });
      await watched.page.goto(served.url);
      await enough.promise;
      if (watched.problems.length > 0) throw new Error(watched.problems.join('; '));
      return `${tiles.size} tiles from another origin, nothing on the console`;
    } finally {
      await close();
      served.close();
    }
  },
});

/** The example pages, in a browser. */
export const mapChecks: readonly ClientCheck[] = [
  mapPage('Leaflet', 'leaflet.html'),
  mapPage('OpenLayers', 'openlayers.html'),
  mapPage('MapLibre', 'maplibre.html'),
];
