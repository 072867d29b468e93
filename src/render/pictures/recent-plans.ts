import { makeLru } from '../../lru.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import type { PictureRequest } from './plan-picture.ts';
import type { PlannedPicture, ScenePictureRequest } from './planned-picture.ts';

/** Plans a picture of a scene that was found. */
type PlanOfScene = (request: ScenePictureRequest, scene: ComparedScene) => PlannedPicture;

/** A plan takes some kilobytes; the screens of a few dozen people. */
const MOST_REMEMBERED = 2_048;

/**
 * Remembers the last plans: a plan is pure, and one that is asked for again (a tile that many look at, or that a client
 * asks about with If-None-Match) costs more than all else about its answer.
 */
export function rememberPlans(makePlan: PlanOfScene): PlanOfScene {
  const known = makeLru<PlannedPicture>({ max: MOST_REMEMBERED });
  return (request, scene) => {
    const key = toRequestKey(request);
    if (key === null) return makePlan(request, scene);
    const { viewId, version, earlier } = scene;
    const name = JSON.stringify([viewId, version, earlier?.viewId, earlier?.version, key]);
    return known.remember(name, () => makePlan(request, scene));
  };
}

/** Outlines and custom tables of colours are too long to be compared: such a request is planned each time. */
function toRequestKey({ sensor, bands, grid, options }: PictureRequest): string | null {
  if (options.area !== null || options.color.colormap?.kind === 'custom') return null;
  return JSON.stringify([sensor.abbreviation, bands, grid, options]);
}
