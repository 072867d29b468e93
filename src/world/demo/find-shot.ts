import { DAY_MS } from '../calendar.ts';
import type { SkyPlan } from '../light/exposure.ts';
import type { DemoPart } from './demo-part.ts';

/** When a scene of the demo was taken, and through which sky; null where clouds have no part in it. */
export interface ShotMoment {
  readonly atMs: number;
  readonly sky: SkyPlan | null;
}

/** The first scene of a dataset on a day (counted from 1970); null when the demo has none. */
export function findShot(parts: readonly DemoPart[], dataset: string, day: number): ShotMoment | null {
  for (const part of parts) {
    if (datasetOf(part) !== dataset || part.plan === null || !('atMs' in part.plan)) continue;
    if (Math.floor(part.plan.atMs / DAY_MS) !== day) continue;
    return { atMs: part.plan.atMs, sky: 'sky' in part.plan ? part.plan.sky : null };
  }
  return null;
}

function datasetOf(part: DemoPart): string | null {
  switch (part.kind) {
    case 'sentinel2-l1c':
      return 'sentinel2';
    case 'sentinel2-l2a':
      return 'sentinel2l2a';
    case 'landsat':
      return part.plan.mission;
    case 'cbers4':
      return `cbers4${part.plan.camera.toLowerCase()}`;
    case 'terrain':
    case 'weather':
      return null;
    default:
      return part.kind;
  }
}
