import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { CogOptions } from '../../../formats/cog/index.ts';
import { writeCogFile } from '../../../formats/cog/testing/write-cog.ts';
import type { BandInfo } from '../../../formats/tiff/index.ts';
import { makeIsAllowedHref } from '../../../ingest/index.ts';
import type { PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../../../sources/index.ts';
import { makeListBucket, makeOpenSource, toFileHref } from '../../../sources/index.ts';
import type { FakeDemStore } from '../../testing/fake-dem-store.ts';
import { makeFakeDemStore } from '../../testing/fake-dem-store.ts';
import type { IngestDemOptions } from '../dem-run.ts';

/** A small image to write; by default a degree north-east of 0, 0 with 16 × 16 heights. */
export interface TestDem {
  readonly epsg?: number | null;
  readonly west?: number;
  readonly north?: number;
  readonly pixelWidth?: number;
  readonly pixelHeight?: number;
  readonly width?: number;
  readonly height?: number;
  readonly type?: PixelType;
  readonly nodata?: number | null;
  readonly bands?: readonly Partial<BandInfo>[];
  readonly overviews?: 'auto' | 'none';
  readonly more?: Partial<CogOptions>;
}

/** The bytes of an image go to a path; the folders above it are made. */
export async function writeDem(path: string, image: TestDem = {}): Promise<void> {
  const { epsg = 4326, west = 0, north = 1, width = 16, height = 16, type = 'int16', nodata = null } = image;
  const { pixelWidth = 1 / width, pixelHeight = 1 / height, bands = [{}] } = image;
  await mkdir(dirname(path), { recursive: true });
  const options: CogOptions = {
    width,
    height,
    type,
    epsg,
    nodata,
    bands,
    bandCount: bands.length,
    transform: [west, pixelWidth, 0, north, 0, -pixelHeight],
    compression: 'none',
    predictor: 1,
    blockSize: 16,
    overviews: image.overviews ?? 'none',
    ...image.more,
  };
  const pixels = makePixels(type, width * height).map((_, i) => i % 100);
  await writeCogFile(
    path,
    options,
    bands.map(() => pixels),
  );
}

/** A folder of images, and the dependencies of their ingest. */
export interface DemFolder {
  readonly root: string;
  readonly store: FakeDemStore;
  write(path: string, content: string | Uint8Array): Promise<void>;
  writeDem(path: string, image?: TestDem): Promise<void>;
  /** The options of an ingest of the folder, or of something in it. */
  options(more?: Partial<IngestDemOptions>): IngestDemOptions;
  /** What was opened since the last call, below the folder. */
  takeOpened(): readonly string[];
}

interface FolderOptions {
  readonly network?: NetworkSources;
  readonly resolveName?: NonNullable<OpenSourceOptions['resolveName']>;
}

/** Makes a folder for a test that may hold models, and removes it afterwards. */
export async function withDemFolder(
  use: (folder: DemFolder) => Promise<void>,
  { network, resolveName }: FolderOptions = {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'swath-dem-'));
  const files = {
    dataDir: join(root, 'data'),
    folders: [root],
    ...(network ? { network } : {}),
    ...(resolveName ? { resolveName } : {}),
  };
  const store = makeFakeDemStore();
  const openSource = makeOpenSource(files);
  let opened: string[] = [];
  const doors = {
    open: async (href: string, signal?: AbortSignal) => {
      const source = await openSource(href, signal);
      opened.push(href.replace(`${root}/`, ''));
      return source;
    },
    listBucket: makeListBucket(files),
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path: string) => toFileHref(path, files),
  };
  try {
    await use({
      root,
      store,
      async write(path, content) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      },
      writeDem: (path, image) => writeDem(join(root, path), image),
      options: (more = {}) => ({ from: root, store, name: 'alps', ...doors, ...more }),
      takeOpened() {
        const taken = opened;
        opened = [];
        return taken;
      },
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The only file of the store. */
export function onlyFile({ files }: FakeDemStore) {
  const [file, ...others] = files.values();
  if (file === undefined || others.length > 0) throw new Error(`the store has ${files.size} files`);
  return file;
}

/** The bytes of a small image. */
export async function toDemBytes(image: TestDem = {}): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-dem-'));
  try {
    await writeDem(join(folder, 'a.tif'), image);
    return await readFile(join(folder, 'a.tif'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface TestTile {
  readonly width?: number;
  readonly height?: number;
  readonly channels?: 1 | 3 | 4;
}

/** The bytes of a PNG tile: all of it at sea level, in terrarium encoding. */
export function toTileBytes({
  width = 256,
  height = width,
  channels = 3,
}: TestTile = {}): Promise<Uint8Array> {
  const background = { r: 128, g: 0, b: 0, alpha: 1 };
  const image = sharp({ create: { width, height, channels: channels === 4 ? 4 : 3, background } });
  return (channels === 1 ? image.toColourspace('b-w') : image).png().toBuffer();
}
