import type { RenderPlan } from '../plan/render-plan.ts';
import type { ComparedScene } from './earlier-scene.ts';

/** A plan and the scene it is of. */
export interface PlannedScene {
  readonly plan: RenderPlan;
  readonly scene: ComparedScene;
}
