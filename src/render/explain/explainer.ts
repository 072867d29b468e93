import type { SurveyJobs } from '../../blocks/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import type { JobRunner } from '../../pool/index.ts';
import type { ContrastStore } from '../intensity/find-contrast.ts';
import type { IntensityStore } from '../intensity/find-intensity.ts';
import { makeOnIntensityPlan } from '../intensity/find-intensity.ts';
import type { FindKnownContrast } from '../intensity/known-contrast.ts';
import { makeFindKnownContrast } from '../intensity/known-contrast.ts';
import type { RenderLimits } from '../plan/plan-inputs.ts';
import { makeOnPointPlan } from '../read-point.ts';
import type { CurrentPlans, PictureCache } from '../renderer.ts';
import type { CompareScene, FileWatch } from '../scenes/file-watch.ts';
import { makeExplainInputs } from './explain-inputs.ts';
import type { ExplainPicture } from './explain-picture.ts';
import { makeExplainPicture } from './explain-picture.ts';
import type { ExplainPixels, ExplainSample } from './explain-pixels.ts';
import { makeExplainPixels, makeExplainSample } from './explain-pixels.ts';
import type { ValueExplainer } from './explain-values.ts';
import { makeValueExplainer } from './explain-values.ts';

/** Says what an answer is made of and what making it takes, without reading a pixel. */
export interface Explainer extends ValueExplainer {
  /** By a newer plan if files were replaced since the first. */
  readonly picture: ExplainPicture;
  /** Whether the contrast of a planned picture is known, for pictures that are drawn elsewhere. */
  readonly contrast: FindKnownContrast;
  /** Any plan of pixels with its cost, for answers that are planned elsewhere. */
  readonly pixels: ExplainSample;
  /** The same without a cost, where other limits hold than those of pictures. */
  readonly plan: ExplainPixels;
}

interface ExplainerDeps {
  readonly scenes: SceneStore;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly pictures: PictureCache;
  readonly plans: CurrentPlans;
  readonly pool: JobRunner<SurveyJobs>;
  readonly limits: RenderLimits;
}

/** Builds the explainer over the services that answer. */
export function makeExplainer(deps: ExplainerDeps): Explainer {
  const { contrasts, intensities, pictures, plans, pool, limits } = deps;
  const explainInputs = makeExplainInputs(pool);
  const explainPixels = makeExplainPixels(explainInputs);
  const explainSample = makeExplainSample(explainPixels);
  const findKnownContrast = makeFindKnownContrast({ store: contrasts, limits });
  const explainPicture = makeExplainPicture({ explainInputs, findKnownContrast, pictures, limits });
  return {
    pixels: explainSample,
    plan: explainPixels,
    contrast: findKnownContrast,
    picture: (planned, ticket) => plans.onCurrent(planned, (picture) => explainPicture(picture, ticket)),
    ...makeValueExplainer({
      explainSample,
      onIntensityPlan: makeOnIntensityPlan(deps),
      onPointPlan: makeOnPointPlan(deps),
      intensities,
      limits,
    }),
  };
}
