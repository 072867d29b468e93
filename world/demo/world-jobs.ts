import type { Jp2Encoder } from '../../src/formats/jp2/index.ts';
import { makeJp2Encoder } from '../../src/formats/jp2/index.ts';
import type { JobHandlers, JobType } from '../../src/pool/index.ts';
import { makeClimate } from '../climate/climate.ts';
import type { GroundBase } from '../ground/index.ts';
import { makeGround, makeGroundBase } from '../ground/index.ts';
import type { World } from '../ground/world.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { makeSurveyCache } from '../products/product-deps.ts';
import type { DemoPart } from './demo-part.ts';
import { writePart } from './demo-part.ts';
import type { DemoSize } from './plan-set.ts';
import { planSet } from './plan-set.ts';

/** The job of making one part. */
export interface WorldPartJob {
  readonly part: DemoPart;
  /** Absolute, and empty. */
  readonly folder: string;
  /** The landscape, which all threads share. */
  readonly base: GroundBase;
}

/** Pixels of surveys a thread keeps, at 36 bytes or so each: the grids that a series of scenes shares. */
const KEPT_SURVEY_PIXELS = 3_000_000;

/** The jobs of making the demo. */
export type WorldJobs = {
  'world-plan': JobType<DemoSize, readonly DemoPart[]>;
  'world-ground': JobType<null, GroundBase>;
  'world-part': JobType<WorldPartJob, void>;
};

/** The handlers of these jobs, for a thread of a pool. */
export function makeWorldJobs(): JobHandlers<WorldJobs> {
  const surveys = makeSurveyCache(KEPT_SURVEY_PIXELS);
  let world: World | null = null;
  let jp2Encoder: Jp2Encoder | null = null;
  const worldOf = (base: GroundBase): World => {
    if (world !== null) return world;
    const climate = makeClimate(WORLD_SEED);
    world = { climate, ground: makeGround({ seed: WORLD_SEED, climate, base }) };
    return world;
  };
  return {
    'world-plan': (size) => planSet(size, makeClimate(WORLD_SEED)),
    'world-ground': () => makeGroundBase(WORLD_SEED),
    'world-part'({ part, folder, base }, { signal, report }) {
      jp2Encoder ??= makeJp2Encoder();
      return writePart(part, {
        world: worldOf(base),
        surveys,
        jp2Encoder,
        directory: folder,
        signal,
        onProgress: report,
      });
    },
  };
}
