import type { Climate } from './climate.ts';
import type { Ground } from './ground/ground.ts';

/** All that is needed to take pictures of the demo world. */
export interface World {
  readonly ground: Ground;
  readonly climate: Climate;
}

/** The one demo world that everybody has: the same files on every machine. */
export const WORLD_SEED = 1;
