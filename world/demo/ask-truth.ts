import type { Sensor } from '../../src/sensors/index.ts';
import { makeClimate } from '../climate/climate.ts';
import { makeGround } from '../ground/index.ts';
import { WORLD_SEED } from '../ground/world.ts';
import type { SkyPlan } from '../light/exposure.ts';
import { DAY_MS, toDay } from '../setting.ts';
import type { DemoPart } from './demo-part.ts';
import { planSet } from './plan-set.ts';
import type { Truth } from './truth.ts';
import { findTruth, noonOf, toLocalPoint } from './truth.ts';

/** A question about the demo world. */
export interface TruthQuestion {
  readonly longitude: number;
  readonly latitude: number;
  /** Such as 2026-06-21. */
  readonly date: string;
  readonly sensor: Sensor;
}

/** The truth at the location, and its time: that of a scene, or noon if there is none on the day. */
export interface TruthAnswer extends Truth {
  readonly at: string;
  readonly hasScene: boolean;
}

/** Makes the world and looks at one location: some seconds of work. */
export function askTruth({ longitude, latitude, date, sensor }: TruthQuestion): TruthAnswer {
  const point = toLocalPoint(longitude, latitude);
  const climate = makeClimate(WORLD_SEED);
  const shot = findShot(planSet('standard', climate), {
    dataset: sensor.dataset,
    day: toDay(date),
    point,
  });
  const atMs = shot?.atMs ?? noonOf(toDay(date));
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const truth = findTruth(world, point, { sensor, atMs, sky: shot?.sky ?? null });
  return { ...truth, at: new Date(atMs).toISOString(), hasScene: shot !== null };
}

/** When a scene of the demo was taken, and through which sky; null where clouds have no part in it. */
interface ShotMoment {
  readonly atMs: number;
  readonly sky: SkyPlan | null;
}

interface ShotQuestion {
  readonly dataset: string;
  /** Counted from 1970. */
  readonly day: number;
  readonly point: { readonly x: number; readonly y: number };
}

/** The first scene of a dataset on a day whose window holds a location; null when the demo has none. */
export function findShot(
  parts: readonly DemoPart[],
  { dataset, day, point }: ShotQuestion,
): ShotMoment | null {
  for (const part of parts) {
    if (datasetOf(part) !== dataset || part.plan === null || !('atMs' in part.plan)) continue;
    if (Math.floor(part.plan.atMs / DAY_MS) !== day || !holds(part, point)) continue;
    return { atMs: part.plan.atMs, sky: 'sky' in part.plan ? part.plan.sky : null };
  }
  return null;
}

function holds({ plan }: DemoPart, point: ShotQuestion['point']): boolean {
  if (plan !== null && 'cropM' in plan) {
    return (
      plan.cropM === null || Math.max(Math.abs(point.x - plan.x), Math.abs(point.y - plan.y)) < plan.cropM / 2
    );
  }
  if (plan === null || !('window' in plan) || plan.window === undefined) return true;
  const { window } = plan;
  const [width, height] =
    'widthM' in window ? [window.widthM, window.heightM] : [window.width, window.height];
  const [x, y] = [point.x - window.x, point.y - window.y];
  return x >= 0 && y >= 0 && x < width && y < height;
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
