import { existsSync, linkSync } from 'node:fs';
import { join } from 'node:path';
import { openTiff } from '../../src/formats/tiff/index.ts';
import type { Tile } from '../../src/geo/index.ts';
import { applyAffine, tileAt, tileGrid } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { planWarp } from '../../src/raster/index.ts';
import type { RenderPlan } from '../../src/render/plan/render-plan.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { EPSG, SIZE_PX, TRANSFORM, writeBandFile } from '../tiles/make-band.ts';
import { toBandsPlan } from '../tiles/plan-bands.ts';

const BANDS = ['B04', 'B03', 'B02'];

/** Scenes that look alike but are different files. */
export const SCENE_COUNT = 4;

const pathOf = (folder: string, scene: number, band: string) => join(folder, `scene${scene}_${band}.tif`);

/** Writes the scenes: one in truth, under four names. */
export async function makeScenes(folder: string): Promise<void> {
  for (const [i, band] of BANDS.entries()) {
    const path = pathOf(folder, 0, band);
    if (existsSync(path)) continue;
    await writeBandFile(path, i);
    for (let scene = 1; scene < SCENE_COUNT; scene += 1) linkSync(path, pathOf(folder, scene, band));
  }
}

/** The tiles of a zoom that lie wholly on the scenes. */
export function findExtent(z: number): { readonly from: Tile; readonly to: Tile } {
  const { forward } = makeProjection(EPSG, 3857);
  const corner = (x: number, y: number) => tileAt(z, ...forward(...applyAffine(TRANSFORM, x, y)));
  // Rows of the scene are not rows of the map: the outermost tiles may lie half outside.
  const [from, to] = [corner(0, 0), corner(SIZE_PX, SIZE_PX)];
  return { from: { z, x: from.x + 1, y: from.y + 1 }, to: { z, x: to.x - 1, y: to.y - 1 } };
}

/** Builds plans of tiles in natural colours, as the service makes them. */
export async function makePlanner(folder: string) {
  const source = await openFileSource(pathOf(folder, 0, BANDS[0]!));
  const { transform, images } = await openTiff(source);
  await source.close();
  if (transform === null) throw new Error('the scene is not georeferenced');
  const [{ width, height }] = images;
  const asset = { epsg: EPSG, transform, width, height, overviews: images.slice(1) };
  return (scene: number, tile: Tile): RenderPlan => {
    const grid = tileGrid(tile);
    const warp = planWarp({ target: grid, source: asset, method: 'bilinear' });
    const bands = BANDS.map((band) => ({ band, href: pathOf(folder, scene, band), warp }));
    return toBandsPlan({ viewId: `scene${scene}`, grid, bands, format: 'jpeg' });
  };
}
