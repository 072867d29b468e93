/** The script of a pixel thread: what is drawn, and what takes long to parse, is done here, never on the main thread. */
import { setPriority } from 'node:os';
import { areaJobs } from '../areas/index.ts';
import type { ThreadSettings } from '../blocks/index.ts';
import { makeThreadTools } from '../blocks/index.ts';
import { makeExportJobs } from '../exports/index.ts';
import { serveJobs } from '../pool/index.ts';
import { makeRenderJobs } from '../render/index.ts';
import { makeTerrainJobs } from '../terrain/index.ts';
import type { PixelJobs } from './pixel-jobs.ts';

/** A third of the weight of a normal thread where both want the same core; 10 was seen to starve renders. */
const NICENESS = 5;

/**
 * Pixels wait for requests, never the other way round: with all cores busy drawing, refusals and searches must still
 * come at once. On Linux the call reaches this thread alone; elsewhere it would slow down the whole process.
 */
if (process.platform === 'linux') setPriority(0, NICENESS);

await serveJobs<PixelJobs>((settings) => {
  const tools = makeThreadTools(settings as ThreadSettings);
  return { ...makeRenderJobs(tools), ...makeTerrainJobs(tools), ...makeExportJobs(tools), ...areaJobs };
});
