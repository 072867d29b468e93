import assert from 'node:assert/strict';
import { parseViewId } from '../../../sensors/index.ts';
import { toLandsatOdl } from '../../families/testing/landsat-text.ts';
import { toGranuleXml, toProductXml } from '../../families/testing/sentinel-text.ts';
import type { Scene } from '../../scene.ts';
import { ingestFolder } from '../ingest-folder.ts';
import type { TestFolder, TestImage } from './make-folder.ts';
import { makeTestFolder } from './make-folder.ts';

/** An image of a tile of Sentinel-2. */
export const TILE: TestImage = { epsg: 32631, west: 600_000, north: 5_500_000, pixel: 625 };
/** An image of a scene of Landsat. */
export const SCENE: TestImage = { epsg: 32617, west: 471_600, north: 3_787_500, pixel: 15_000 };

/** Makes a folder for a test, and removes it afterwards. */
export async function withFolder(use: (folder: TestFolder) => Promise<void>): Promise<void> {
  const folder = await makeTestFolder();
  try {
    await use(folder);
  } finally {
    await folder.remove();
  }
}

/** Ingests and returns the only scene; fails if there is none, or something is broken. */
export async function ingestOne(folder: TestFolder, viewId: string): Promise<Scene> {
  const report = await ingestFolder(folder.options);
  assert.deepEqual(
    report.products.filter(({ outcome }) => outcome === 'broken'),
    [],
  );
  const scene = folder.scenes.get(viewId);
  assert.ok(scene !== undefined, `there are only ${[...folder.scenes.keys()].join(', ')}`);
  // Clients must be able to send the view id of every record.
  assert.equal(parseViewId(viewId).viewId, viewId);
  return scene;
}

/** The name of a product of Landsat 8. */
export const L8 = 'LC08_L1TP_016037_20170813_20170814_01_RT';
/** The facts of its MTL. */
export const landsat = { sceneId: 'LC80160372017225LGN00', productId: L8, collection: 1 } as const;

/** Writes that product, with its MTL. */
export async function writeLandsat(folder: TestFolder, prefix = ''): Promise<void> {
  await folder.write(`${prefix}${L8}/${L8}_MTL.txt`, toLandsatOdl(landsat));
  for (const band of ['B4', 'B10', 'BQA']) {
    await folder.writeImage(`${prefix}${L8}/${L8}_${band}.TIF`, {
      ...SCENE,
      nodata: band === 'BQA' ? null : 0,
    });
  }
}

function safe(datatake: string, made: string) {
  const name = `S2A_MSIL1C_${datatake}_N0400_R051_T31UFR_${made}`;
  return { name, granule: `${name}.SAFE/GRANULE/L1C_T31UFR_A006677_${datatake}` };
}

/** Writes a SAFE folder of Sentinel-2 L1C, of the format since December 2016. */
export async function writeSafe(
  folder: TestFolder,
  datatake: string,
  made: string,
  baseline = '04.00',
): Promise<void> {
  const { name, granule } = safe(datatake, made);
  const product = toProductXml({ level: '1C', productName: name, baseline, offset: -1000 });
  await folder.write(`${name}.SAFE/MTD_MSIL1C.xml`, product);
  const time = datatake.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
  const tileId = `S2A_OPER_MSI_L1C_TL_VGS1_${made}_A006677_T31UFR_N04.00`;
  await folder.write(`${granule}/MTD_TL.xml`, toGranuleXml({ level: '1C', tileId, sensingTime: time }));
  await folder.writeImage(`${granule}/IMG_DATA/T31UFR_${datatake}_B04.jp2`, TILE);
  await folder.writeImage(`${granule}/QI_DATA/MSK_CLASSI_B00.jp2`, { ...TILE, type: 'uint8', bandCount: 3 });
}
