import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled } from '../../errors.ts';
import type { CogWriter } from '../../formats/index.ts';
import { createCog } from '../../formats/index.ts';
import type { Asset, NewScene } from '../scene.ts';
import { planBandFile, toAsset } from './band-file.ts';
import type { CellWindow } from './frame.ts';
import { wholeCrop } from './frame.ts';
import type { Landscape } from './land-cover.ts';
import { makeLandscape } from './land-cover.ts';
import { makeScanner } from './scanner.ts';
import type { SceneCounts } from './scene-record.ts';
import { toSceneRecord } from './scene-record.ts';
import { bands } from './spectra.ts';

/** Where to make the demo scene. */
export interface DemoSceneOptions {
  /** Absolute folder to write the files in; made when it is missing. */
  readonly directory: string;
  /** The same folder as the catalog names it: relative to the data directory, with forward slashes. */
  readonly hrefPrefix: string;
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Rows of 60 m cells scanned at once: the samples of 12 lines and 13 bands are 1.5 MB, which stay in the cache. */
const stripRows = 2;

/** Makes the files of the demo scene and its record; after a failure or an abort no file of this run is left. */
export async function makeDemoScene(options: DemoSceneOptions): Promise<NewScene> {
  checkWanted(options.signal);
  return exposeWindow(options, { landscape: makeLandscape(), window: wholeCrop });
}

/** The same for a part of the crop: what tests use to be quick. */
export async function exposeWindow(
  options: DemoSceneOptions,
  { landscape, window }: { readonly landscape: Landscape; readonly window: CellWindow },
): Promise<NewScene> {
  const { directory, hrefPrefix, signal } = options;
  await mkdir(directory, { recursive: true });
  await sweep(directory);
  const files = bands.map((band) => planBandFile(band, window));
  const writers: CogWriter[] = [];
  const finished: string[] = [];
  try {
    for (const { name, cog } of files) writers.push(await createCog(join(directory, name), cog));
    const counts = await writePixels(options, { writers, landscape, window });
    const assets: Record<string, Asset> = {};
    for (const [i, { name, cog }] of files.entries()) {
      checkWanted(signal);
      const { overviews } = await writers[i]!.finish();
      finished.push(join(directory, name));
      assets[bands[i]!.name] = toAsset(`${hrefPrefix}/${name}`, cog, overviews);
    }
    options.onProgress?.(1);
    return toSceneRecord({ window, assets, counts });
  } catch (error) {
    for (const writer of writers) await writer.abort();
    for (const path of finished) await rm(path, { force: true });
    throw error;
  }
}

/** Removes what a killed process may have left of half-assembled files. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^\.swath-[0-9a-f]+\.part$/.test(name)) await rm(join(directory, name), { force: true });
  }
}

interface Exposure {
  readonly writers: readonly CogWriter[];
  readonly landscape: Landscape;
  readonly window: CellWindow;
}

/** Walks the ground once from north to south and hands each strip to all thirteen files. */
async function writePixels(
  { onProgress, signal }: DemoSceneOptions,
  { writers, landscape, window }: Exposure,
): Promise<SceneCounts> {
  const scanner = makeScanner(landscape, window, stripRows);
  for (let row = 0; row < window.rows; row += stripRows) {
    const rows = Math.min(stripRows, window.rows - row);
    const strip = scanner.scan();
    for (const [i, writer] of writers.entries()) {
      await writer.writeRows([strip[i]!], (rows * 60) / bands[i]!.resolutionM);
    }
    // The last tenth is left for putting the files together.
    onProgress?.((0.9 * (row + rows)) / window.rows);
    // Small images never wait for the disk above: let an abort and the thread's messages through.
    await nextTurn();
    checkWanted(signal);
  }
  return { pixels: window.cols * window.rows * 36, ...scanner.counts };
}

function checkWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw cancelled('demo-aborted', 'Making the demo scene was stopped.', { cause: signal.reason });
  }
}
