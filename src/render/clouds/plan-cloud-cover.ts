import type { Scene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { CloudPlan } from '../plan/cloud-plan.ts';
import { estimateClouds } from './estimate-clouds.ts';
import { planClouds } from './plan-clouds.ts';

/** Clouds that a picture is covered with. */
export interface CloudCover {
  /** Six hexadecimal digits. */
  readonly color: string;
}

/** Clouds that a picture is covered with, and where they are; plain JSON. */
export interface CloudCoverPlan extends CloudCover {
  readonly plan: CloudPlan;
}

interface CoverRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly grid: Grid;
}

/** Plans the clouds over a picture, those that count by default for the sensor; refuses where their positions are unknown. */
export function planCloudCover({ color }: CloudCover, { scene, sensor, grid }: CoverRequest): CloudCoverPlan {
  const { cloud } = sensor;
  const onlyOpaque = 'onlyOpaqueByDefault' in cloud && cloud.onlyOpaqueByDefault;
  const plan = planClouds({ scene, sensor, grid, onlyOpaque });
  if (plan === null) throw unsupported('no-cloud-mask', toReason(sensor));
  return { color, plan };
}

function toReason({ title, cloud }: Sensor): string {
  switch (cloud.kind) {
    case 'none':
      return `There are no clouds to be masked in pictures of ${title}: ${cloud.why}`;
    case 'masked':
      return `There are no clouds to be masked in pictures of ${title}: they are transparent already.`;
    case 'scene-percent':
      return `Of ${title} only the cloud cover of whole scenes is known, not where the clouds are.`;
    default:
      return 'This scene comes without a cloud mask.';
  }
}

/** The memory of covering a picture: of reading the clouds, and a byte a pixel each for where the scene has data and for the picture's area. */
export function estimateCover(cover: CloudCoverPlan | null, grid: Grid): number {
  return cover === null ? 0 : estimateClouds(cover.plan, grid) + 2 * grid.width * grid.height;
}
