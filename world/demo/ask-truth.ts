import type { Sensor } from '../../src/sensors/index.ts';
import { toDay } from '../calendar.ts';
import { makeClimate } from '../climate.ts';
import { makeGround } from '../ground/index.ts';
import type { Truth } from '../truth.ts';
import { findTruth, noonOf, toLocalPlace } from '../truth.ts';
import { WORLD_SEED } from '../world.ts';
import { findShot } from './find-shot.ts';
import { planSet } from './plan-set.ts';

/** A question about the demo world. */
export interface TruthQuestion {
  readonly longitude: number;
  readonly latitude: number;
  /** Such as 2026-06-21. */
  readonly date: string;
  readonly sensor: Sensor;
}

/** What is true there, and the moment it was asked for: that of a scene, or noon when there is none of the day. */
export interface TruthAnswer extends Truth {
  readonly at: string;
  readonly hasScene: boolean;
}

/** Makes the world and looks at one place: some seconds of work. */
export function askTruth({ longitude, latitude, date, sensor }: TruthQuestion): TruthAnswer {
  const place = toLocalPlace(longitude, latitude);
  const climate = makeClimate(WORLD_SEED);
  const shot = findShot(planSet('standard', climate), {
    dataset: sensor.dataset,
    day: toDay(date),
    place,
  });
  const atMs = shot?.atMs ?? noonOf(toDay(date));
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const truth = findTruth(world, place, { sensor, atMs, sky: shot?.sky ?? null });
  return { ...truth, at: new Date(atMs).toISOString(), hasScene: shot !== null };
}
