import { badInput } from '../../src/errors.ts';
import type { Climate } from '../climate/climate.ts';
import { makeNoise } from '../numbers/noise.ts';
import { ringOf, slotsPerBlock } from './base/farm-mesh.ts';
import { traitsPerField } from './base/farm-plan.ts';
import type { GroundBase } from './base/ground-base.ts';
import { makeGroundBase } from './base/ground-base.ts';
import type { Field, Ground } from './ground.ts';
import { paintDay } from './paint/paint.ts';
import { isBaked } from './survey/baked-survey.ts';
import { makeRelief, makeShores } from './survey/height.ts';
import { makeSurvey } from './survey/make-survey.ts';

/** What a ground is made from; `base` saves working it out again on every thread. */
export interface GroundDeps {
  readonly seed: number;
  readonly climate: Climate;
  readonly base?: GroundBase;
}

/** Makes the landscape of a seed. */
export function makeGround({ seed, climate, base = makeGroundBase(seed) }: GroundDeps): Ground {
  if (base.seed !== seed) {
    throw badInput(
      'ground-base-seed',
      `The ground base is of seed ${base.seed}, the ground of seed ${seed}.`,
    );
  }
  const noise = makeNoise(seed);
  const shores = makeShores(base, noise);
  const relief = makeRelief(base, noise, shores);
  const { farm } = base;
  const sample = { heightM: 0, slopeX: 0, slopeY: 0 };

  const toField = (id: number): Field => {
    const at = farm.slotOfField[id - 1]!;
    const slot = at % slotsPerBlock;
    const ring = ringOf(farm.mesh, { block: (at - slot) / slotsPerBlock, slot, seed: farm.meshSeed });
    return { id, ring: ring.map(({ x, y }) => [x, y] as const) };
  };

  return {
    survey: (locations) => makeSurvey({ base, noise, shores, relief }, locations),
    paint(survey, day, palette) {
      if (!isBaked(survey)) {
        throw badInput('survey-not-baked', 'Only a survey that a ground made can be painted.');
      }
      return paintDay({ climate, farm, cropSeed: noise.salt(170) }, survey, { day, palette });
    },
    heightAt(x, y, sideM = 1) {
      if (shores.inlandM(x, y) <= 0) return 0;
      relief.sample(x, y, sideM, sample);
      return Math.max(0, sample.heightM);
    },
    coarseHeightAt(x, y) {
      relief.sample(x, y, 320, sample);
      return Math.max(0, sample.heightM);
    },
    fieldsIn({ minX, minY, maxX, maxY }) {
      const found: Field[] = [];
      for (let id = 1; id <= farm.slotOfField.length; id++) {
        const x = farm.traits[(id - 1) * traitsPerField]!;
        const y = farm.traits[(id - 1) * traitsPerField + 1]!;
        if (x >= minX && x < maxX && y >= minY && y < maxY) found.push(toField(id));
      }
      return found;
    },
  };
}
