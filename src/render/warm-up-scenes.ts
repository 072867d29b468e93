import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset, NewScene, Scene, SceneStore } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { createCog } from '../formats/cog/index.ts';
import { makeReadFileStamp } from '../sources/index.ts';
import { internal } from './errors.ts';

/** Temporary scenes that are in no catalog; disposing of them removes their files. */
interface WarmUpScenes extends AsyncDisposable {
  /** One catalog per scene, which contains only that scene. */
  readonly catalogs: readonly SceneStore[];
}

/** Four blocks at full size, and an overview. */
const SIDE_PX = 1024;
const BLOCK_PX = 512;
const STRIP_PX = 64;
const BANDS = ['B02', 'B03', 'B04'];
const FOLDER = 'warm-up';
const MAX_AGE_MS = 3_600_000;

/** Makes scenes in the data directory: a COG for each band like those of Sentinel-2, with noise that compresses like land. */
export async function makeWarmUpScenes(dataDir: string, count: number): Promise<WarmUpScenes> {
  const made: string[] = [];
  const toPath = (href: string): string => join(dataDir, href);
  const remove = async (): Promise<void> => {
    await Promise.all(made.map((href) => rm(toPath(href), { force: true })));
  };
  const makeFile = async (): Promise<string> => {
    const [first] = made;
    // Processes may share the directory.
    const href = `${FOLDER}/${randomUUID()}.tif`;
    made.push(href);
    if (first === undefined) await writeBand(toPath(href));
    else await copyFile(toPath(first), toPath(href), constants.COPYFILE_FICLONE);
    return href;
  };
  try {
    await mkdir(join(dataDir, FOLDER), { recursive: true });
    await removeOld(join(dataDir, FOLDER));
    const catalogs: SceneStore[] = [];
    for (let i = 0; i < count; i += 1) {
      const assets: Record<string, Asset> = {};
      for (const band of BANDS) assets[band] = await toAsset(await makeFile(), dataDir);
      catalogs.push(makeCatalog(toScene(toNewScene(i, assets))));
    }
    return { catalogs, [Symbol.asyncDispose]: remove };
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

async function toAsset(href: string, dataDir: string): Promise<Asset> {
  const stamp = await makeReadFileStamp(dataDir)(href);
  if (stamp === null) throw internal('no-warm-up-file', 'The file of the warm-up is gone.');
  return {
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
}

function toNewScene(index: number, assets: Readonly<Record<string, Asset>>): NewScene {
  return {
    // Before any satellite: no scene of a catalog has it.
    viewId: `S2/31/T/EG/1900/1/1/${index}`,
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
    assets,
    provenance: 'warm-up',
  };
}

/** A catalog of one scene, with the methods that a warm-up calls. */
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
