/** Every call of curl in the documentation, made to a service with the demo scene: each has the answer that the page promises. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { DEMO_SCENE } from '../support/demo-data.ts';
import type { DocumentedRequest } from '../support/read-commands.ts';
import { readCommands } from '../support/read-commands.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

const served = serveDemo();
const pages = ['README.md', ...globSync('docs/*.md').sort()].map((name) => ({
  name,
  requests: readCommands(readFileSync(name, 'utf8'), { KEY: SERVICE_KEY }),
}));

const send = async ({ url, ...init }: Pick<DocumentedRequest, 'url'> & RequestInit): Promise<Response> => {
  const response = await fetch(url.replace(/^(http:\/\/)?localhost:8080/, served.swath.url), init);
  assert.equal(response.status, 200, `${url}: ${await response.clone().text()}`);
  return response;
};

/** The share of a picture's pixels that can be seen. */
async function readSeen(bytes: ArrayBuffer): Promise<number> {
  const pixels = await sharp(bytes).ensureAlpha().raw().toBuffer();
  return pixels.filter((level, i) => i % 4 === 3 && level > 0).length / (pixels.length / 4);
}

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  tif: 'image/tiff',
  json: 'application/geo+json',
};

/** Pictures are looked at; of other files it is enough that they are not empty. */
const MIN_BYTES = 1_000;

/** What the file is called says what is in it, and there is something to see. */
async function checkFile(response: Response, output: string): Promise<void> {
  const [, ending] = output.split('.');
  if (ending !== undefined) assert.equal(response.headers.get('content-type'), TYPES[ending], output);
  const bytes = await response.arrayBuffer();
  if (ending === 'tif' || ending === 'json') assert.ok(bytes.byteLength > MIN_BYTES, output);
  else assert.ok((await readSeen(bytes)) > 0.1, `there is something to see in ${output}`);
}

/** An area lies within the demo scene, wholly: a picture of the rectangle around it shows a good part of that. */
async function checkArea(body: string, ref: string): Promise<void> {
  const { geometry } = JSON.parse(body) as { geometry: { coordinates: unknown[] } };
  const numbers = geometry.coordinates.flat(4) as number[];
  const [lons, lats] = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis)) as [number[], number[]];
  const toBounds = (degrees: number[]): string => `${Math.min(...degrees)};${Math.max(...degrees)};4326`;
  const path = `${DEMO_SCENE.viewId}/B04/12/${toBounds(lons)}/${toBounds(lats)}`;
  const url = `${served.swath.url}/api/render/${path}?mimetype=image/png&TILE_SIZE=64,64`;
  const read = async (query: string): Promise<number> =>
    readSeen(await (await send({ url: url + query, headers: { 'x-api-key': SERVICE_KEY } })).arrayBuffer());
  assert.equal(await read(''), 1, `${path} lies within the scene`);
  const seen = await read(`&cropper_ref=${ref}`);
  assert.ok(seen > 0.1 && seen < 1, `${seen} of the rectangle lie inside of the area`);
}

test('there are commands to try', () => {
  assert.ok(pages.reduce((sum, { requests }) => sum + requests.length, 0) >= 15);
});

for (const { name, requests } of pages.filter((page) => page.requests.length > 0)) {
  test(`${name}: its ${requests.length} commands do what they say`, async () => {
    for (const { output, shown, ...request } of requests) {
      const response = await send(request);
      if (output !== undefined) {
        await checkFile(response, output);
        continue;
      }
      const answer = (await response.json()) as { cropper_ref?: string; meta?: { found: number } };
      if (shown !== undefined) assert.deepEqual(answer, JSON.parse(shown), request.url);
      if (answer.cropper_ref !== undefined) await checkArea(request.body ?? '', answer.cropper_ref);
      if (answer.meta !== undefined) assert.ok(answer.meta.found > 0, request.url);
    }
  });
}
