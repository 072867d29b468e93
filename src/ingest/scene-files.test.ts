import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Scene } from '../catalog/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { ingestFolder } from './folder/ingest-folder.ts';
import type { TestFolder, TestImage } from './folder/testing/make-folder.ts';
import { L8, SCENE, withFolder, writeLandsat } from './folder/testing/make-folder.ts';
import { renewFiles } from './scene-files.ts';

const jp2Decoder = makeJp2Decoder();
const VIEW = 'L8/LC80160372017225LGN00';
const B4 = `${L8}/${L8}_B4.TIF`;

/** An ingested product with overviews in a sidecar of one image. */
async function ingest(folder: TestFolder): Promise<Scene> {
  await writeLandsat(folder);
  await folder.writeImage(`${B4}.ovr`, { ...SCENE, size: 8 });
  await ingestFolder(folder.options);
  const scene = folder.scenes.get(VIEW);
  assert.ok(scene !== undefined);
  folder.takeOpened();
  return scene;
}

/** Replaces B4 by another image, as `mv` does. */
async function replace(folder: TestFolder, image: Partial<TestImage>): Promise<void> {
  await folder.writeImage('new.tif', { ...SCENE, nodata: 0, ...image });
  await rename(join(folder.root, 'new.tif'), join(folder.root, B4));
}

const renew = (folder: TestFolder, { assets, cloudMask }: Scene) =>
  renewFiles(
    { assets, ...(cloudMask === undefined ? {} : { cloudMask }) },
    { open: folder.options.open, jp2Decoder },
  );

test('unchanged files have the same records, and no header is read', () =>
  withFolder(async (folder) => {
    const scene = await ingest(folder);
    assert.deepEqual((await renew(folder, scene)).assets, scene.assets);
    assert.equal(folder.takeOpened().length, 4, 'each file once, and the sidecar of B4');
  }));

test('an image of the same size and type replaces the previous one, with its own nodata and overviews', () =>
  withFolder(async (folder) => {
    const scene = await ingest(folder);
    await replace(folder, { nodata: 9 });
    await rm(join(folder.root, `${B4}.ovr`));
    const { assets } = await renew(folder, scene);
    const { B4: before, ...others } = scene.assets;
    const { B4: after, ...same } = assets;
    assert.deepEqual(same, others);
    assert.deepEqual([before?.overviews.length, before?.sidecars], [1, ['.ovr']]);
    assert.deepEqual([after?.nodata, after?.overviews, after?.sidecars], [9, [], undefined]);
    assert.equal(after?.stamps?.length, 1);
    assert.notEqual(after?.stamps?.[0], before?.stamps?.[0]);
    assert.deepEqual(
      [after?.transform, after?.scale, after?.offset],
      [before?.transform, before?.scale, before?.offset],
    );
  }));

test('an image of another size, type, location or reference system, and a broken image, must be ingested again', () =>
  withFolder(async (folder) => {
    const scene = await ingest(folder);
    const others: readonly Partial<TestImage>[] = [
      { size: 32 },
      { type: 'uint8' },
      { west: SCENE.west + 15_000 },
      { pixel: SCENE.pixel / 2 },
      { epsg: 32618 },
    ];
    for (const image of others) {
      await replace(folder, image);
      await assert.rejects(
        renew(folder, scene),
        { tag: 'source-broken', code: 'source-changed', message: /ingested again/ },
        JSON.stringify(image),
      );
    }
    await writeFile(join(folder.root, B4), 'this is not an image');
    await assert.rejects(renew(folder, scene), { code: 'source-changed' });
  }));

test('a missing file stays in the record; reading it reports the error', () =>
  withFolder(async (folder) => {
    const scene = await ingest(folder);
    await rm(join(folder.root, B4));
    assert.deepEqual((await renew(folder, scene)).assets, scene.assets);
  }));
