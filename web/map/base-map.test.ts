import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBaseMapSource } from './base-map.ts';

const attribution = '© <Example> & others';

test('a template is used unchanged, and its attribution is shown as text', async () => {
  const source = await toBaseMapSource({ url: 'https://tiles.example/{z}/{x}/{y}.png', attribution });
  assert.deepEqual(source.tiles, ['https://tiles.example/{z}/{x}/{y}.png']);
  assert.equal(source.attribution, '© &lt;Example&gt; &amp; others');
});

test('a TileJSON file gives tiles, their size and the deepest zoom; other files are refused', async () => {
  const baseMap = { url: 'https://tiles.example/map.json', attribution };
  const tiles = ['https://tiles.example/{z}/{x}/{y}.webp'];
  const source = await toBaseMapSource(baseMap, async () => ({ tiles, tileSize: 512, maxzoom: 14 }));
  assert.deepEqual([source.tiles, source.tileSize, source.maxzoom], [tiles, 512, 14]);
  for (const body of [
    null,
    {},
    { tiles: [] },
    { tiles: ['http://tiles.example/{z}'] },
    { version: 8, layers: [] },
  ])
    await assert.rejects(
      toBaseMapSource(baseMap, async () => body),
      /not a TileJSON/,
    );
});
