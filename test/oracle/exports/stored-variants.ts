import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Asset, Scene } from '../../../src/catalog/index.ts';
import { toScene } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { findSidecars, openBlockFile } from '../../../src/formats/block-file/index.ts';
import { toPlacement } from '../../../src/formats/block-file/testing/placement.ts';
import { makeJp2Decoder } from '../../../src/formats/jp2/index.ts';
import type { PixelType } from '../../../src/raster/index.ts';
import { makeOpenSource } from '../../../src/sources/index.ts';

/** Scenes of three bands that GDAL has stored in every way that products come in: see write_variants.py. */
export async function makeVariants(folder: string, python: string): Promise<readonly Scene[]> {
  mkdirSync(folder, { recursive: true });
  const script = resolve(import.meta.dirname, 'write_variants.py');
  const { stdout, status } = spawnSync(python, ['-B', script, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the variants could not be written');
  const variants = JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>;
  const open = makeOpenSource({ dataDir: folder, folders: [folder] });
  const scenes: Scene[] = [];
  for (const [name, files] of Object.entries(variants)) {
    const assets: Record<string, Asset> = {};
    for (const [i, file] of files.entries()) {
      const href = join(folder, file);
      const image = await openBlockFile(await open(href), { jp2Decoder: makeJp2Decoder() });
      const sidecars = (await findSidecars(image, { href, open })).map(({ suffix }) => suffix);
      const [{ width, height, bandCount, type }] = image.levels;
      await image.source.close();
      const isTogether = files[0] === file && bandCount > 1;
      const common = { href, ...toPlacement(image), width, height, type: type as PixelType, sidecars };
      const facts = { nodata: image.nodata, scale: 1, offset: 0, overviews: [] };
      const names = isTogether ? ['B4', 'B3', 'B2'] : [['B4', 'B3', 'B2'][i]!];
      for (const [bandIndex, band] of names.entries()) assets[band] = { ...common, ...facts, bandIndex };
    }
    const viewId = `L8/LC08_L1TP_199031_20260601_20260610_02_T1/${name}`;
    scenes.push(toScene(makeScene(1, { dataset: 'landsat8', viewId, assets })));
  }
  return scenes;
}
