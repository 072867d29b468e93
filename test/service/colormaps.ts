/** Custom colormaps through a real service: created, read, drawn with; colorbars from its threads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { listDemoTiles } from '../support/demo-grid.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

let tile = '';
const demo = serveDemo(() => {
  [tile = ''] = listDemoTiles(demo.grid, 14).inside;
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${demo.swath.url}/api/render/${path}`, {
    ...init,
    headers: { 'x-api-key': SERVICE_KEY, ...init.headers },
  });

async function create(body: object): Promise<string> {
  const response = await ask('colormap/', { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { id: string }).id;
}

/** Colours of the pixels, `rrggbb` each. */
async function readColors(path: string): Promise<string[]> {
  const response = await ask(path);
  assert.equal(response.status, 200, await response.clone().text());
  const pixels = await sharp(await response.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer();
  return pixels.toString('hex').match(/.{6}/g) ?? [];
}

const draw = (query: string) =>
  readColors(`${DEMO_SCENE.viewId}/(B08-B04)/(B08+B04)/${tile}?mimetype=image/png&${query}`);

const classes = {
  colors: [
    [-1, '#1f4e9e'],
    [0.3, '#d9c38f'],
    [0.6, '#3f9b3f'],
  ],
  type: 'discrete',
  thresholds_type: 'absolute',
  labels: ['water', 'bare', 'green'],
};

test('a created colormap draws a tile: the classes of a discrete one match range colours', async () => {
  const id = await create(classes);
  assert.deepEqual(await (await ask(`colormap/${id}`)).json(), { ...classes, colors_quantity: 3 });
  const drawn = await draw(`COLORMAP=${id}`);
  assert.deepEqual(drawn, await draw('COLORS=1f4e9e,d9c38f,3f9b3f&THRESHOLDS=0.3,0.6'));
  assert.ok(new Set(drawn).size >= 2, 'the tile shows several classes');
  const others = new Map([
    ['1f4e9e', '3f9b3f'],
    ['d9c38f', 'd9c38f'],
    ['3f9b3f', '1f4e9e'],
  ]);
  assert.deepEqual(
    await draw(`COLORMAP=${id}_r`),
    drawn.map((color) => others.get(color)),
  );
});

test('a continuous colormap between black and white gives the grey picture, level for level', async () => {
  const grey = await create({ colors: ['#000000', [1, 1, 1]] });
  const [drawn, wanted] = [
    await draw(`COLORMAP=${grey}&MIN_MAX=-0.2,0.9`),
    await draw('COLORMAP=gray&MIN_MAX=-0.2,0.9'),
  ];
  assert.deepEqual(drawn, wanted);
  assert.ok(new Set(drawn).size > 20);
});

test('a colorbar shows the colours of its legend, from left to right', async () => {
  const id = await create({ colors: ['#102030', '#ffeedd'] });
  for (const name of ['plasma', `${id}_r`]) {
    const { colors } = (await (await ask(`legend/${name}`)).json()) as { colors: string[] };
    const pixels = await readColors(`colorbar/${name}`);
    assert.equal(pixels.length, 256 * 24);
    for (const row of [0, 23]) {
      const shown = pixels.slice(row * 256, (row + 1) * 256).map((color) => `#${color}`);
      assert.deepEqual(shown, colors);
    }
  }
});
