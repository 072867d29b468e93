import { join } from 'node:path';
import type { Asset, Scene } from '../../../src/catalog/index.ts';
import { toScene } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { createCog } from '../../../src/formats/cog/index.ts';

const SIZE = { width: 2_700, height: 2_318 };

/** Waves with noise and holes, so that neighbours differ and no part is like another. */
function valueAt(x: number, y: number, seed: number): number {
  const noise = (Math.imul((x * 73_856_093) ^ (y * 19_349_663) ^ seed, 2_654_435_761) >>> 22) % 200;
  const isHole = (x >> 5) % 11 === 3 && (y >> 4) % 7 === seed % 7;
  return isHole ? 0 : 1_200 + Math.round(700 * Math.sin(x / 90 + seed) * Math.cos(y / 70)) + noise;
}

/** A scene of two bands that takes several parts to write, its sides even and odd from level to level. */
export async function writeLargeScene(folder: string): Promise<Scene> {
  const assets: Record<string, Asset> = {};
  for (const [seed, band] of ['B04', 'B08'].entries()) {
    const path = join(folder, `large-${band}.tif`);
    const transform = [500_000, 10, 0, 4_700_000, 0, -10] as const;
    const cog = await createCog(path, {
      ...SIZE,
      bandCount: 1,
      type: 'uint16',
      epsg: 32_631,
      transform,
      nodata: 0,
      compression: 'deflate',
      level: 1,
      predictor: 2,
      isDurable: false,
    });
    for (let y = 0; y < SIZE.height; y++) {
      await cog.writeRows([new Uint16Array(SIZE.width).map((_, x) => valueAt(x, y, seed + 1))], 1);
    }
    const { overviews } = await cog.finish();
    assets[band] = {
      href: path,
      bandIndex: 0,
      epsg: 32_631,
      transform,
      ...SIZE,
      type: 'uint16',
      nodata: 0,
      scale: 1,
      offset: 0,
      overviews,
    };
  }
  return toScene(makeScene(21, { assets }));
}
