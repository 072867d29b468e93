import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CloudMask } from '../../catalog/index.ts';
import { geometryBounds } from '../../geo/index.ts';
import { cloudGml, toGranuleXml, toProductXml } from '../families/testing/product-texts.ts';
import { ingestFolder } from './ingest-folder.ts';
import type { TestFolder, TestImage } from './testing/make-folder.ts';
import { ingestOne, TILE, withFolder } from './testing/make-folder.ts';

/** A product of the format before December 2016, and the start of its datastrip. */
interface OldProduct {
  readonly made: string;
  readonly strip: string;
  readonly uri?: string;
}

const FIRST: OldProduct = { made: '20160318T145513', strip: '20160318T101009' };
const nameOf = ({ made, strip }: OldProduct) => `S2A_OPER_PRD_MSIL1C_PDMC_${made}_R065_V${strip}_${strip}`;
const granuleOf = (tile: string) => `S2A_OPER_MSI_L1C_TL_SGS__20160318T152524_A003854_T${tile}_N02.01`;

async function writeProduct(folder: TestFolder, product: OldProduct): Promise<void> {
  const name = nameOf(product);
  const text = toProductXml({
    level: '1C',
    productName: name,
    baseline: '02.01',
    offset: null,
    ...(product.uri === undefined ? {} : { uri: product.uri }),
  });
  await folder.write(`${name}.SAFE/${name.replace('PRD_MSIL1C', 'MTD_SAFL1C')}.xml`, text);
}

interface OldGranule {
  readonly tile: string;
  readonly cloud: number;
  readonly image?: Partial<TestImage>;
}

async function writeGranule(
  folder: TestFolder,
  product: OldProduct,
  { tile, cloud, image }: OldGranule,
): Promise<string> {
  const path = `${nameOf(product)}.SAFE/GRANULE/${granuleOf(tile)}`;
  const stem = `SGS__20160318T152524_A003854_T${tile}`;
  const sensingTime = '2016-03-18T10:15:09.461Z';
  await folder.write(
    `${path}/S2A_OPER_MTD_L1C_TL_${stem}.xml`,
    toGranuleXml({ level: '1C', tileId: granuleOf(tile), sensingTime, cloud, strip: product.strip }),
  );
  for (const band of ['B01', 'B04', 'B8A']) {
    await folder.writeImage(`${path}/IMG_DATA/S2A_OPER_MSI_L1C_TL_${stem}_${band}.jp2`, {
      ...TILE,
      ...image,
    });
  }
  await folder.write(`${path}/QI_DATA/S2A_OPER_MSK_CLOUDS_${stem}_B00_MSIL1C.gml`, cloudGml);
  await folder.writeImage(`${path}/QI_DATA/S2A_OPER_PVI_L1C_TL_${stem}.jp2`, { ...TILE, bandCount: 3 });
  return path;
}

test('a SAFE folder of many tiles gives a scene each, with its own clouds, mask and location', () =>
  withFolder(async (folder) => {
    await writeProduct(folder, FIRST);
    await writeGranule(folder, FIRST, { tile: '31UFR', cloud: 12.5 });
    // The next square to the east, where the swath ends in the middle.
    const path = await writeGranule(folder, FIRST, {
      tile: '31UGR',
      cloud: 80,
      image: { west: 700_000, fill: (column) => (column < 8 ? 7 : 0) },
    });
    const scene = await ingestOne(folder, 'S2/31/U/FR/2016/3/18/0');
    assert.deepEqual([scene.sceneId, scene.productId], ['S2A_tile_20160318_31UFR_0', nameOf(FIRST)]);
    assert.equal(scene.acquiredAt, '2016-03-18T10:15:09.461Z');
    assert.deepEqual(Object.keys(scene.assets), ['B01', 'B04', 'B8A']);
    assert.deepEqual([scene.cloudPercent, scene.sunElevationDeg, scene.sunAzimuthDeg], [12.5, 29.75, 28.5]);
    assert.deepEqual([scene.assets.B04?.scale, scene.assets.B04?.offset], [1e-4, 0]);
    assert.deepEqual([scene.coveragePercent, scene.fields.satelliteName], [100, 'Sentinel-2A']);
    assert.equal(scene.origin?.processed, '02.01 2022-04-01T11:00:10.000Z');

    const edge = folder.scenes.get('S2/31/U/GR/2016/3/18/0')!;
    assert.deepEqual([edge.cloudPercent, edge.coveragePercent], [80, 50]);
    assert.ok(edge.assets.B8A?.href.startsWith(join(folder.root, path)));
    const { stamp, ...mask } = edge.cloudMask as Extract<CloudMask, { kind: 'polygons' }>;
    assert.match(stamp ?? '', /^1187-\d+/);
    assert.deepEqual(mask, {
      kind: 'polygons',
      href: join(
        folder.root,
        path,
        'QI_DATA/S2A_OPER_MSK_CLOUDS_SGS__20160318T152524_A003854_T31UGR_B00_MSIL1C.gml',
      ),
      epsg: 32631,
    });
    const [whole, half] = [scene, edge].map(({ footprint }) => {
      const { west, east } = geometryBounds(footprint);
      return east - west;
    });
    // Not quite half: squares of the grid are slightly rotated.
    assert.ok(Math.abs(half! / whole! - 0.5) < 0.03, `${half} of ${whole}`);

    const again = await ingestFolder(folder.options);
    // Previews among the masks are not reported.
    assert.deepEqual(
      again.products.map(({ product, outcome }) => [product, outcome]),
      ['31UFR', '31UGR'].map((tile) => [`${nameOf(FIRST)}.SAFE/${granuleOf(tile)}`, 'unchanged']),
    );
  }));

test('a tile in which two datastrips meet gives two scenes; reprocessing one of them gives no third', () =>
  withFolder(async (folder) => {
    const second: OldProduct = { made: '20160318T150000', strip: '20160318T101519' };
    for (const product of [FIRST, second]) {
      await writeProduct(folder, product);
      await writeGranule(folder, product, { tile: '31UFR', cloud: 1 });
    }
    await ingestFolder(folder.options);
    const ids = ['S2/31/U/FR/2016/3/18/0', 'S2/31/U/FR/2016/3/18/1'];
    assert.deepEqual([...folder.scenes.keys()], ids);
    const anew: OldProduct = { ...second, made: '20170101T000000' };
    await writeProduct(folder, anew);
    await writeGranule(folder, anew, { tile: '31UFR', cloud: 2 });
    await ingestFolder(folder.options);
    assert.deepEqual([...folder.scenes.keys()], ids);
  }));

test('metadata without the name of their product have it in their file name', () =>
  withFolder(async (folder) => {
    const product = { ...FIRST, uri: 'http://example.com' };
    await writeProduct(folder, product);
    await writeGranule(folder, product, { tile: '31UFR', cloud: 1 });
    const { productId, sceneId, fields } = await ingestOne(folder, 'S2/31/U/FR/2016/3/18/0');
    assert.deepEqual([productId, fields.productName], [nameOf(FIRST), nameOf(FIRST)]);
    assert.equal(sceneId, 'S2A_tile_20160318_31UFR_0');
  }));

test('a broken tile does not affect the others of its product', () =>
  withFolder(async (folder) => {
    await writeProduct(folder, FIRST);
    await writeGranule(folder, FIRST, { tile: '31UFR', cloud: 1 });
    const path = await writeGranule(folder, FIRST, { tile: '31UGR', cloud: 1 });
    await folder.write(`${path}/S2A_OPER_MTD_L1C_TL_SGS__20160318T152524_A003854_T31UGR.xml`, '<broken');
    const { products } = await ingestFolder(folder.options);
    assert.deepEqual(
      products.map(({ outcome }) => outcome),
      ['ingested', 'broken'],
    );
  }));
