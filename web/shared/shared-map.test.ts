import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSharedMap, readSharedToken, toSharedLink } from './shared-map.ts';

const TOKEN = `${'0123456789abcdef'.repeat(2)}${'A-_b'.repeat(10)}xyz`;

test('a link has the token after the number sign, where no server sees it', () => {
  const link = toSharedLink('https://maps.example/swath', TOKEN, { zoom: 9, lat: 48.1, lon: 11.5 });
  assert.equal(new URL(link).pathname, '/swath/');
  assert.equal(new URL(link).search, '');
  assert.equal(readSharedToken(new URL(link).hash), TOKEN);
  assert.match(link, /&map=9\.00\/48\.10000\/11\.50000$/);
});

test('other strings are not tokens, so no part of an address becomes a path', () => {
  for (const token of ['', 'x', TOKEN.slice(1), `${TOKEN}A`, `../${TOKEN.slice(3)}`, TOKEN.toUpperCase()])
    assert.equal(readSharedToken(`#shared=${encodeURIComponent(token)}`), null, token);
  assert.equal(readSharedToken('#map=1/2/3'), null);
});

test('a TileJSON is read without its addresses', () => {
  const body = {
    name: 'Fields',
    attribution: 'ESA',
    bounds: [1, 2, 3, 4],
    minzoom: 5,
    maxzoom: 99,
    expires: '2027-01-01T00:00:00.000Z',
    tiles: ['https://elsewhere.example/{z}/{x}/{y}'],
  };
  assert.deepEqual(parseSharedMap(body, TOKEN), {
    token: TOKEN,
    name: 'Fields',
    attribution: 'ESA',
    bounds: [1, 2, 3, 4],
    minZoom: 5,
    maxZoom: 18,
    expires: '2027-01-01T00:00:00.000Z',
  });
  for (const bounds of [undefined, [1, 2, 3], [1, 2, 3, 'x']])
    assert.equal(parseSharedMap({ ...body, bounds }, TOKEN), null);
});
