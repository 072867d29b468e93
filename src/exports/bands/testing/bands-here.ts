import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThreadTools } from '../../../blocks/index.ts';
import { makeBlockCache, makeThreadTools } from '../../../blocks/index.ts';
import type { Asset, NewScene, Scene, SceneStore } from '../../../catalog/index.ts';
import { toScene } from '../../../catalog/index.ts';
import { makeScene } from '../../../catalog/testing/make-scene.ts';
import type { BlockFile } from '../../../formats/block-file/index.ts';
import { openBlockFile } from '../../../formats/block-file/index.ts';
import { writeCogFile } from '../../../formats/cog/testing/write-cog.ts';
import { makeJp2Decoder } from '../../../formats/jp2/index.ts';
import { toBandPixels } from '../../../formats/tiff/index.ts';
import type { AskedJob } from '../../../pool/testing/run-here.ts';
import { aTicket, makeRunnerHere } from '../../../pool/testing/run-here.ts';
import type { PixelArray, PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';
import type { OpenSourceOptions } from '../../../sources/index.ts';
import { makeOpenSource } from '../../../sources/index.ts';
import type { PlannedExport } from '../../export.ts';
import type { TopJobs } from '../../write-cog.ts';
import { topJobs } from '../../write-cog.ts';
import type { BandsJobs } from '../bands-jobs.ts';
import { makeBandsJobs } from '../bands-jobs.ts';
import type { BandsOrder } from '../plan-bands-file.ts';
import { makePlanBandsFile } from '../plan-bands-file.ts';

/** Orders of one scene whose files lie in a folder, on this thread. */
export interface BandsHere {
  readonly folder: string;
  readonly asked: AskedJob[];
  plan(order: Partial<BandsOrder>): Promise<PlannedExport>;
  /** Plans and writes an order; returns the path of the file. */
  write(order: Partial<BandsOrder>): Promise<string>;
}

/** A scene of these files. */
export function makeBandsScene(assets: Readonly<Record<string, Asset>>, more: Partial<NewScene> = {}): Scene {
  return toScene(makeScene(1, { ...more, assets }));
}

/** Runs work with a folder for files of a scene, which is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bands-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Options of `makeBandsHere`. */
interface HereOptions {
  readonly files?: Partial<OpenSourceOptions>;
  readonly maxBytes?: number;
  /** Those of many scenes; the folder's own when omitted. */
  readonly tools?: ThreadTools;
}

/** The tools of a thread that reads these files. */
export const makeBandsTools = (files: OpenSourceOptions): ThreadTools =>
  makeThreadTools({ files, blocks: makeBlockCache(16 * 2 ** 20).handle });

/** Builds the orders of a scene. */
export function makeBandsHere(
  scene: Scene,
  folder: string,
  { files = {}, maxBytes, tools: given }: HereOptions = {},
): BandsHere {
  const tools = given ?? makeBandsTools({ dataDir: folder, ...files });
  const pool = makeRunnerHere<BandsJobs & TopJobs>({ ...makeBandsJobs(tools), ...topJobs });
  const scenes: Pick<SceneStore, 'findByViewId' | 'findByName'> = {
    findByViewId: async (viewId) => (viewId === scene.viewId ? scene : null),
    findByName: async () => null,
  };
  const planFile = makePlanBandsFile({
    scenes: scenes as SceneStore,
    watch: { check: async (found) => found, renew: async () => {} },
    pool,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const [abbreviation = '', ...sceneName] = scene.viewId.split('/');
  const base: BandsOrder = {
    viewId: scene.viewId,
    sceneName: sceneName.join('/'),
    sensor: abbreviation,
    bands: [],
    merge: true,
    metadata: [],
    area: null,
  };
  const plan = (order: Partial<BandsOrder>) => planFile({ ...base, ...order });
  let written = 0;
  return {
    folder,
    asked: pool.asked,
    plan,
    async write(order) {
      const path = join(folder, `written-${written++}`);
      const planned = await plan(order);
      await planned.write(path, { ticket: aTicket, onProgress() {} });
      return path;
    },
  };
}

/** Slopes with noise, different in each band; some pixels are 0. */
export function makeBandPixels(
  type: PixelType,
  { width, height }: { width: number; height: number },
  seed: number,
) {
  const pixels = makePixels(type, width * height);
  let state = seed + 7;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    const value = ((i % width) + 3 * Math.floor(i / width) + 40 * seed + ((state >>> 16) & 15)) % 250;
    pixels[i] = (state >>> 24) % 40 === 0 ? 0 : value + 1;
  }
  return pixels;
}

/** A file to be written for a test. */
export interface TestFile {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly pixelM?: number;
  readonly type?: PixelType;
  readonly blockSize?: number;
  readonly compression?: 'deflate' | 'zstd' | 'none';
  readonly overviews?: 'auto' | 'none';
  readonly interleave?: 'pixel' | 'band';
  readonly seeds?: readonly number[];
}

/** Writes a COG into the folder; returns the asset of its first band and the pixels of all. */
export async function writeTestFile(folder: string, file: TestFile) {
  const { name, width, height, pixelM = 10, type = 'uint16', blockSize = 64, seeds = [1] } = file;
  const { compression = 'deflate', overviews = 'auto', interleave = 'pixel' } = file;
  const transform = [500_000, pixelM, 0, 4_700_000, 0, -pixelM] as const;
  const bands = seeds.map((seed) => makeBandPixels(type, { width, height }, seed));
  const predictor = compression === 'none' ? 1 : type === 'float32' ? 3 : 2;
  await writeCogFile(
    join(folder, name),
    {
      width,
      height,
      bandCount: bands.length,
      type,
      epsg: 32631,
      transform,
      nodata: 0,
      compression,
      predictor,
      blockSize,
      overviews,
      interleave,
    },
    bands,
  );
  const asset: Asset = {
    href: name,
    bandIndex: 0,
    epsg: 32631,
    transform,
    width,
    height,
    type,
    nodata: 0,
    scale: 1,
    offset: 0,
    overviews: [],
  };
  return { asset, bands };
}

const jp2Decoder = makeJp2Decoder();

/** An image as our reader sees it. */
export interface SeenImage
  extends Pick<BlockFile, 'epsg' | 'proj' | 'transform' | 'gcps' | 'nodata' | 'bands' | 'format'> {
  readonly width: number;
  readonly height: number;
  readonly levels: readonly { readonly width: number; readonly height: number }[];
  /** Pixels of each band of the full resolution. */
  readonly pixels: readonly PixelArray[];
}

/** Reads all pixels of an image; `level` 0 is the full resolution. */
export async function readImageFile(path: string, level = 0): Promise<SeenImage> {
  const folder = await mkdtemp(join(tmpdir(), 'bands-read-'));
  await copyFile(path, join(folder, 'image'));
  const source = await makeOpenSource({ dataDir: folder })('image');
  try {
    const file = await openBlockFile(source, { jp2Decoder });
    const image = file.levels[level]!;
    const { width, height, blockWidth, blockHeight } = image;
    const pixels: PixelArray[] = [];
    for (let band = 0; band < image.bandCount; band++) {
      const out = makePixels(image.type, width * height);
      for (let row = 0; row < image.blocksDown; row++) {
        for (let column = 0; column < image.blocksAcross; column++) {
          const block = await file.readBlock(level, { band, column, row });
          const own = toBandPixels(block, band);
          const columns = Math.min(block.width, width - column * blockWidth);
          for (let y = 0; y < Math.min(block.height, height - row * blockHeight); y++) {
            const line = own.subarray(y * block.width, y * block.width + columns);
            out.set(line, (row * blockHeight + y) * width + column * blockWidth);
          }
        }
      }
      pixels.push(out);
    }
    const { epsg, proj, transform, gcps, nodata, bands, format, levels } = file;
    return { epsg, proj, transform, gcps, nodata, bands, format, levels, width, height, pixels };
  } finally {
    await source.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The part of a band that a window holds. */
export function cutPixels(
  pixels: PixelArray,
  imageWidth: number,
  window: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): PixelArray {
  const out = pixels.slice(0, window.width * window.height);
  for (let y = 0; y < window.height; y++) {
    const from = (window.y + y) * imageWidth + window.x;
    out.set(pixels.subarray(from, from + window.width), y * window.width);
  }
  return out;
}
