import type { Material } from '../materials.ts';
import { materials } from '../materials.ts';

/** Weights of materials that sum to 1. Written by starting with one and covering it with others. */
export interface Mixture {
  readonly weights: Float64Array;
  start(material: Material): Mixture;
  cover(material: Material, share: number): Mixture;
}

const numbers = new Map<Material, number>(materials.map((material, i) => [material, i]));

/** Makes a mixture to reuse. */
export function makeMixture(): Mixture {
  const weights = new Float64Array(materials.length);
  const mixture: Mixture = {
    weights,
    start(material) {
      weights.fill(0);
      weights[numbers.get(material)!] = 1;
      return mixture;
    },
    cover(material, share) {
      if (share <= 0) return mixture;
      const part = share < 1 ? share : 1;
      for (let i = 0; i < weights.length; i++) weights[i]! *= 1 - part;
      weights[numbers.get(material)!]! += part;
      return mixture;
    },
  };
  return mixture;
}
