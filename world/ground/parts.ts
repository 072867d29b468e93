import type { Cover } from './ground.ts';
import type { Material } from './materials.ts';
import { materials } from './materials.ts';

/**
 * What a pixel is mixed from. A part is a material that never changes, a zone whose mixture of materials changes with
 * the day but not with the location, or one of the two states (rich and poor ground) of a field.
 */

/** How many cohorts of clear-cut forest there are: one is cut every third year, each again after 45 years. */
export const cutCohorts = 15;

const zoneCovers = {
  'valley-broadleaf': 'broadleaf-forest',
  'hill-broadleaf': 'broadleaf-forest',
  pasture: 'grass',
  'rough-grass': 'grass',
  lawn: 'grass',
  'alpine-grass': 'grass',
  bushes: 'shrub',
  heath: 'shrub',
  reeds: 'marsh',
  plume: 'sea',
  'river-water': 'river',
  'reservoir-water': 'lake',
} as const satisfies Readonly<Record<string, Cover>>;

/** A mixture that changes with the day. */
export type Zone = keyof typeof zoneCovers;

/** Zones in the order of their parts, which follow the materials'. */
export const zones = Object.keys(zoneCovers) as readonly Zone[];

/** Cover of a zone. */
export const coverOfZone: Readonly<Record<Zone, Cover>> = zoneCovers;

const materialNumber = new Map<string, number>(materials.map((material, i) => [material, i]));

/** Part of a fixed material. */
export function materialPart(material: Material): number {
  return materialNumber.get(material)!;
}

/** Part of a zone. */
export function zonePart(zone: Zone): number {
  return materials.length + zones.indexOf(zone);
}

/** First part of the cohorts of clear-cut forest. */
export const firstCutPart = materials.length + zones.length;

/** First part of fields: field n (from 1) has the parts first + 2 (n - 1) on rich ground and one more on poor. */
export const firstFieldPart = firstCutPart + cutCohorts;
