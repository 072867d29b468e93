import type { Sensor } from '../../src/sensors/index.ts';
import { makeClimate } from '../climate/climate.ts';
import { makeGround } from '../ground/index.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { toDay } from '../setting/calendar.ts';
import { findShot } from './find-shot.ts';
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
