import type { Material } from './materials.ts';

/** Locations on the ground, row after row, as an instrument's pixels lie there. */
export interface Locations {
  readonly width: number;
  readonly height: number;
  /** Centres in local metres (`setting.ts`), one each a pixel. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Side of the square of ground a pixel stands for: edges and small things are blurred to it. */
  readonly sideM: number;
}

/** What most of a pixel is covered with. The numbers are those of `Painted.cover`. */
export const covers = [
  'sea',
  'lake',
  'river',
  'beach',
  'marsh',
  'grass',
  'shrub',
  'broadleaf-forest',
  'conifer-forest',
  'rock',
  'snow',
  'built-up',
  'road',
  'bare-soil',
  'crop',
  'stubble',
  'burnt',
  'flood',
] as const;
export type Cover = (typeof covers)[number];

/** What never changes below a grid of locations; made once for a grid and used for every date and sensor there. */
export interface Survey {
  readonly locations: Locations;
  /** Height above the sea of the bare ground; 0 at sea. */
  readonly heightM: Float32Array;
  /** Rise of the ground in metres per metre, towards the east and towards the south. */
  readonly slopeX: Float32Array;
  readonly slopeY: Float32Array;
  /** Number of the field a pixel's centre lies in; 0 outside all fields. */
  readonly fieldId: Int32Array;
}

/** How each material reflects in the bands of one instrument, 0..1: `of[material][band]`. */
export interface Palette {
  readonly bandCount: number;
  readonly of: Readonly<Record<Material, Float32Array>>;
}

/** The ground on one day, a value each a pixel. */
export interface Painted {
  /** Reflectance of the ground by band of the palette, as if flat and in full sun. */
  readonly reflectance: readonly Float32Array[];
  /** Index into `covers`. */
  readonly cover: Uint8Array;
  /** Share of the pixel under green leaves, 0..1. */
  readonly green: Float32Array;
  /** Share under snow, and under open water (sea, lake, river, flood). */
  readonly snow: Float32Array;
  readonly water: Float32Array;
  /** Volumetric water of the upper soil, 0.02..0.55. */
  readonly moisture: Float32Array;
  /** How tall and rough what stands there is, 0 (water) .. 1 (forest, town): for radar. */
  readonly roughness: Float32Array;
}

/** A field of the world's farmland. */
export interface Field {
  readonly id: number;
  /** Closed ring in local metres. */
  readonly ring: readonly (readonly [x: number, y: number])[];
}

/** The landscape of the demo world, the same on every machine for the same seed. */
export interface Ground {
  survey(locations: Locations): Survey;
  /** The ground on a day, counted from 1970-01-01 (UTC); also in years long past, when older satellites flew. */
  paint(survey: Survey, day: number, palette: Palette): Painted;
  /** Height in metres at a location, 0 at sea; of the bare point, or blurred to a square of `sideM`. */
  heightAt(x: number, y: number, sideM?: number): number;
  /** The same blurred to some hundred metres, cheap anywhere; without it, mountains throw no shadows far off. */
  coarseHeightAt?(x: number, y: number): number;
  /** Fields whose middle lies in a box of local metres. */
  fieldsIn(box: { minX: number; minY: number; maxX: number; maxY: number }): readonly Field[];
}
