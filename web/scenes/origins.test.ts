import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogOf, mayShowPicture, NO_ORIGINS, parseOrigins } from './origins.ts';

const catalog = {
  name: 'earth-search',
  title: 'Earth Search',
  datasets: ['sentinel2l2a'],
  attribution: 'Contains modified Copernicus Sentinel data.',
  picture_origins: ['https://stac.example', 'https://*.files.example:8443'],
};

test('catalogs are parsed, and malformed ones are left out', () => {
  const { catalogs, hasDemo } = parseOrigins({ catalogs: [{}, catalog, { name: 'x' }, null], demo: true });
  assert.deepEqual(
    catalogs.map(({ name }) => name),
    ['earth-search'],
  );
  assert.equal(hasDemo, true);
  assert.equal(catalogOf({ catalogs, hasDemo }, 'sentinel2l2a')?.title, 'Earth Search');
  assert.equal(catalogOf({ catalogs, hasDemo }, 'landsat8'), null);
  // A server of an earlier version says nothing.
  assert.deepEqual(parseOrigins({ sensors: [] }), NO_ORIGINS);
});

test('pictures are shown only from origins that catalogs name, with the same scheme and port', () => {
  const origins = parseOrigins({ catalogs: [catalog], demo: false });
  for (const [address, isShown] of [
    ['https://stac.example/thumbs/1.jpg', true],
    ['https://a.b.files.example:8443/1.jpg', true],
    ['http://stac.example/thumbs/1.jpg', false],
    ['https://stac.example:444/1.jpg', false],
    ['https://files.example:8443/1.jpg', false],
    ['https://a.files.example/1.jpg', false],
    ['https://stac.example.evil.example/1.jpg', false],
    ['thumbs/1.jpg', false],
  ] as const) {
    assert.equal(mayShowPicture(origins, address), isShown, address);
  }
});
