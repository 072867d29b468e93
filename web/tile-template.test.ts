import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addColormap,
  fillBands,
  isTileOf,
  isTileTemplate,
  toLegendPath,
  toOwnOrigin,
} from './tile-template.ts';

const TMS = 'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}';

test('bands are filled in as they are and the tile placeholders stay', () => {
  assert.equal(
    fillBands(TMS, 'B12,B8A,B04'),
    'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/B12,B8A,B04/{z}/{x}/{y}',
  );
});

test('a tile is known by the template it was made from, bands included', () => {
  const template = fillBands(TMS, 'B04');
  const tile = 'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/B04/9/258/187';
  assert.ok(isTileOf(template, tile));
  assert.ok(!isTileOf(fillBands(TMS, 'B0'), tile) && !isTileOf(fillBands(TMS, 'B03'), tile));
});

test('a colormap is asked for in the query, and the legend of the same pictures by their own address', () => {
  const [plain, colored] = [null, 'viridis'].map((name) => addColormap(fillBands(TMS, 'NDVI'), name)) as [
    string,
    string,
  ];
  assert.equal(plain, fillBands(TMS, 'NDVI'));
  assert.equal(colored, `${plain}?COLORMAP=viridis`);
  assert.equal(toLegendPath(plain), '/api/render/legend/S2/31/T/DH/2026/6/21/0/NDVI/0/0/0');
  assert.equal(
    toLegendPath(colored),
    '/api/render/legend/S2/31/T/DH/2026/6/21/0/NDVI/0/0/0?COLORMAP=viridis',
  );
});

test('tiles are asked from the origin of the page whatever host the template names', () => {
  assert.equal(
    toOwnOrigin(TMS, 'http://127.0.0.1:8080'),
    'http://127.0.0.1:8080/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}',
  );
  assert.equal(toOwnOrigin('/api/{z}', 'http://localhost:1'), 'http://localhost:1/api/{z}');
  assert.equal(toOwnOrigin('HTTP://user@other:99/a/{z}', 'http://localhost:1'), 'http://localhost:1/a/{z}');
});

test('a template without a placeholder, or that is not a path, is not one', () => {
  assert.ok(isTileTemplate(TMS));
  assert.ok(isTileTemplate('/api/render/S2/x/{band}/{z}/{x}/{y}'));
  for (const bad of [
    '',
    'https://imagery.example/api/render/{z}/{x}/{y}',
    'javascript:alert(1)//{band}/{z}/{x}/{y}',
    '//evil.example/{band}/{z}/{x}/{y}',
    '{band}/{z}/{x}/{y}',
  ]) {
    assert.equal(isTileTemplate(bad), false, bad);
  }
});
