/** The script of a pixel thread: everything that touches pixels happens here, never on the main thread. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_FOLDER, makeDemoScene } from '../catalog/index.ts';
import { loadKernels } from '../raster/index.ts';
import { makeDataFiles } from '../storage/index.ts';
import { makeBandReader } from './band-reader.ts';
import { makeDraw } from './draw.ts';
import { makeMeasureContrast } from './measure-contrast.ts';
import type { JobContext } from './pool/index.ts';
import { serveJobs } from './pool/index.ts';

interface WorkerSettings {
  readonly dataDir: string;
  readonly cacheBytes: number;
}

await serveJobs((settings) => {
  const { dataDir, cacheBytes } = settings as WorkerSettings;
  const kernels = loadKernels();
  const readWindow = makeBandReader({ open: makeDataFiles(dataDir), cacheBytes });
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
