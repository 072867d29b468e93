/** Everything the ground is made of; how each reflects is in `light/spectra.ts`. */
export const materials = [
  'deep-water',
  'shallow-water',
  'turbid-water',
  'lake-water',
  'beach-sand',
  'mudflat',
  'pale-soil',
  'dark-soil',
  'red-soil',
  'wet-soil',
  'green-crop',
  'blue-green-crop',
  'flowering-crop',
  'dry-crop',
  'stubble',
  'meadow',
  'dry-grass',
  'shrub',
  'broadleaf',
  'autumn-broadleaf',
  'bare-broadleaf',
  'conifer',
  'marsh-plants',
  'rock',
  'scree',
  'fresh-snow',
  'old-snow',
  'asphalt',
  'concrete',
  'tile-roof',
  'metal-roof',
  'dark-roof',
  'char',
  'ash',
  'flood-water',
] as const;
export type Material = (typeof materials)[number];

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

/** What a material is in addition to its colour. */
export interface MaterialTraits {
  /** Share of green leaves seen from above. */
  readonly green: number;
  readonly water: number;
  readonly snow: number;
  /** Water of the ground below it against the plain's open soil; of water itself always full. */
  readonly moist: number;
  readonly rough: number;
  /** Share of fallen snow that is seen on it: little below trees, none on water. */
  readonly hold: number;
  /** How much of it a wildfire turns to char. */
  readonly fuel: number;
}

const traits = (
  green: number,
  water: number,
  snow: number,
  moist: number,
  rough: number,
  hold: number,
  fuel: number,
): MaterialTraits => ({ green, water, snow, moist, rough, hold, fuel });

/** Columns: green, water, snow, moist, rough, hold, fuel. */
export const materialTraits: Readonly<Record<Material, MaterialTraits>> = {
  'deep-water': traits(0, 1, 0, 9, 0, 0, 0),
  'shallow-water': traits(0, 1, 0, 9, 0, 0, 0),
  'turbid-water': traits(0, 1, 0, 9, 0, 0, 0),
  'lake-water': traits(0, 1, 0, 9, 0, 0, 0),
  'beach-sand': traits(0, 0, 0, 0.5, 0.12, 0.8, 0),
  mudflat: traits(0.02, 0, 0, 1.9, 0.06, 0.3, 0),
  'pale-soil': traits(0, 0, 0, 0.85, 0.2, 1, 0),
  'dark-soil': traits(0, 0, 0, 1.15, 0.22, 1, 0),
  'red-soil': traits(0, 0, 0, 1, 0.22, 1, 0),
  'wet-soil': traits(0, 0, 0, 1.4, 0.2, 0.9, 0),
  'green-crop': traits(1, 0, 0, 1, 0.42, 0.9, 0.3),
  'blue-green-crop': traits(1, 0, 0, 1, 0.38, 0.9, 0.3),
  'flowering-crop': traits(0.75, 0, 0, 1, 0.45, 0.9, 0.3),
  'dry-crop': traits(0.03, 0, 0, 0.9, 0.4, 0.9, 0.9),
  stubble: traits(0.02, 0, 0, 0.85, 0.26, 1, 0.8),
  meadow: traits(0.95, 0, 0, 1.05, 0.3, 1, 0.5),
  'dry-grass': traits(0.12, 0, 0, 0.8, 0.3, 1, 1),
  shrub: traits(0.8, 0, 0, 1, 0.6, 0.5, 1),
  broadleaf: traits(0.97, 0, 0, 1.05, 0.95, 0.2, 0.95),
  'autumn-broadleaf': traits(0.4, 0, 0, 1.05, 0.9, 0.3, 0.95),
  'bare-broadleaf': traits(0.1, 0, 0, 1.05, 0.8, 0.35, 0.9),
  conifer: traits(0.95, 0, 0, 1, 1, 0.06, 1),
  'marsh-plants': traits(0.7, 0.1, 0, 1.8, 0.45, 0.7, 0.4),
  rock: traits(0, 0, 0, 0.35, 0.65, 0.75, 0.1),
  scree: traits(0, 0, 0, 0.4, 0.55, 0.95, 0.1),
  'fresh-snow': traits(0, 0, 1, 0.9, 0.12, 1, 0),
  'old-snow': traits(0, 0, 1, 1, 0.18, 1, 0),
  asphalt: traits(0, 0, 0, 0.4, 0.35, 0.35, 0),
  concrete: traits(0, 0, 0, 0.4, 0.5, 0.4, 0),
  'tile-roof': traits(0, 0, 0, 0.4, 1, 0.6, 0),
  'metal-roof': traits(0, 0, 0, 0.4, 1, 0.5, 0),
  'dark-roof': traits(0, 0, 0, 0.4, 1, 0.6, 0),
  char: traits(0, 0, 0, 0.75, 0.5, 0.9, 0),
  ash: traits(0, 0, 0, 0.7, 0.4, 0.95, 0),
  'flood-water': traits(0, 1, 0, 9, 0.02, 0, 0),
};
