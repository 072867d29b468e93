import type { TypedTree } from '../bandmath/index.ts';
import type { Scene } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import { planBandInput } from '../render/index.ts';
import type { Sensor } from '../sensors/index.ts';

/**
 * The scene with a sun in the zenith if it does not say how high the sun stood: some copies of products come without
 * metadata. The sun divides all bands alike, so that indices that are ratios do not depend on it; a note says so.
 */
export const withSun = <Kind extends Scene>(scene: Kind): Kind =>
  scene.sunElevationDeg === null ? { ...scene, sunElevationDeg: 90 } : scene;

/** Whether values of a scene would depend on a sun that its metadata do not state. */
export function isSunMissing(scene: Scene, sensor: Sensor, trees: readonly TypedTree[]): boolean {
  if (scene.sunElevationDeg !== null) return false;
  return trees.some(({ inputs }) => inputs.some(({ band }) => needsSun(scene, sensor, band)));
}

function needsSun(scene: Scene, sensor: Sensor, band: string): boolean {
  try {
    planBandInput({ scene, sensor, band, calibrated: true });
    return false;
  } catch (error) {
    if (isSwathError(error)) return error.code === 'sun-unknown';
    throw error;
  }
}
