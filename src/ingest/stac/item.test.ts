import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseItem, thumbnailOf, toBands, toPlacement, toTime } from './item.ts';
import { earthSearchItem } from './testing/make-items.ts';

/** The placement of an item's file, from fields of the asset and of the item. */
function placed(asset: Record<string, unknown>, properties: Record<string, unknown> = {}) {
  const item = parseItem({
    type: 'Feature',
    id: 'x',
    properties,
    assets: { B04: { href: 'B04.tif', ...asset } },
  });
  return toPlacement(item.assets[0]!, item);
}

const grid = { 'proj:shape': [200, 100], 'proj:transform': [10, 0, 500_000, 0, -10, 4_000_000] };

test('the projection extension is read in all its versions', () => {
  const expected = { transform: [500_000, 10, 0, 4_000_000, 0, -10], width: 100, height: 200, isOwn: true };
  assert.deepEqual(placed({ ...grid, 'proj:epsg': 32631 }), { crs: 32631, ...expected });
  assert.deepEqual(placed({ ...grid, 'proj:code': 'EPSG:32631' }), { crs: 32631, ...expected });
  const projjson = { type: 'ProjectedCRS', id: { authority: 'EPSG', code: 32631 } };
  assert.deepEqual(placed({ ...grid, 'proj:epsg': null, 'proj:projjson': projjson }), {
    crs: 32631,
    ...expected,
  });
  assert.equal(placed({ ...grid, 'proj:code': null, 'proj:wkt2': 'PROJCRS["x"]' })?.crs, 'PROJCRS["x"]');
});

test('fields of the item are defaults of its files, and marked as such', () => {
  const all = { 'proj:epsg': 32631, ...grid };
  assert.deepEqual(placed({}, all), { ...placed(all), isOwn: false });
});

test('a box and a size give the transform if there is none', () => {
  const box = { 'proj:epsg': 32631, 'proj:shape': [200, 100], 'proj:bbox': [0, 0, 1_000, 4_000] };
  assert.deepEqual(placed(box)?.transform, [0, 10, 0, 4_000, 0, -20]);
});

test('invalid placements are ignored', () => {
  const bad: Record<string, unknown>[] = [
    { 'proj:shape': [0, 100] },
    { 'proj:shape': [1.5, 100] },
    { 'proj:shape': ['200', '100'] },
    { 'proj:shape': [2e9, 100] },
    { 'proj:transform': [10, 0, 'x', 0, -10, 0] },
    { 'proj:transform': [0, 0, 0, 0, 0, 0] },
    { 'proj:transform': [1, 2, 3, 4, 5] },
    { 'proj:epsg': 'EPSG:32631' },
    { 'proj:epsg': 1e12 },
  ];
  for (const one of bad) {
    assert.equal(placed({ 'proj:epsg': 32631, ...grid, ...one }), null, JSON.stringify(one));
  }
});

test('bands of STAC 1.1, 1.0 and 0.7 are parsed', () => {
  const [newest] = toBands(
    { nodata: 0, bands: [{ name: 'B04', 'eo:common_name': 'red', 'raster:scale': 2, data_type: 'uint16' }] },
    {},
  );
  assert.deepEqual(
    [newest?.name, newest?.commonName, newest?.scale, newest?.dataType, newest?.nodata],
    ['B04', 'red', 2, 'uint16', 0],
  );
  const [older] = toBands(
    {
      'eo:bands': [{ name: 'B04', common_name: 'red', center_wavelength: 0.665 }],
      'raster:bands': [{ nodata: 'nan', scale: 0.5, offset: -1, unit: 'K' }],
    },
    {},
  );
  assert.deepEqual(
    [older?.commonName, older?.wavelengthNm, older?.nodata, older?.scale, older?.offset, older?.unit],
    ['red', 665, Number.NaN, 0.5, -1, 'K'],
  );
  const [oldest] = toBands({ 'eo:bands': [1] }, { 'eo:bands': [{ name: 'SR_B1' }, { name: 'SR_B2' }] });
  assert.equal(oldest?.name, 'SR_B2');
});

test('times are parsed with zone, without zone, and as days', () => {
  assert.equal(toTime('2022-01-29T15:28:34.396428Z'), '2022-01-29T15:28:34.396Z');
  assert.equal(toTime('2022-11-06T09:32:34+02:00'), '2022-11-06T07:32:34.000Z');
  assert.equal(toTime('1998-03-08'), '1998-03-08T00:00:00.000Z');
  for (const bad of ['2022-02-30T00:00:00Z', 'now', '', 5, null, '2022-01-01T25:00:00Z']) {
    assert.equal(toTime(bad), null, String(bad));
  }
});

test('JSON that is not an item is refused with a message', () => {
  const item = earthSearchItem(1);
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`a${i}`, { href: 'x' }]));
  for (const bad of [
    null,
    [],
    'x',
    {},
    { type: 'Feature' },
    { ...item, id: '' },
    { ...item, assets: many },
  ]) {
    assert.throws(() => parseItem(bad), { tag: 'source-broken', code: 'stac-no-item' });
  }
  assert.throws(() => parseItem({ ...item, id: 'x'.repeat(301) }), { code: 'stac-no-item' });
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  assert.throws(() => parseItem({ ...item, properties: { deep } }), { message: /levels deep/ });
});

type Assets = Readonly<Record<string, object>>;

const thumbnail = (assets: Assets, self?: string): string | null =>
  thumbnailOf(
    parseItem({
      type: 'Feature',
      id: 'x',
      properties: {},
      geometry: null,
      assets,
      links: self === undefined ? [] : [{ rel: 'self', href: self }],
    }),
  );

const jpeg = (href: string, roles = ['thumbnail']) => ({ href, type: 'image/jpeg', roles });
const PREVIEW =
  'https://planetarycomputer.microsoft.com/api/data/v1/item/preview.png?collection=naip&item=al_m&assets=image&asset_bidx=image%7C1%2C2%2C3&format=png';

test('a thumbnail is found by its role, or by its name alone', () => {
  const href = 'https://data.example.com/a/thumb.jpg';
  assert.equal(thumbnail({ browse: jpeg(href) }), href);
  assert.equal(thumbnail({ thumbnail: { href } }), href);
  assert.equal(thumbnail({ thumbnail: { href: 'https://data.example.com/a/thumb' } }), null);
  assert.equal(thumbnail({ picture: jpeg(href, ['data']) }), null);
});

test('a relative address starts from that of the item', () => {
  const assets = { thumbnail: jpeg('../thumb.jpg') };
  assert.equal(
    thumbnail(assets, 'https://data.example.com/a/b/item.json'),
    'https://data.example.com/a/thumb.jpg',
  );
  assert.equal(thumbnail(assets, './item.json'), null);
  assert.equal(thumbnail(assets), null);
  const whole = { thumbnail: jpeg('https://data.example.com/t.jpg') };
  assert.equal(thumbnail(whole, './item.json'), 'https://data.example.com/t.jpg');
});

test('the first public address is used: an alternate, or an overview', () => {
  const open = 'https://landsatlook.usgs.gov/data/x_thumb_small.jpeg';
  assert.equal(
    thumbnail({ thumbnail: { ...jpeg('s3://usgs-landsat/x.jpeg'), alternate: { web: { href: open } } } }),
    open,
  );
  const assets = {
    rendered_preview: { href: PREVIEW, type: 'image/png', roles: ['overview'] },
    thumbnail: jpeg('https://naipeuwest.blob.core.windows.net/naip/x.200.jpg'),
  };
  assert.equal(thumbnail(assets), PREVIEW);
});

test('an address that clients cannot fetch or show, or with a secret, is not a thumbnail', () => {
  for (const href of [
    's3://bucket/thumb.jpg',
    'http://data.example.com/thumb.jpg',
    'file:///etc/thumb.jpg',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://user:word@data.example.com/thumb.jpg',
    'https://sentinel-s1-l1c.s3.eu-central-1.amazonaws.com/GRD/x/preview/quick-look.png',
    'https://sentinel2l2a01.blob.core.windows.net/x.jpg',
    'https://data.example.com/thumb.jpg?sv=2020&sig=abc&se=2022',
    'https://data.example.com/thumb.jpg?api_key=abc',
    `${PREVIEW}&token=abc`,
    `https://data.example.com/${'x'.repeat(2_000)}.jpg`,
  ]) {
    assert.equal(thumbnail({ thumbnail: jpeg(href) }), null, href);
  }
  for (const type of ['image/tiff; application=geotiff', 'image/jp2', 'text/html']) {
    const href = 'https://data.example.com/preview.tif';
    assert.equal(thumbnail({ preview: { href, type, roles: ['thumbnail'] } }), null, type);
  }
});
