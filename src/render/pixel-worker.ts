/** The script of a pixel thread: everything that touches pixels happens here, never on the main thread. */
import { mkdir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { DEMO_FOLDER, makeDemoScene } from '../catalog/index.ts';
import { limitSharp, makeJp2Decoder } from '../formats/index.ts';
import { loadKernels } from '../raster/index.ts';
import type { OpenSourceOptions } from '../storage/index.ts';
import { makeOpenSource } from '../storage/index.ts';
import { makeBandReader } from './band-reader.ts';
import type { SharedHandle } from './block-cache/index.ts';
import { joinBlockCache } from './block-cache/index.ts';
import { makeDraw } from './draw.ts';
import { makeMeasureContrast } from './measure-contrast.ts';
import type { JobContext } from './pool/index.ts';
import { serveJobs } from './pool/index.ts';

interface WorkerSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads. */
  readonly blocks: SharedHandle;
}

/** A third of the weight of a normal thread where both want the same core; 10 was seen to starve renders. */
const NICENESS = 5;

/**
 * Pixels wait for requests, never the other way round: with all cores busy drawing, refusals and searches must still
 * come at once. On Linux the call reaches this thread alone; elsewhere it would slow down the whole process.
 */
if (process.platform === 'linux') setPriority(0, NICENESS);

await serveJobs((settings) => {
  const { files, blocks } = settings as WorkerSettings;
  const { dataDir } = files;
  limitSharp();
  const kernels = loadKernels();
  const readWindow = makeBandReader({
    open: makeOpenSource(files),
    blocks: joinBlockCache(blocks, threadId),
    jp2Decoder: makeJp2Decoder(),
  });
  return {
    draw: makeDraw({ readWindow, kernels }),
    contrast: makeMeasureContrast({ readWindow }),
    async demo(_input: null, { signal, report }: JobContext) {
      const directory = join(dataDir, DEMO_FOLDER);
      await mkdir(directory, { recursive: true });
      return makeDemoScene({ directory, hrefPrefix: DEMO_FOLDER, onProgress: report, signal });
    },
  };
});
