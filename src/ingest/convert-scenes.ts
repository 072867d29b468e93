import type { Asset, NewScene, Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { BlockFile } from '../formats/block-file/index.ts';
import { openBlockFile } from '../formats/block-file/index.ts';
import { createCog } from '../formats/cog/index.ts';
import type { Jp2Decoder } from '../formats/jp2/index.ts';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { toBandPixels } from '../formats/tiff/index.ts';
import type { OwnFiles } from '../objects/index.ts';
import type { PixelArray } from '../raster/index.ts';
import { bytesPerSample, makePixels } from '../raster/index.ts';
import { findBand, sensorByDataset } from '../sensors/index.ts';
import type { OpenSource } from '../sources/index.ts';
import { unsupported } from './errors.ts';

/** Where converted files go. */
const CONVERTED_FOLDER = 'converted';

/** A band that stays as it is. */
interface UnconvertedBand {
  readonly band: string;
  readonly reason: string;
  /** Present if its file cannot be read. */
  readonly isDamaged?: true;
}

/** The outcome for one scene. */
interface SceneConversion {
  readonly viewId: string;
  /** Bands that were converted. */
  readonly converted: readonly string[];
  /** Bands that could not be converted, with the reason; bands that are fast enough are not listed. */
  readonly unconverted: readonly UnconvertedBand[];
}

/** The outcome for all scenes. */
export interface ConversionReport {
  readonly scenes: readonly SceneConversion[];
  /** Whether the run was stopped before the last scene. */
  readonly stopped: boolean;
}

interface ConvertScenesOptions {
  readonly viewIds: readonly string[];
  readonly store: Pick<SceneStore, 'findByViewId' | 'replace'>;
  readonly open: OpenSource;
  readonly files: Pick<OwnFiles, 'prepare' | 'publish'>;
  readonly signal: AbortSignal;
  /** From 0 to 1 over all scenes. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Converts bands that are slow to show into COGs. Each finished band is put into the catalog at once, so rendering works
 * throughout, and another run continues where one was stopped.
 */
export async function convertScenes(options: ConvertScenesOptions): Promise<ConversionReport> {
  const { viewIds, store, signal, onProgress } = options;
  const jp2Decoder = makeJp2Decoder();
  const scenes: SceneConversion[] = [];
  for (const [done, viewId] of viewIds.entries()) {
    if (signal.aborted) return { scenes, stopped: true };
    const scene = await store.findByViewId(viewId);
    if (scene === null) continue;
    const report = (fraction: number) => onProgress((done + fraction) / viewIds.length);
    const { isWhole, ...conversion } = await convertScene(scene, {
      ...options,
      jp2Decoder,
      onProgress: report,
    });
    scenes.push(conversion);
    if (!isWhole) return { scenes, stopped: true };
  }
  onProgress(1);
  return { scenes, stopped: false };
}

/** `isWhole` is false when the run was stopped. */
async function convertScene(
  scene: Scene,
  options: ConvertScenesOptions & { readonly jp2Decoder: ReturnType<typeof makeJp2Decoder> },
): Promise<SceneConversion & { readonly isWhole: boolean }> {
  const { store, open, files, signal, onProgress, jp2Decoder } = options;
  const { viewId } = scene;
  const sensor = sensorByDataset(scene.dataset);
  const bands = Object.keys(scene.assets);
  const converted: string[] = [];
  const unconverted: UnconvertedBand[] = [];
  let current = scene;
  for (const [done, band] of bands.entries()) {
    if (signal.aborted) return { viewId, converted, unconverted, isWhole: false };
    try {
      const asset = await convertAsset(current.assets[band] as Asset, {
        open,
        files,
        signal,
        jp2Decoder,
        key: `${CONVERTED_FOLDER}/${viewId.replaceAll('/', '-')}/${band}.tif`,
        isQuality: sensor !== null && findBand(sensor, band)?.kind === 'quality',
        onProgress: (fraction) => onProgress((done + fraction) / bands.length),
      });
      if (asset === null) continue;
      // Converting takes minutes: a record that was replaced or removed meanwhile must not come back.
      const assets = { ...current.assets, [band]: asset };
      const changed = await store.replace(withoutVersion({ ...current, assets }), current.version);
      if (changed === null) {
        unconverted.push({ band, reason: 'The scene was changed or removed meanwhile; convert it again.' });
        break;
      }
      current = changed;
      converted.push(band);
    } catch (error) {
      // Any error after a stop is caused by the stop; the next run does this band again.
      if (signal.aborted) return { viewId, converted, unconverted, isWhole: false };
      // A full disk ends the run; a file that cannot be converted stays as it is.
      const isOfFile = isSwathError(error) && ['unsupported', 'source-broken'].includes(error.tag);
      if (!isOfFile) throw error;
      const why = { band, reason: error.message };
      unconverted.push(error.tag === 'source-broken' ? { ...why, isDamaged: true } : why);
    }
  }
  return { viewId, converted, unconverted, isWhole: true };
}

function withoutVersion({ version: _, ...scene }: Scene): NewScene {
  return scene;
}

/** A larger image without overviews is slow to show whole. */
const LARGE_PX = 1_024;
/** Blocks larger than this decode far more than a tile needs. */
const LARGEST_BLOCK_PX = 1_024 * 1_024;

/** Whether tiles of the file would be much faster from a COG: JPEG 2000, strips, huge blocks, no overviews. */
export function isSlowToShow(file: Pick<BlockFile, 'format' | 'levels'>): boolean {
  const [{ width, height, blockWidth, blockHeight }, ...copies] = file.levels;
  const isLarge = Math.max(width, height) > LARGE_PX;
  const isStriped = isLarge && blockWidth === width && blockHeight < 64;
  return (
    file.format === 'jp2' ||
    isStriped ||
    blockWidth * blockHeight > LARGEST_BLOCK_PX ||
    (isLarge && copies.length === 0)
  );
}

interface ConvertDeps {
  readonly open: OpenSource;
  readonly jp2Decoder: Jp2Decoder;
  readonly files: Pick<OwnFiles, 'prepare' | 'publish'>;
  /** The key of the COG among the files that Swath makes. */
  readonly key: string;
  /** Classes and flags must not be averaged. */
  readonly isQuality: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/**
 * Writes the asset's band as a COG into the data directory or the bucket and returns the asset that points there; null when the file
 * is fast enough as it is. Pixels are identical to the bit, and the georeference stays as the catalog has it.
 */
export async function convertAsset(asset: Asset, deps: ConvertDeps): Promise<Asset | null> {
  const { open, jp2Decoder, files, key, isQuality, signal, onProgress } = deps;
  const source = await open(asset.href);
  try {
    const file = await openBlockFile(source, { jp2Decoder, signal });
    if (!isSlowToShow(file)) return null;
    const cog = await createCog(await files.prepare(key), {
      width: asset.width,
      height: asset.height,
      bandCount: 1,
      type: asset.type,
      epsg: asset.epsg === 0 || asset.lattice !== undefined ? null : asset.epsg,
      transform: asset.lattice === undefined ? asset.transform : null,
      nodata: asset.nodata,
      compression: 'zstd',
      predictor: asset.type === 'float32' ? 3 : 2,
      overviewMethod: isQuality ? 'nearest' : 'average',
    });
    try {
      for await (const { pixels, rows, fraction } of readStrips(file, asset, signal)) {
        await cog.writeRows([pixels], rows);
        onProgress(fraction);
      }
      const { overviews } = await cog.finish();
      const { sidecars: _, ...rest } = asset;
      const href = await files.publish(key, signal);
      const written = await open(href);
      await written.close();
      return { ...rest, href, bandIndex: 0, overviews, stamps: [written.version] };
    } catch (error) {
      await cog.abort();
      throw error;
    }
  } finally {
    await source.close();
  }
}

/** Enough for a row of blocks of the widest product; more would not fit into the memory of a thread. */
const MAX_STRIP_BYTES = 256 * 2 ** 20;

/** The band's rows from top to bottom, a row of blocks at a time. */
async function* readStrips(file: BlockFile, { bandIndex, type }: Asset, signal: AbortSignal) {
  const [image] = file.levels;
  const { width, height, blockWidth, blockHeight, blocksAcross, blocksDown } = image;
  if (image.type !== type || bandIndex >= image.bandCount) {
    throw unsupported('not-convertible', 'The file differs from its record in the catalog; ingest it again.');
  }
  if (width * blockHeight * bytesPerSample[type] > MAX_STRIP_BYTES) {
    throw unsupported('not-convertible', 'The rows of blocks of the file are too large to convert.');
  }
  for (let row = 0; row < blocksDown; row += 1) {
    const rows = Math.min(blockHeight, height - row * blockHeight);
    const pixels = makePixels(type, width * rows);
    for (let column = 0; column < blocksAcross; column += 1) {
      const position = { band: bandIndex, column, row };
      const block = await file.readBlock(0, position, signal);
      if ((await file.readMask(0, position, block, signal))?.includes(0) === true) {
        throw unsupported(
          'not-convertible',
          'The file has an internal mask, which a COG of one band would lose.',
        );
      }
      copyInto(pixels, toBandPixels(block, bandIndex), {
        width,
        left: column * blockWidth,
        blockWidth: block.width,
        rows,
      });
    }
    yield { pixels, rows, fraction: (row + 1) / blocksDown };
  }
}

interface BlockCopy {
  readonly width: number;
  readonly left: number;
  readonly blockWidth: number;
  readonly rows: number;
}

function copyInto(target: PixelArray, block: PixelArray, { width, left, blockWidth, rows }: BlockCopy): void {
  const cols = Math.min(blockWidth, width - left);
  for (let y = 0; y < rows; y += 1) {
    target.set(block.subarray(y * blockWidth, y * blockWidth + cols), y * width + left);
  }
}
