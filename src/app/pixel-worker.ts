/** The script of a pixel thread: what is drawn, and what takes long to parse, is done here, never on the main thread. */
import { areaJobs } from '../areas/index.ts';
import type { ThreadSettings } from '../blocks/index.ts';
import { makeDecodeJobs, makeThreadTools } from '../blocks/index.ts';
import { makeExportJobs } from '../exports/index.ts';
import { serveJobs } from '../pool/index.ts';
import { makeRenderJobs } from '../render/index.ts';
import { makeTerrainJobs } from '../terrain/index.ts';
import { makeStatisticsJobs } from '../zonal/index.ts';
import { lowerPriority } from './lower-priority.ts';
import type { PixelJobs } from './pixel-jobs.ts';

/**
 * A third of the weight of a normal thread where both want the same core; 10 was seen to starve renders. Tasks have a
 * hundredth: they take what tiles leave.
 */
const NICENESS = { tiles: 5, tasks: 19 };

await serveJobs<PixelJobs>((settings, link) => {
  const { isForTasks = false, ...threads } = settings as ThreadSettings & { readonly isForTasks?: boolean };
  // Pixels wait for requests, never the other way round: with all cores busy drawing, refusals and searches must still
  // come at once.
  lowerPriority(isForTasks ? NICENESS.tasks : NICENESS.tiles);
  const tools = makeThreadTools(threads, link);
  return {
    ...makeRenderJobs(tools),
    ...makeTerrainJobs(tools),
    ...makeExportJobs(tools),
    ...makeStatisticsJobs(tools),
    ...makeDecodeJobs(tools),
    ...areaJobs,
  };
});
