/** The script of a pixel thread: drawing and slow parsing happen here, never on the main thread. */
import type { AreaJobs } from '../areas/index.ts';
import { areaJobs } from '../areas/index.ts';
import type { DecodeJobs, ThreadSettings } from '../blocks/index.ts';
import { makeDecodeJobs, makeThreadTools } from '../blocks/index.ts';
import type { BulkJobs } from '../bulk/index.ts';
import { makeBulkJobs } from '../bulk/index.ts';
import type { ClassJobs } from '../classes/index.ts';
import { classJobs } from '../classes/index.ts';
import type { CoverageJobs } from '../coverage/index.ts';
import { makeCoverageJobs } from '../coverage/index.ts';
import type { ExportJobs } from '../exports/index.ts';
import { makeExportJobs } from '../exports/index.ts';
import type { FieldFileJobs } from '../fields/index.ts';
import { fieldFileJobs } from '../fields/index.ts';
import type { ComposeJobs } from '../mosaic/index.ts';
import { makeMosaicJobs } from '../mosaic/index.ts';
import { lowerPriority, serveJobs } from '../pool/index.ts';
import type { RenderJobs } from '../render/index.ts';
import { makeRenderJobs } from '../render/index.ts';
import type { TerrainJobs } from '../terrain/index.ts';
import { makeTerrainJobs } from '../terrain/index.ts';
import type { WatchJobs } from '../watch/index.ts';
import { watchJobs } from '../watch/index.ts';
import type { StatisticsJobs } from '../zonal/index.ts';
import { makeStatisticsJobs } from '../zonal/index.ts';
import type { LayerJobs } from '../zonal/measuring.ts';
import { makeLayerJobs } from '../zonal/measuring.ts';
import type { ZoneJobs } from '../zones/index.ts';
import { zoneJobs } from '../zones/index.ts';

/** Every kind of job that a pixel thread does: by this table the compiler checks inputs and outputs. */
export type PixelJobs = AreaJobs &
  BulkJobs &
  ClassJobs &
  ComposeJobs &
  CoverageJobs &
  DecodeJobs &
  ExportJobs &
  FieldFileJobs &
  LayerJobs &
  RenderJobs &
  StatisticsJobs &
  TerrainJobs &
  WatchJobs &
  ZoneJobs;

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
    ...makeMosaicJobs(tools),
    ...makeTerrainJobs(tools),
    ...makeExportJobs(tools),
    ...makeStatisticsJobs(tools),
    ...makeBulkJobs(tools),
    ...makeLayerJobs(tools),
    ...zoneJobs,
    ...classJobs,
    ...makeCoverageJobs(tools),
    ...makeDecodeJobs(tools),
    ...areaJobs,
    ...watchJobs,
    ...fieldFileJobs,
  };
});
