import type { Climate } from '../climate/climate.ts';
import type { Ground } from './ground.ts';

/** All that is needed to take pictures of the demo world. */
export interface World {
  readonly ground: Ground;
  readonly climate: Climate;
}

/** The one demo world: the same files on every machine. */
export const WORLD_SEED = 1;
