import type { Grid } from '../../geo/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { planStored } from '../../raster/index.ts';
import type {
  IntensityPlan,
  IntensityRequest,
  IntensityStore,
  OnIntensityPlan,
} from '../intensity/find-intensity.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import { findInputAsset } from '../plan/plan-inputs.ts';
import type { PointPlan } from '../plan/point-plan.ts';
import type { ComparedScene, CoverSource, InputPlan, PixelPlan } from '../plan/render-plan.ts';
import type { OnPointPlan, ScenePointRequest } from '../read-point.ts';
import { POINT_BYTES } from '../read-point.ts';
import type { ExplainedScene } from './explain-picture.ts';
import { listScenes } from './explain-picture.ts';
import type { ExplainedSample, ExplainSample } from './explain-pixels.ts';

/** What an intensity range is measured on. */
export interface ExplainedIntensity {
  readonly scenes: readonly ExplainedScene[];
  /** Whether the answer was measured before and is stored. */
  readonly isStored: boolean;
  /** Whether the ranges are those of natural colour, which are not measured. */
  readonly isFixed: boolean;
  /** Where the cloud cover is known from. */
  readonly cover: CoverSource;
  /** One for each channel, then the one in which clouds are counted. */
  readonly samples: readonly ExplainedSample[];
}

/** What the value at a point is computed from. */
export interface ExplainedPoint extends Omit<ExplainedSample, 'grid'> {
  readonly scenes: readonly ExplainedScene[];
}

/** Explains intensity ranges and point values without reading a pixel. */
export interface ValueExplainer {
  intensity(request: IntensityRequest, ticket: Ticket): Promise<ExplainedIntensity>;
  point(request: ScenePointRequest, ticket: Ticket): Promise<ExplainedPoint>;
}

interface ValueExplainerDeps {
  readonly explainSample: ExplainSample;
  readonly onIntensityPlan: OnIntensityPlan;
  readonly onPointPlan: OnPointPlan;
  readonly intensities: Pick<IntensityStore, 'find'>;
  readonly limits: RenderLimits;
}

/** Builds it. */
export function makeValueExplainer(deps: ValueExplainerDeps): ValueExplainer {
  const { explainSample, onIntensityPlan, onPointPlan, intensities, limits } = deps;

  return {
    intensity: (request, ticket) =>
      onIntensityPlan(request, async ({ key, scene }, makePlan) => {
        const isStored = (await intensities.find(key)) !== null;
        const { fixed, expressions, cover, coverJob } = makePlan();
        const planned = expressions.flatMap(({ text, samples }) =>
          samples.map(({ sample, bytes }) => ({ bands: text, plan: sample, bytes })),
        );
        const samples: ExplainedSample[] = [];
        for (const one of [...planned, ...toCounted(coverJob)])
          samples.push(await explainSample({ ...one, limits: limits.sample }, ticket));
        const scenes = listScenes(toRef(scene), scene.earlier);
        return { scenes, isStored, isFixed: fixed !== null, cover, samples };
      }),

    point: (asked, ticket) =>
      onPointPlan(asked, async (plan, scene) => {
        const { bands } = asked;
        const request = { bands, plan: toPixelPlan(plan, scene), bytes: POINT_BYTES, limits };
        const { grid: _, ...explained } = await explainSample(request, ticket);
        return { scenes: listScenes(plan, scene.earlier), ...explained };
      }),
  };
}

/** The sample in which clouds are counted, with their mask. */
function toCounted(coverJob: IntensityPlan['coverJob']) {
  if (coverJob === null) return [];
  const { sample, clouds } = coverJob.job;
  const { viewId, sceneVersion } = sample;
  const masks = [{ viewId, sceneVersion, plan: clouds }];
  return [{ bands: 'clouds', plan: sample, masks, bytes: coverJob.bytes }];
}

const toRef = ({ viewId, version }: ComparedScene) => ({ viewId, sceneVersion: version });

/** The plan of a point as one of pixels: each input is read where the point lies, at full resolution. */
function toPixelPlan({ viewId, sceneVersion, tree, inputs }: PointPlan, scene: ComparedScene): PixelPlan {
  const planned = inputs.map(({ pixel, second: _, ...input }): InputPlan => {
    const asset = findInputAsset(scene, input);
    const warp = pixel === null ? null : planStored(asset, { ...pixel, width: 1, height: 1 });
    return { ...input, table: null, warp };
  });
  const grid: Grid = { epsg: 4326, transform: [0, 1, 0, 0, 0, 1], width: 1, height: 1 };
  return { viewId, sceneVersion, grid, tree, inputs: planned };
}
