import type { JobReads, WindowRequest } from '../blocks/index.ts';
import { toWindowRequest } from './heights/read-lattice.ts';
import type { HeightsPlan, MosaicPiece } from './plan/heights-plan.ts';
import type { TerrainJobs } from './terrain-jobs.ts';
import type { TerrainPlan } from './tiles/terrain-plan.ts';

/** What the jobs of terrain read of files, so that it can be fetched before they take a thread. */
export const terrainReads: JobReads<TerrainJobs> = {
  // Most tiles are of local files, and parsing a plan takes as long as reading it: an address shows in the text.
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
