import { makePause } from '../../async/index.ts';
import type { SurveyJobs, WindowFindings } from '../../blocks/index.ts';
import { makeSurveyWindows } from '../../blocks/index.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import { toShownFile } from '../../net/index.ts';
import type { JobRunner, Ticket } from '../../pool/index.ts';
import type { PixelWindow, ResampleMethod } from '../../raster/index.ts';
import { toWindowRequest } from '../heights/read-lattice.ts';
import type { HeightsPlan } from '../plan/plan-heights.ts';
import type { LatticePlan, MosaicPiece } from '../plan/plan-lattices.ts';
import type { PlannedTile } from '../tiles/terrain-tiles.ts';
import { toAreaGrid, toReadGrid } from '../values/area-statistics.ts';
import type { Location } from '../values/read-elevation.ts';
import { planFirstPatch, toPixelGrid } from '../values/read-elevation.ts';
import type { PlanDeps } from '../values/read-grid.ts';
import { onHeights } from '../values/read-grid.ts';
import type { ProfileRequest } from '../values/read-profile.ts';
import { sampleLine, toLocation } from '../values/read-profile.ts';

/** A window of a file of an elevation model that is read. */
interface ExplainedWindow extends WindowFindings {
  readonly dem: string;
  readonly file: ReturnType<typeof toShownFile>;
  /** Counted from 0. */
  readonly bandIndex: number;
  /** 0 is the full image, 1 its first overview. */
  readonly level: number;
  readonly window: PixelWindow;
  readonly method: ResampleMethod;
  /** Metres are stored numbers times the scale, plus the offset. */
  readonly scale: number;
  readonly offset: number;
}

/** What heights are read from; plain JSON without secrets. */
interface ExplainedHeights {
  readonly grid: Grid;
  /** By their rank: the next one is read only where those before it know no height. */
  readonly models: readonly string[];
  /** No model knows anything here. */
  readonly isUnknown: boolean;
  readonly inputs: readonly ExplainedWindow[];
  readonly steps: readonly TerrainStep[];
  /** Estimated pixel memory. */
  readonly bytes: number;
  readonly limitBytes: number;
}

/** One step of the work, and the stage under which its time is reported. */
interface TerrainStep {
  readonly step: string;
  readonly stage: string;
  /** What is done, for a person. */
  readonly detail: string;
}

/** Says what an answer about terrain is read from, without reading a pixel. */
export interface TerrainExplainer {
  tile(tile: PlannedTile, ticket: Ticket): Promise<ExplainedHeights>;
  point(location: Location, ticket: Ticket): Promise<ExplainedHeights>;
  profile(request: ProfileRequest, ticket: Ticket): Promise<ExplainedHeights>;
  area(
    request: { readonly bounds: LonLatBounds; readonly isFiltered: boolean },
    ticket: Ticket,
  ): Promise<ExplainedHeights>;
}

interface ExplainerDeps extends PlanDeps {
  readonly pool: JobRunner<SurveyJobs>;
}

/** Builds it over the plans of terrain. */
export function makeTerrainExplainer({ findModels, maxBytes, pool }: ExplainerDeps): TerrainExplainer {
  const surveyWindows = makeSurveyWindows(pool);

  /** Heights of a grid, as `readHeights` reads them, and what is made of them. */
  async function explainPlan(
    plan: HeightsPlan,
    made: TerrainStep,
    ticket: Ticket,
  ): Promise<ExplainedHeights> {
    const inputs = await explainReads(listReads(plan), ticket);
    const methods = [...new Set(inputs.map(({ method }) => method))].join(', ');
    const { width, height } = plan.grid;
    const stage = made.stage === 'relief' ? 'read' : made.stage;
    return {
      grid: plan.grid,
      models: plan.models.map(({ dem }) => dem),
      isUnknown: plan.models.length === 0,
      inputs,
      steps: [
        toReadStep(inputs, stage),
        ...(plan.isFiltered
          ? [{ step: 'filter', stage, detail: 'spikes, small voids and steps are removed' }]
          : []),
        ...(inputs.length === 0
          ? []
          : [{ step: 'warp', stage, detail: `${methods} onto ${width} × ${height} pixels` }]),
        made,
      ],
      bytes: plan.bytes,
      limitBytes: maxBytes,
    };
  }

  async function explainReads(
    reads: readonly PlannedRead[],
    ticket: Ticket,
  ): Promise<readonly ExplainedWindow[]> {
    // Tiles of a pyramid are files of their own, which their reader opens.
    const opened = reads.filter(({ piece }) => piece.format !== 'terrarium');
    const findings = await surveyWindows(
      opened.map(({ piece }) => toWindowRequest(piece)),
      ticket,
    );
    return reads.map((read) => toExplained(read, findings[opened.indexOf(read)] ?? UNREAD));
  }

  const toPlan = (
    request: { readonly grid: Grid; readonly isFiltered: boolean; readonly method?: ResampleMethod },
    made: TerrainStep,
    ticket: Ticket,
  ): Promise<ExplainedHeights> =>
    onHeights(request, { findModels, maxBytes }, (plan) => explainPlan(plan, made, ticket));

  async function explainLocations(
    locations: readonly Location[],
    made: TerrainStep,
    ticket: Ticket,
  ): Promise<ExplainedHeights> {
    const [first] = locations as readonly [Location];
    const pieces = new Map<string, MosaicPiece>();
    const models = new Set<string>();
    const pause = makePause();
    for (const location of locations) {
      await pause();
      const found = await findModels({
        grid: toPixelGrid(location),
        isFiltered: false,
        isRenewed: false,
      });
      for (const { dem } of found.models) models.add(dem.name);
      const piece = planFirstPatch(found, location);
      if (piece !== null) pieces.set(JSON.stringify([piece.id, piece.read.window]), piece);
    }
    // Where no file surrounds the location, pixels of several files or models decide.
    if (pieces.size === 0) {
      return toPlan({ grid: toPixelGrid(first), isFiltered: false, method: 'bilinear' }, made, ticket);
    }
    const inputs = await explainReads(
      [...pieces.values()].map((piece) => ({ piece, method: 'bilinear' })),
      ticket,
    );
    const bytes = [...pieces.values()].reduce(
      (sum, { read: { window } }) => Math.max(sum, 4 * FLOAT_BYTES * window.width * window.height),
      0,
    );
    return {
      grid: toPixelGrid(first),
      models: [...models],
      isUnknown: models.size === 0,
      inputs,
      steps: [toReadStep(inputs, made.stage), made],
      bytes,
      limitBytes: maxBytes,
    };
  }

  return {
    tile: ({ plan: { heights, product } }, ticket) =>
      explainPlan(heights, { step: 'draw', stage: 'relief', detail: product.kind }, ticket),
    point: (location, ticket) => explainLocations([location], INTERPOLATE, ticket),
    profile: ({ line, samples }, ticket) =>
      explainLocations(sampleLine(line, samples).map(toLocation), INTERPOLATE, ticket),
    area: ({ bounds, isFiltered }, ticket) =>
      toPlan({ grid: toReadGrid(toAreaGrid(bounds)), isFiltered }, MEASURE, ticket),
  };
}

const FLOAT_BYTES = 4;
const UNREAD: WindowFindings = { survey: null, problem: null };

const INTERPOLATE: TerrainStep = {
  step: 'interpolate',
  stage: 'run',
  detail: 'bilinear, between four pixels',
};
const MEASURE: TerrainStep = {
  step: 'measure',
  stage: 'run',
  detail: 'heights and slopes of the pixels in the area',
};

/** A window that a plan reads. */
interface PlannedRead {
  readonly piece: MosaicPiece;
  readonly method: ResampleMethod;
}

const listReads = ({ models }: HeightsPlan): readonly PlannedRead[] =>
  models.flatMap(({ mosaics }) =>
    mosaics.flatMap((mosaic) => [mosaic, ...mosaic.around].flatMap(listLattice)),
  );

const listLattice = ({ warp: { method }, pieces }: LatticePlan): readonly PlannedRead[] =>
  pieces.map((piece) => ({ piece, method }));

const toExplained = ({ piece, method }: PlannedRead, findings: WindowFindings): ExplainedWindow => ({
  dem: piece.band,
  file: toShownFile(piece.href),
  bandIndex: piece.bandIndex,
  level: piece.read.level,
  window: piece.read.window,
  method,
  scale: piece.scale,
  offset: piece.offset,
  ...findings,
});

const toReadStep = (inputs: readonly ExplainedWindow[], stage: string): TerrainStep => ({
  step: 'read',
  stage,
  detail: `windows: ${inputs.length}; elevation models: ${new Set(inputs.map(({ dem }) => dem)).size}`,
});
