import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { NewScene, Scene } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { createCog } from '../../../formats/cog/index.ts';
import type { BandInfo } from '../../../formats/tiff/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import { makeOpenSource, toFileHref } from '../../../sources/index.ts';
import { makeTempFolder } from '../../../testing/temp-folder.ts';
import { toGranuleXml, toLandsatOdl, toProductXml } from '../../families/testing/product-texts.ts';
import type { IngestFolderOptions } from '../ingest-folder.ts';
import { ingestFolder } from '../ingest-folder.ts';

/** A small image to write. */
export interface TestImage {
  readonly epsg: number;
  /** Upper left corner and the size of a pixel. */
  readonly west: number;
  readonly north: number;
  readonly pixel: number;
  readonly size?: number;
  readonly type?: PixelType;
  readonly bandCount?: number;
  readonly nodata?: number | null;
  /** What the file says of its bands: scale, offset. */
  readonly bands?: readonly Partial<BandInfo>[];
  /** Value of a pixel; 7 by default. */
  readonly fill?: (column: number, row: number) => number;
}

/** A folder of generated products, and the dependencies of its ingest. */
export interface TestFolder {
  readonly root: string;
  writeImage(path: string, image: TestImage): Promise<void>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  readonly scenes: Map<string, Scene>;
  readonly options: IngestFolderOptions;
  /** Paths of the files opened since the last call. */
  takeOpened(): string[];
  remove(): Promise<void>;
}

/** Makes an empty folder and a catalog in memory. */
export async function makeTestFolder(): Promise<TestFolder> {
  const root = makeTempFolder('swath-ingest-');
  const scenes = new Map<string, Scene>();
  let opened: string[] = [];
  const sources = { dataDir: resolve(root, 'no-such-folder'), folders: [root] };
  const openSource = makeOpenSource(sources);
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  return {
    root,
    write,
    async writeImage(path, image) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeTestImage(join(root, path), image);
    },
    scenes,
    options: {
      path: root,
      store: {
        findByViewId: async (viewId) => scenes.get(viewId) ?? null,
        findByName: async (dataset, name) =>
          [...scenes.values()]
            .filter((one) => one.dataset === dataset && (one.sceneId === name || one.productId === name))
            .sort((a, b) => (a.viewId < b.viewId ? 1 : -1))[0] ?? null,
        remove: async (viewId) => scenes.delete(viewId),
        putMany: async (given) => given.map((scene) => put(scenes, scene)),
      },
      toHref: (path) => toFileHref(path, sources),
      open: async (href) => {
        const source = await openSource(href);
        opened.push(href.slice(root.length + 1));
        return source;
      },
    },
    takeOpened() {
      const taken = opened;
      opened = [];
      return taken;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

function put(scenes: Map<string, Scene>, given: NewScene): 'added' | 'replaced' | 'unchanged' {
  const scene = toScene(given);
  const known = scenes.get(scene.viewId);
  if (known?.version === scene.version) return 'unchanged';
  scenes.set(scene.viewId, scene);
  return known === undefined ? 'added' : 'replaced';
}

async function writeTestImage(path: string, image: TestImage): Promise<void> {
  const { epsg, west, north, pixel, size = 16, type = 'uint16', bandCount = 1, nodata = null } = image;
  const { bands = Array.from({ length: bandCount }, () => ({})) } = image;
  const fill = image.fill ?? (() => 7);
  const cog = await createCog(path, {
    epsg,
    type,
    bandCount,
    bands,
    nodata,
    width: size,
    height: size,
    transform: [west, pixel, 0, north, 0, -pixel],
    compression: 'none',
    predictor: 1,
    blockSize: 16,
    overviews: 'none',
  });
  const pixels = makePixels(type, size * size).map((_, i) => fill(i % size, Math.floor(i / size)));
  await cog.writeRows(
    Array.from({ length: bandCount }, () => pixels),
    size,
  );
  await cog.finish();
}

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
