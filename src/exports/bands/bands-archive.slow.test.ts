import assert from 'node:assert/strict';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { Asset } from '../../catalog/index.ts';
import { openZip } from '../../formats/testing/read-zip.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { cutPixels, makeBandsHere, makeBandsScene, readImageFile, withFolder } from './testing/bands-here.ts';
import { areaOf, writeScene } from './testing/bands-scene.ts';

test('bands with several resolutions make an archive with a file for each resolution, or for each band', () =>
  withFolder(async (folder) => {
    const { scene, pixels } = await writeScene(folder);
    const here = makeBandsHere(scene, folder);
    const bands = ['B04', 'B05', 'B02', 'B06'];
    const planned = await here.plan({ bands });
    assert.equal(planned.fileName, 'S2-31-T-DH-2026-6-1-0_B04-B05-B02-B06.zip');
    assert.equal(planned.contentType, 'application/zip');
    const merged = openZip(await here.write({ bands }));
    assert.deepEqual(
      merged.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_10m.TIF', 'S2-31-T-DH-2026-6-1-0_20m.TIF'],
    );
    const inner = join(folder, 'inner.tif');
    await writeFile(inner, merged.readStored(merged.entries[1]!));
    assert.deepEqual((await readImageFile(inner)).pixels, [pixels.B05, pixels.B06]);
    merged.close();
    const area = areaOf({ x: 40, y: 40, width: 200, height: 200 });
    const apart = openZip(await here.write({ bands, merge: false, area }));
    assert.deepEqual(
      apart.entries.map(({ name }) => name),
      bands.map((band) => `S2-31-T-DH-2026-6-1-0_${band}.TIF`),
    );
    await writeFile(inner, apart.readStored(apart.entries[3]!));
    const [cropped] = (await readImageFile(inner)).pixels;
    assert.deepEqual(cropped, cutPixels(pixels.B06!, 350, { x: 20, y: 20, width: 100, height: 100 }));
    apart.close();
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('.')),
      [],
    );
  }));

test('metadata files of the product go into the archive under their labels', () =>
  withFolder(async (folder) => {
    const { scene: flat } = await writeScene(folder);
    await mkdir(join(folder, 'product/qi'), { recursive: true });
    const assets: Record<string, Asset> = {};
    for (const [band, asset] of Object.entries(flat.assets)) {
      await rename(join(folder, asset.href), join(folder, 'product', asset.href));
      assets[band] = { ...asset, href: `product/${asset.href}` };
    }
    await writeFile(join(folder, 'product/metadata.xml'), '<x/>'.repeat(100));
    await writeFile(join(folder, 'product/qi/clouds.gml'), '<gml/>');
    const here = makeBandsHere(makeBandsScene(assets), folder);
    const order = {
      bands: ['B04', 'B02'],
      metadata: [
        { label: 'tile metadata', url: 'metadata.xml' },
        { label: '../../Tile Metadata.XML', url: 'product/metadata.xml' },
        { label: '', url: 'qi/clouds.gml' },
      ],
    };
    const planned = await here.plan(order);
    const path = join(folder, 'out.zip');
    const progress: number[] = [];
    await planned.write(path, { ticket: aTicket, onProgress: (done) => progress.push(done) });
    assert.equal(progress.at(-1), planned.blocks);
    const zip = openZip(path);
    assert.deepEqual(
      zip.entries.map(({ name }) => name),
      ['S2-31-T-DH-2026-6-1-0_10m.TIF', 'tile_metadata.xml', 'Tile_Metadata_2.xml', 'metadata.gml'],
    );
    assert.equal(inflateRawSync(zip.readStored(zip.entries[1]!)).toString(), '<x/>'.repeat(100));
    zip.close();
    // the rule of file types: one band of Sentinel-2 is a JP2 file
    assert.match((await here.plan({ ...order, bands: ['B04'] })).fileName, /\.jp2$/);
  }));
