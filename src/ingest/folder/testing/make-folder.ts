import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { NewScene, Scene } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { createCog } from '../../../formats/cog/index.ts';
import type { BandInfo } from '../../../formats/tiff/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import { makeOpenSource, toFileHref } from '../../../sources/index.ts';
import type { IngestFolderOptions } from '../ingest-folder.ts';

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
  const root = await mkdtemp(join(tmpdir(), 'swath-ingest-'));
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
