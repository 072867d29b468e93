/** The script of a pixel thread: everything that touches pixels happens here, never on the main thread. */
import { mkdir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { DEMO_FOLDER, makeDemoScene } from './catalog/index.ts';
import type { JobContext, RenderJobSettings } from './render/index.ts';
import { makeRenderJobs, serveJobs } from './render/index.ts';

/** A third of the weight of a normal thread where both want the same core; 10 was seen to starve renders. */
const NICENESS = 5;

/**
 * Pixels wait for requests, never the other way round: with all cores busy drawing, refusals and searches must still
 * come at once. On Linux the call reaches this thread alone; elsewhere it would slow down the whole process.
 */
if (process.platform === 'linux') setPriority(0, NICENESS);

await serveJobs((settings) => {
  const { files } = settings as RenderJobSettings;
  return {
    ...makeRenderJobs(settings as RenderJobSettings),
    async demo(_input: null, { signal, report }: JobContext) {
      const directory = join(files.dataDir, DEMO_FOLDER);
      await mkdir(directory, { recursive: true });
      return makeDemoScene({ directory, hrefPrefix: DEMO_FOLDER, onProgress: report, signal });
    },
  };
});
