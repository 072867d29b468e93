import type { JobReads, ThreadTools, WindowRequest } from '../blocks/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import type { DemFile } from './dem.ts';
import type { HeightTools } from './heights/height-plane.ts';
import { toWindowRequest } from './heights/read-lattice.ts';
import { makeReadPyramid } from './heights/read-pyramid.ts';
import { checkDemFile, renewDemFile } from './ingest/read-dem-file.ts';
import type { HeightsPlan } from './plan/plan-heights.ts';
import type { MosaicPiece } from './plan/plan-lattices.ts';
import type { TerrainDrawJobs } from './tiles/draw-terrain.ts';
import { makeDrawTerrain } from './tiles/draw-terrain.ts';
import type { TerrainPlan } from './tiles/terrain-plan.ts';
import type { AreaStatisticsJobs } from './values/area-statistics.ts';
import { makeAreaStatisticsJob } from './values/area-statistics.ts';
import type { PatchJobs } from './values/read-elevation.ts';
import { makePatchJob } from './values/read-elevation.ts';
import type { HeightsJobs } from './values/read-grid.ts';
import { makeHeightsJob } from './values/read-grid.ts';

/** Jobs of whole files: reading every block, and reading a header again, which a hostile file can make slow. */
type FileJobs = { 'check-dem': JobType<DemFile, null>; 'renew-dem': JobType<DemFile, DemFile> };

/** All terrain jobs, with their input and output types. */
export type TerrainJobs = TerrainDrawJobs & HeightsJobs & PatchJobs & AreaStatisticsJobs & FileJobs;

/** The handlers of terrain, for a thread of the pool. */
export function makeTerrainJobs({
  open,
  jp2Decoder,
  readWindow,
  kernels,
}: ThreadTools): JobHandlers<TerrainJobs> {
  const tools: HeightTools = { readWindow, kernels, readPyramid: makeReadPyramid(open) };
  return {
    terrain: makeDrawTerrain(tools),
    heights: makeHeightsJob(tools),
    'height-patch': makePatchJob(tools),
    'terrain-statistics': makeAreaStatisticsJob(tools),
    'check-dem': async (file, { signal }) => {
      await checkDemFile({ open, jp2Decoder, signal }, file);
      return null;
    },
    'renew-dem': (file, { signal }) => renewDemFile({ open, jp2Decoder, signal }, file),
  };
}

/** The windows that terrain jobs read, so that they can be prefetched before a job takes a thread. */
export const terrainReads: JobReads<TerrainJobs> = {
  // Most tiles read local files, and parsing a plan takes as long as reading them: only one with an address is parsed.
  terrain: ({ planJson }) =>
    planJson.includes('://') ? listPlanReads((JSON.parse(planJson) as TerrainPlan).heights) : [],
  heights: ({ plan }) => listPlanReads(plan),
  'height-patch': (piece) => listPieces([piece]),
  'terrain-statistics': ({ plan }) => listPlanReads(plan),
};

/** The windows of the first model: others are read only where it has gaps, and most tiles have none. */
const listPlanReads = ({ models }: HeightsPlan): readonly WindowRequest[] =>
  models
    .slice(0, 1)
    .flatMap(({ mosaics }) =>
      mosaics.flatMap(({ pieces, around }) => [
        ...listPieces(pieces),
        ...around.flatMap((lattice) => listPieces(lattice.pieces)),
      ]),
    );

/** Tiles of a pyramid are files of their own, which their reader opens. */
const listPieces = (pieces: readonly MosaicPiece[]): readonly WindowRequest[] =>
  pieces.filter(({ format }) => format !== 'terrarium').map(toWindowRequest);
