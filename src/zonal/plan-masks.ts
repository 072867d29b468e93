import type { Scene } from '../catalog/index.ts';
import type { Grid } from '../geo/index.ts';
import type { CloudPlan } from '../render/index.ts';
import { isOpaqueByDefault, planClasses, planClouds } from '../render/index.ts';
import type { Sensor } from '../sensors/index.ts';
import type { ClassLevel } from './statistics-order.ts';

/** Pixels that a file of a scene marks, and what they are to the statistics; plain JSON. */
export interface PlannedMask {
  readonly plan: CloudPlan;
  /** The scene whose file it is. */
  readonly viewId: string;
  readonly sceneVersion: string;
  readonly means: MaskMeaning;
}

/**
 * What marked pixels are: clouds that are counted, clouds that are also left out of the statistics, or no data at all.
 */
export type MaskMeaning = 'counted' | 'masked' | 'no-data';

/** A scene with its sensor. */
export interface SensedScene {
  readonly scene: Scene;
  readonly sensor: Sensor;
}

interface MaskRequest extends SensedScene {
  readonly grid: Grid;
  /** Whether the scene's own clouds are left out of the statistics. */
  readonly masksClouds: boolean;
  /** Null for none. */
  readonly level: ClassLevel | null;
  /** The scene that has the classification: the same one, or its Level-2A; null if there is none. */
  readonly classified: SensedScene | null;
}

/** Plans all that is read of clouds on a grid. Marks of several masks add up. Pure. */
export function planMasks(request: MaskRequest): readonly PlannedMask[] {
  const { scene, sensor, grid, masksClouds, level, classified } = request;
  const own = planClouds({ scene, sensor, grid, onlyOpaque: isOpaqueByDefault(sensor), isExact: true });
  const masks: PlannedMask[] = [];
  if (own !== null) masks.push(toMask(own, scene, masksClouds ? 'masked' : 'counted'));
  if (level === null || classified === null || classified.sensor.cloud.kind !== 'classes') return masks;
  const { band, levels, invalid } = classified.sensor.cloud;
  const add = (classes: readonly number[], means: MaskMeaning): void => {
    const plan = planClasses({ band, classes }, { ...classified, grid });
    if (plan !== null) masks.push(toMask(plan, classified.scene, means));
  };
  add(levels[level], 'masked');
  add(invalid, 'no-data');
  return masks;
}

const toMask = (plan: CloudPlan, { viewId, version }: Scene, means: MaskMeaning): PlannedMask => ({
  plan,
  viewId,
  sceneVersion: version,
  means,
});
