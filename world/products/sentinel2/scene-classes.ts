import type { Strip } from './write-group.ts';

/** Classes of the scene classification, by their numbers. */
export const sceneClasses = [
  'nodata',
  'saturated_defective',
  'dark_features',
  'cloud_shadow',
  'vegetation',
  'not_vegetated',
  'water',
  'unclassified',
  'medium_proba_clouds',
  'high_proba_clouds',
  'thin_cirrus',
  'snow_ice',
] as const;
export type SceneClass = (typeof sceneClasses)[number];

const NUMBER = Object.fromEntries(sceneClasses.map((name, number) => [name, number])) as Record<
  SceneClass,
  number
>;

/** Clouds that are brighter than this at 704 nm are surely some. */
const SURELY_CLOUD = 0.4;
/** Darker than this at 865 nm and not water: a slope without sun, or burnt. */
const DARK = 0.06;
/** Share of a pixel from which on it is called by what covers it. */
const MOSTLY = 0.5;
const GREEN = 0.35;

/** Planes that tell how bright a pixel is. */
interface Brightness {
  readonly redEdge: Float32Array;
  readonly nearInfrared: Float32Array;
}

/** Classifies the pixels of a strip by what is known of them. */
export function classifyScene({ exposure, outside }: Strip, brightness: Brightness): Uint8Array {
  const { opaque, cirrus, shadow, painted } = exposure;
  const { redEdge, nearInfrared } = brightness;
  const classes = new Uint8Array(opaque.length);
  for (let i = 0; i < classes.length; i++) {
    if (outside?.[i] === 1) continue;
    if (opaque[i] === 1) {
      classes[i] = redEdge[i]! > SURELY_CLOUD ? NUMBER.high_proba_clouds : NUMBER.medium_proba_clouds;
    } else if (cirrus[i] === 1) classes[i] = NUMBER.thin_cirrus;
    else if (shadow[i] === 1) classes[i] = NUMBER.cloud_shadow;
    else if (painted.snow[i]! >= MOSTLY) classes[i] = NUMBER.snow_ice;
    else if (painted.water[i]! >= MOSTLY) classes[i] = NUMBER.water;
    else if (nearInfrared[i]! < DARK) classes[i] = NUMBER.dark_features;
    else classes[i] = painted.green[i]! >= GREEN ? NUMBER.vegetation : NUMBER.not_vegetated;
  }
  return classes;
}

/** Adds a strip's classes to how often each occurs. */
export function countClasses(classes: Uint8Array, counts: Uint32Array): void {
  for (const number of classes) counts[number]!++;
}

/** Share of each class in percent: of `nodata` among all pixels, of the others among those that were measured. */
export function toPercentages(counts: Uint32Array): Readonly<Record<SceneClass, number>> {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const measured = Math.max(1, all - counts[0]!);
  return Object.fromEntries(
    sceneClasses.map((name, number) => {
      const share = counts[number]! / (name === 'nodata' ? all : measured);
      return [name, Number((100 * share).toFixed(6))];
    }),
  ) as Record<SceneClass, number>;
}
