import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset, NewScene, Scene, SceneStore } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import { createCog } from '../formats/index.ts';
import { makeReadFileStamp } from '../storage/index.ts';

/** A scene that is in no catalog, for a moment; disposing of it removes its file. */
export interface WarmUpScene extends AsyncDisposable {
  /** A catalog of this scene alone. */
  readonly scenes: SceneStore;
}

/** Four blocks at full size, and an overview. */
const SIDE_PX = 1024;
const BLOCK_PX = 512;
const STRIP_PX = 64;
const BANDS = ['B02', 'B03', 'B04'];
const FOLDER = 'warm-up';
const MAX_AGE_MS = 3_600_000;

/** Makes the scene in the data directory: a COG like those of Sentinel-2, with noise that compresses like land. */
export async function makeWarmUpScene(dataDir: string): Promise<WarmUpScene> {
  // Processes may share the directory.
  const href = `${FOLDER}/${randomUUID()}.tif`;
  const path = join(dataDir, href);
  const remove = () => rm(path, { force: true });
  try {
    await mkdir(join(dataDir, FOLDER), { recursive: true });
    await removeOld(join(dataDir, FOLDER));
    await writeBand(path);
    const stamp = await makeReadFileStamp(dataDir)(href);
    if (stamp === null) throw internal('no-warm-up-file', 'The file of the warm-up is gone.');
    return { scenes: makeCatalog(toScene(toNewScene(href, stamp))), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Files of processes that died in their warm-up, which takes a second. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(path, { force: true });
  }
}

async function writeBand(path: string): Promise<void> {
  const cog = await createCog(path, {
    width: SIDE_PX,
    height: SIDE_PX,
    bandCount: 1,
    type: 'uint16',
    epsg: 32631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    nodata: 0,
    compression: 'deflate',
    predictor: 2,
    blockSize: BLOCK_PX,
    isDurable: false,
  });
  for (let row = 0; row < SIDE_PX; row += STRIP_PX) {
    const pixels = Uint16Array.from(
      { length: SIDE_PX * STRIP_PX },
      (_, i) => 1_000 + ((Math.imul(i + row, 0x9e3779b1) >>> 24) & 63),
    );
    await cog.writeRows([pixels], STRIP_PX);
  }
  await cog.finish();
}

function toNewScene(href: string, stamp: string): NewScene {
  const asset: Asset = {
    href,
    bandIndex: 0,
    epsg: 32631,
    transform: [500_000, 10, 0, 4_700_000, 0, -10],
    width: SIDE_PX,
    height: SIDE_PX,
    type: 'uint16',
    nodata: 0,
    scale: 0.0001,
    offset: 0,
    overviews: [{ width: SIDE_PX / 2, height: SIDE_PX / 2 }],
    stamps: [stamp],
  };
  return {
    // Before any satellite: no scene of a catalog has it.
    viewId: 'S2/31/T/EG/1900/1/1/0',
    sceneId: 'warm-up',
    dataset: 'sentinel2',
    acquiredAt: '1900-01-01T00:00:00.000Z',
    // Inside the image.
    footprint: {
      type: 'Polygon',
      coordinates: [
        [
          [3.01, 42.37],
          [3.11, 42.37],
          [3.11, 42.44],
          [3.01, 42.44],
          [3.01, 42.37],
        ],
      ],
    },
    cloudPercent: 0,
    sunElevationDeg: 65,
    sunAzimuthDeg: 135,
    coveragePercent: 100,
    fields: {},
    assets: Object.fromEntries(BANDS.map((band) => [band, asset])),
    provenance: 'warm-up',
  };
}

/** Nothing else is asked of the catalog of a warm-up. */
function makeCatalog(scene: Scene): SceneStore {
  const refuse = (): never => {
    throw internal('no-catalog', 'The catalog of the warm-up has one scene and takes no other.');
  };
  return {
    put: refuse,
    putMany: refuse,
    replace: refuse,
    remove: refuse,
    search: refuse,
    searchHits: refuse,
    count: async () => 1,
    countByDataset: refuse,
    findByViewId: async (viewId) => (viewId === scene.viewId ? scene : null),
    findByName: async () => null,
    async *list() {
      yield scene;
    },
  };
}
