import { makeProjection } from '../../src/proj/index.ts';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { findTruth, toLocalPoint } from '../../world/demo/truth.ts';
import { epsg, frame } from '../../world/setting.ts';
import { openWorld } from '../world/shared-world.ts';

/** A field of the demo world. */
export interface DemoField {
  /** Longitudes and latitudes, closed. */
  readonly ring: readonly (readonly [number, number])[];
  /** Mean NDVI of its pixels at a time, below a clear sky. */
  trueNdvi(atMs: number): number;
}

/** The middle of the ground that the demo has most scenes of. */
const MIDDLE = [-122.4025, 48.2216] as const;
const NEAR_M = 1500;

/** A field of some hectares there. */
export async function findDemoField(): Promise<DemoField> {
  const world = await openWorld();
  const sensor = sensorByDataset('sentinel2l2a');
  if (sensor === null) throw new Error('There is no Sentinel-2 L2A.');
  const { x, y } = toLocalPoint(...MIDDLE);
  const near = world.ground.fieldsIn({
    minX: x - NEAR_M,
    minY: y - NEAR_M,
    maxX: x + NEAR_M,
    maxY: y + NEAR_M,
  });
  const { inverse } = makeProjection(4326, epsg);
  for (const field of near) {
    const [xs, ys] = [field.ring.map(([east]) => east), field.ring.map(([, south]) => south)];
    const sideM = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    if (sideM < 250 || sideM > 800) continue;
    const middle = {
      x: xs.slice(1).reduce((sum, one) => sum + one, 0) / (xs.length - 1),
      y: ys.slice(1).reduce((sum, one) => sum + one, 0) / (ys.length - 1),
    };
    const readTruth = (atMs: number) => findTruth(world, middle, { sensor, atMs, sky: null }).field;
    if (readTruth(Date.parse('2026-06-21T19:10:00Z'))?.id !== field.id) continue;
    return {
      ring: field.ring.map(([east, south]) => {
        const [lon, lat] = inverse(frame.west + east, frame.north - south);
        return [lon, lat] as const;
      }),
      trueNdvi: (atMs) => readTruth(atMs)?.meanNdvi ?? Number.NaN,
    };
  }
  throw new Error('The demo world has no such field.');
}
