/** Every call of curl in the documentation, made to a service with the demo scene: each has the answer that the page promises. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { EXAMPLE_AREA } from '../../src/http/areas.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import type { DocumentedRequest } from '../support/read-commands.ts';
import { readCommands } from '../support/read-commands.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

const served = serveDemo();
/** What pages write for what an answer has told: the task that was ordered last, the link to its file, the last recipe, the last subscription. */
const TOLD = {
  TASK: '(task)',
  LINK: '(link)',
  RECIPE: '(recipe)',
  SUBSCRIPTION: '(subscription)',
} as const;

/** A file of fields that pages send. */
const FIELDS = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', id: 'A-1', properties: { name: 'Long acre' }, geometry: EXAMPLE_AREA }],
});

/** What `@file` of a command stands for. */
const readFile = (body: string): string => (body.startsWith('@') ? FIELDS : body);

/** Reads a page. The clients page has YOUR_KEY where others have $KEY: most of its snippets are not shell commands. */
function readPage(name: string): string {
  const page = readFileSync(name, 'utf8');
  return page.replaceAll('YOUR_KEY', SERVICE_KEY).replaceAll('127.0.0.1:8080', 'localhost:8080');
}

const pages = ['README.md', ...globSync('docs/{use,operate,develop}/*.md').sort()].map((name) => ({
  name,
  requests: readCommands(readPage(name), { KEY: SERVICE_KEY, ...TOLD }),
}));

const send = async (
  { url, ...init }: Pick<DocumentedRequest, 'url'> & RequestInit,
  status = 200,
): Promise<Response> => {
  const response = await fetch(url.replace(/^(http:\/\/)?localhost:8080/, served.swath.url), init);
  const text = await response.clone().text();
  // On a busy machine a task may take longer than a poll, or a request for statistics, is held.
  const isPoll = url.includes('/api/gdw/api/') && init.method === 'GET';
  const isMeasured = status === 200 && /\/api\/(statistics|phenology)$/.test(url);
  if ((isPoll || isMeasured) && /"status":"(created|started)"/.test(text))
    return send({ url, ...init }, status);
  assert.equal(response.status, status, `${url}: ${text}`);
  return response;
};

/** The status that a command has when it does what its page says. */
function statusOf(
  { url, method, headers, follows, body = '' }: DocumentedRequest,
  makesFiles: boolean,
): number {
  const [path = ''] = url.split('?');
  // The key of these tests may not change the catalog, which other files use too.
  if (method === 'PATCH' && path.includes('/stac/collections/')) return 403;
  if (method === 'DELETE') return 204;
  if (headers.range !== undefined) return 206;
  if (/8080\/api(\/gdw\/api)?$/.test(path) || path.endsWith('/dry-run')) return 202;
  if (path.endsWith('/api/statistics') && body.includes('"group"')) return 202;
  if (path.endsWith('/api/statistics/collection')) return 202;
  if (method === 'POST' && /\/api\/(recipes|subscriptions|fields)$/.test(path)) return 201;
  return url.includes(TOLD.TASK) && makesFiles && !follows ? 303 : 200;
}

/** An answer as a page shows it: `…` stands for what is different every time, at the end of a list for the rest of it. */
function expectShown(answer: unknown, shown: unknown, what: string): void {
  if (typeof shown === 'string' && shown.includes('…')) return;
  if (Array.isArray(answer) && Array.isArray(shown) && shown.at(-1) === '…') {
    assert.ok(answer.length >= shown.length, `${what} has ${answer.length} items`);
    for (const [i, item] of shown.slice(0, -1).entries()) expectShown(answer[i], item, `${what} ${i}`);
    return;
  }
  if (typeof shown !== 'object' || shown === null) {
    assert.deepEqual(answer, shown, what);
    return;
  }
  const [own, wanted] = [answer as Record<string, unknown>, shown as Record<string, unknown>];
  assert.deepEqual(Object.keys(own).toSorted(), Object.keys(wanted).toSorted(), what);
  for (const [name, value] of Object.entries(wanted)) expectShown(own[name], value, `${what} ${name}`);
}

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
  jp2: 'image/jp2',
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
  kmz: 'application/vnd.google-earth.kmz',
  xml: 'application/xml',
};

/** Pictures are looked at; of other files it is enough that they are not empty. */
const MIN_BYTES = 1_000;

/** What the file is called says what is in it, and there is something to see. */
async function checkFile(response: Response, output: string): Promise<void> {
  const [, ending] = output.split('.');
  // Coverages name the profile of their GeoTIFF in the type.
  const type = response.headers.get('content-type')?.replace('; application=geotiff', '');
  if (ending !== undefined) assert.equal(type, TYPES[ending], output);
  const bytes = await response.arrayBuffer();
  if (ending === 'csv') assert.ok(bytes.byteLength > 100, output);
  else if (!['jpg', 'png', undefined].includes(ending)) assert.ok(bytes.byteLength > MIN_BYTES, output);
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

/** What is looked at in an answer. */
interface Answer {
  readonly cropper_ref?: string;
  readonly meta?: { readonly found: number };
  readonly id?: string;
  readonly task_id?: string;
  readonly result_url?: string | null;
}

test('the field groups that pages name can be imported', async () => {
  for (const group of ['North', 'north', 'North farm', 'cooperative'])
    await send({
      url: `localhost:8080/api/fields/import?group=${encodeURIComponent(group)}`,
      method: 'POST',
      headers: { 'x-api-key': SERVICE_KEY, 'content-type': 'application/geo+json' },
      body: FIELDS.replace('A-1', `A-1 ${group}`),
    });
});

test('there are commands to try', () => {
  assert.ok(pages.reduce((sum, { requests }) => sum + requests.length, 0) >= 15);
});

for (const { name, requests } of pages.filter((page) => page.requests.length > 0)) {
  test(`${name}: its ${requests.length} commands do what they say`, async () => {
    let [task, link, recipe, subscription] = ['', '', '', ''];
    for (const { output, shown, ...request } of requests) {
      const url = request.url
        .replace(TOLD.TASK, task)
        .replace(TOLD.LINK, link)
        .replace(TOLD.RECIPE, recipe)
        .replace(TOLD.SUBSCRIPTION, subscription);
      const { method, headers, follows } = request;
      const body = request.body === undefined ? null : readFile(request.body);
      const redirect = follows ? 'follow' : 'manual';
      const response = await send(
        { url, method, headers, body, redirect },
        statusOf(request, name !== 'docs/use/statistics.md'),
      );
      if (output !== undefined) {
        await checkFile(response, output);
        continue;
      }
      if (method === 'HEAD' || method === 'DELETE') continue;
      const answer = (await response.json()) as Answer;
      if (shown !== undefined) expectShown(answer, JSON.parse(shown), request.url);
      task = answer.task_id ?? task;
      link = answer.result_url ?? link;
      if (request.url.endsWith('/api/recipes')) recipe = answer.id ?? recipe;
      if (request.url.endsWith('/api/subscriptions')) subscription = answer.id ?? subscription;
      if (answer.cropper_ref !== undefined && url.includes('/cropper'))
        await checkArea(request.body ?? '', answer.cropper_ref);
      if (answer.meta !== undefined) assert.ok(answer.meta.found > 0, request.url);
    }
  });
}
