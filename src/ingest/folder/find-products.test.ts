import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundFile } from '../../files/index.ts';
import { findProducts } from './find-products.ts';

const found = (...paths: readonly string[]): FoundFile[] =>
  paths.map((path) => ({ path: `/${path}`, parts: path.split('/'), sizeBytes: 1, modifiedMs: 0 }));

const summary = (paths: readonly string[]) => {
  const { products, skipped } = findProducts(found(...paths));
  return {
    products: products.map(({ name, sensor, bands }) => [
      sensor.dataset,
      name,
      [...bands.keys()].sort().join(),
    ]),
    skipped: skipped.map(({ code, name }) => [code, name]),
  };
};

const L8 = 'LC08_L1TP_016037_20170813_20170814_01_RT';

test('a product is a folder, or one of several products in a folder by their names', () => {
  const other = L8.replace('016037', '017037');
  const { products } = summary([
    `${L8}_MTL.txt`,
    `${L8}_B4.TIF`,
    `${L8}_BQA.TIF`,
    `${other}_MTL.txt`,
    `${other}_B5.TIF`,
  ]);
  assert.deepEqual(products, [
    ['landsat8', L8, 'B4,BQA'],
    ['landsat8', other, 'B5'],
  ]);
});

test('layouts that share a marker are distinguished by their images', () => {
  const { products, skipped } = summary([
    'one/tileInfo.json',
    'one/B04.jp2',
    'one/preview/B04.jp2',
    'two/tileInfo.json',
    'two/R10m/B04.jp2',
    'two/R20m/B04.jp2',
    'two/R20m/SCL.jp2',
  ]);
  assert.deepEqual(products, [
    ['sentinel2', 'one', 'B04'],
    ['sentinel2l2a', 'two', 'B04,SCL'],
  ]);
  assert.deepEqual(skipped, []);
});

test('if a band exists in several resolutions, the best is used', () => {
  const { products } = findProducts(found('tileInfo.json', 'R60m/B04.jp2', 'R20m/B04.jp2', 'R10m/B04.jp2'));
  assert.equal(products[0]?.bands.get('B04')?.file.path, '/R10m/B04.jp2');
});

test('names of metadata may have a day of delivery that the image lacks', () => {
  const { products } = findProducts(
    found(
      'm_3211605_ne_11_060_20200415.tif',
      'm_3211605_ne_11_060_20200415_20200730.xml',
      'm_3211606_ne_11_060_20200415.tif',
    ),
  );
  assert.deepEqual(
    products.map(({ files }) => files.get('metadata')?.length ?? 0),
    [1, 0],
  );
});

test('a folder may contain many tiles: each has its own files, and all share those of the folder', () => {
  const product = 'S2A_OPER_MTD_SAFL1C_PDMC_20160318T145513_R065_V20160318T101009_20160318T101009.xml';
  const tile = (square: string) => {
    const stem = `SGS__20160318T152524_A003854_T${square}`;
    const folder = `x.SAFE/GRANULE/S2A_OPER_MSI_L1C_TL_${stem}_N02.01`;
    return [
      `${folder}/IMG_DATA/S2A_OPER_MSI_L1C_TL_${stem}_B04.jp2`,
      `${folder}/S2A_OPER_MTD_L1C_TL_${stem}.xml`,
      `${folder}/QI_DATA/S2A_OPER_PVI_L1C_TL_${stem}.jp2`,
    ];
  };
  const paths = [...tile('31UFR'), ...tile('31UGR'), `x.SAFE/${product}`, 'x.SAFE/holiday.tif'];
  const { products, skipped } = findProducts(found(...paths));
  assert.deepEqual(
    products.map(({ files }) => [
      files.get('metadata')?.map(({ path }) => path.slice(-10)),
      files.get('product-metadata')?.map(({ parts }) => parts.at(-1)),
    ]),
    ['31UFR', '31UGR'].map((square) => [[`_T${square}.xml`.slice(-10)], [product]]),
  );
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ['x.SAFE/holiday.tif'],
  );
});

test('images whose names were shortened to a prefix of their folder are found by its name', () => {
  assert.deepEqual(summary([`x/${L8}/LC08_L1TP_016037_20170813_B4.TIF`]).products, [
    ['landsat8', `x/${L8}`, 'B4'],
  ]);
});

test('metadata without images, unknown images and archives are reported, previews inside products are not', () => {
  const { products, skipped } = summary([
    `a/${L8}_MTL.txt`,
    'b/tileInfo.json',
    'c/holiday.tif',
    'c/more.tar.gz',
    'd/tileInfo.json',
    'd/B04.jp2',
    'd/TCI.jp2',
    'd/preview/B01.jp2',
    'd/notes.txt',
  ]);
  assert.equal(products.length, 1);
  assert.deepEqual(skipped.toSorted(), [
    ['archive', 'c/more.tar.gz'],
    ['no-images', `a/${L8}_MTL.txt`],
    ['no-images', 'b/tileInfo.json'],
    ['unknown-image', 'c/holiday.tif'],
  ]);
});

test('images without the marker of their product are not a product', () => {
  assert.deepEqual(summary(['B04.jp2', 'B03.jp2']).products, []);
});
