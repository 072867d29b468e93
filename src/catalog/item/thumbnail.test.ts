import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseItem } from './item.ts';
import { thumbnailOf } from './thumbnail.ts';

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

test('the first public address is taken: an alternate, or an overview', () => {
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
