import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fillBands,
  isTileOf,
  isTileTemplate,
  toHome,
  toLegendPath,
  toOwnAddress,
  toPicturePath,
  toVerbPath,
} from './tile-template.ts';

const TMS = 'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}';

test('bands are filled in unchanged and the tile placeholders stay', () => {
  assert.equal(
    fillBands(TMS, 'B12,B8A,B04'),
    'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/B12,B8A,B04/{z}/{x}/{y}',
  );
});

test('the path of a picture between bounds is relative to the page', () => {
  assert.equal(
    toPicturePath(fillBands(TMS, 'B04'), '2;3;4326/43;42;4326'),
    'api/render/S2/31/T/DH/2026/6/21/0/B04/0/2;3;4326/43;42;4326',
  );
});

test('a tile is recognised by its template, including the bands', () => {
  const template = fillBands(TMS, 'B04');
  const tile = 'https://imagery.example/api/render/S2/31/T/DH/2026/6/21/0/B04/9/258/187';
  assert.ok(isTileOf(template, tile));
  assert.ok(!isTileOf(fillBands(TMS, 'B0'), tile) && !isTileOf(fillBands(TMS, 'B03'), tile));
});

test('band math is encoded so that every character arrives, but commas stay readable', () => {
  const path = fillBands(TMS, '(B08-B04)/B08,B04+$&,B02').slice(TMS.indexOf('/{band}') + 1);
  assert.equal(path, '(B08-B04)%2FB08,B04%2B%24%26,B02/{z}/{x}/{y}');
});

test('the legend has the address of its picture, and a scene has one address per verb', () => {
  const plain = fillBands(TMS, 'NDVI');
  assert.equal(toLegendPath(plain), 'api/render/legend/S2/31/T/DH/2026/6/21/0/NDVI/0/0/0');
  assert.equal(
    toLegendPath(`${plain}?COLORMAP=viridis`),
    'api/render/legend/S2/31/T/DH/2026/6/21/0/NDVI/0/0/0?COLORMAP=viridis',
  );
  assert.equal(toVerbPath('S2/31/T/DH/2026/6/21/0', 'thumb'), 'api/render/S2/thumb/31/T/DH/2026/6/21/0');
});

test('tiles are requested relative to the page, whatever host and path the template names', () => {
  const path = '/api/render/S2/31/T/DH/2026/6/21/0/{band}/{z}/{x}/{y}';
  for (const before of [
    'https://imagery.example',
    '',
    'HTTP://user@other:99',
    'https://a.example/api/render/b',
  ]) {
    assert.equal(toOwnAddress(before + path, 'http://localhost:1'), `http://localhost:1${path}`);
    assert.equal(toOwnAddress(before + path, 'http://localhost:1/maps'), `http://localhost:1/maps${path}`);
  }
  for (const end of ['', '?api_key=x', '#map=1/2/3', '?a=/b/c#/d']) {
    assert.equal(toHome(`http://localhost:1/${end}`), 'http://localhost:1');
    assert.equal(toHome(`http://localhost:1/maps/swath/${end}`), 'http://localhost:1/maps/swath');
  }
});

test('a template without placeholders, or one that is not a path, is refused', () => {
  assert.ok(isTileTemplate(TMS));
  assert.ok(isTileTemplate('/api/render/S2/x/{band}/{z}/{x}/{y}'));
  for (const bad of [
    '',
    'https://imagery.example/api/render/{z}/{x}/{y}',
    'javascript:alert(1)//{band}/{z}/{x}/{y}',
    '//evil.example/{band}/{z}/{x}/{y}',
    '{band}/{z}/{x}/{y}',
    '/elsewhere/{band}/{z}/{x}/{y}',
  ]) {
    assert.equal(isTileTemplate(bad), false, bad);
  }
});
