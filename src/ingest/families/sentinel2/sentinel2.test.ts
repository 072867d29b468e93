import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGranuleXml, toProductXml, toTileInfo } from '../testing/product-texts.ts';
import {
  parseSentinel2Granule,
  parseSentinel2Product,
  parseSentinel2StacItem,
  parseSentinel2TileInfo,
} from './metadata.ts';

const productName = 'S2B_MSIL1C_20180617T105031_N0206_R051_T31UFR_20180617T120000';
const tileInfo = toTileInfo({ path: 'tiles/31/U/FR/2018/6/17/1', productName });

test('tileInfo.json gives location, time, clouds and the measured area', () => {
  const info = parseSentinel2TileInfo(tileInfo, 'tileInfo.json');
  assert.deepEqual([info.utmZone, info.latitudeBand, info.gridSquare, info.sequence], [31, 'U', 'FR', 1]);
  assert.equal(info.acquiredAt, '2018-06-17T10:50:31.458Z');
  assert.deepEqual([info.cloudPercent, info.coveragePercent, info.epsg], [41.2, 50, 32631]);
  assert.equal(info.productName, productName);
  assert.deepEqual(info.dataArea?.coordinates[0]?.[1], [605_000, 5_500_000]);
});

test('tileInfo.json without usable data area has none, and without path or time is refused', () => {
  const change = (changes: object) => JSON.stringify({ ...JSON.parse(tileInfo), ...changes });
  const areaOf = (geometry: unknown) =>
    parseSentinel2TileInfo(change({ tileDataGeometry: geometry }), 'x').dataArea;
  assert.equal(areaOf(undefined), null);
  assert.equal(areaOf({ type: 'Polygon', coordinates: [[]] }), null);
  assert.equal(
    areaOf({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          ['a', 1],
          [0, 0],
        ],
      ],
    }),
    null,
  );
  for (const broken of [{ path: '../../etc' }, { path: 7 }, { timestamp: 'today' }]) {
    assert.throws(() => parseSentinel2TileInfo(change(broken), 'x'), { code: 'metadata-incomplete' });
  }
  assert.throws(() => parseSentinel2TileInfo('[]', 'x'), { code: 'metadata-bad-json' });
});

test("a tile's XML gives sun, clouds and baseline", () => {
  const granule = parseSentinel2Granule(
    toGranuleXml({
      level: '2A',
      tileId: 'S2B_OPER_MSI_L2A_TL_EPAE_20180617T120000_A006677_T31UFR_N02.06',
      sensingTime: '2018-06-17T10:50:31.458123Z',
    }),
    'x',
  );
  assert.equal(granule.level, 'L2A');
  assert.deepEqual([granule.sunElevationDeg, granule.sunAzimuthDeg], [29.75, 28.5]);
  assert.deepEqual([granule.cloudPercent, granule.nodataPercent], [41.1953, 25]);
  assert.deepEqual([granule.baseline, granule.epsg], ['02.06', 32631]);
  assert.equal(granule.acquiredAt, '2018-06-17T10:50:31.458Z');
  assert.throws(() => parseSentinel2Granule('<a/>', 'x'), { code: 'metadata-wrong-kind' });
});

test("a product's XML gives quantification and the offset of each band by its name", () => {
  const facts = { productName, baseline: '04.00', offset: -1000 } as const;
  for (const level of ['1C', '2A'] as const) {
    const product = parseSentinel2Product(toProductXml({ ...facts, level }), 'x');
    assert.equal(product.level, `L${level}`);
    assert.equal(product.productName, productName);
    assert.equal(product.quantification, 10_000);
    assert.deepEqual(product.offsets, { B1: -1000, B2: -1000, B3: -1000, B4: -1000 });
    assert.deepEqual(product.footprint?.[0], [4.4, 49.6]);
  }
  const older = parseSentinel2Product(toProductXml({ ...facts, level: '1C', offset: null }), 'x');
  assert.deepEqual(older.offsets, {});
  assert.throws(() => parseSentinel2Product('<a/>', 'x'), { code: 'metadata-wrong-kind' });
});

test('the STAC item of a folder of COGs gives the sequence, and whether the offset was removed', () => {
  const item = (properties: object) =>
    parseSentinel2StacItem(
      JSON.stringify({
        id: 'S2A_31UFR_20220219_2_L2A',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [4, 49],
              [5, 49],
              [5, 50],
              [4, 49],
            ],
          ],
        },
        properties: { datetime: '2022-02-19T10:54:25.405000Z', 'eo:cloud_cover': 4.05, ...properties },
      }),
      'x.json',
    );
  const whole = item({ 'earthsearch:boa_offset_applied': true, 's2:product_uri': `${productName}.SAFE` });
  assert.deepEqual([whole.utmZone, whole.latitudeBand, whole.gridSquare, whole.sequence], [31, 'U', 'FR', 2]);
  assert.equal(whole.isOffsetApplied, true);
  assert.equal(whole.productName, productName);
  assert.equal(whole.cloudPercent, 4.05);
  assert.equal(item({}).isOffsetApplied, null);
  assert.equal(item({}).thumbnail, null);
  const thumbnail = 'https://sentinel-cogs.s3.us-west-2.amazonaws.com/x/thumbnail.jpg';
  const text = JSON.stringify({
    id: 'S2A_31UFR_20220219_2_L2A',
    properties: { datetime: '2022-02-19T10:54:25Z' },
    assets: { thumbnail: { href: thumbnail } },
  });
  assert.equal(parseSentinel2StacItem(text, 'x').thumbnail, thumbnail);
  assert.equal(parseSentinel2StacItem(text.replace('https', 'http'), 'x').thumbnail, null);
  assert.equal(item({ 'sentinel:data_coverage': 80 }).nodataPercent, 20);
});
