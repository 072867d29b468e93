import type { Climate } from '../climate/climate.ts';
import type { Cover, Ground, Locations, Painted, Palette, Survey } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import type { Material } from '../ground/materials.ts';
import type { World } from '../ground/world.ts';

/** The fake land repeats itself, so that any small window has a shore, fields, forest, a slope and snow. */
const PERIOD_M = 2_400;
const FIELD_M = 240;

interface Patch {
  readonly cover: Cover;
  readonly material: Material;
  readonly green: number;
}

const SEA: Patch = { cover: 'sea', material: 'deep-water', green: 0 };
const FIELDS: readonly Patch[] = [
  { cover: 'crop', material: 'green-crop', green: 0.9 },
  { cover: 'bare-soil', material: 'dark-soil', green: 0 },
  { cover: 'stubble', material: 'stubble', green: 0.1 },
];
const FOREST: Patch = { cover: 'conifer-forest', material: 'conifer', green: 0.8 };
const SNOW: Patch = { cover: 'snow', material: 'old-snow', green: 0 };
const PATCHES: readonly Patch[] = [SEA, ...FIELDS, FOREST, SNOW];

/** West to east: sea, fields, forest on a slope, snow on top. */
function patchAt(x: number, y: number): Patch {
  const along = x % PERIOD_M;
  if (along < 480) return SEA;
  if (along < 1_440) return FIELDS[(Math.floor(x / FIELD_M) + Math.floor(y / FIELD_M)) % FIELDS.length]!;
  return along < 2_160 ? FOREST : SNOW;
}

const fieldIdAt = (x: number, y: number): number =>
  FIELDS.includes(patchAt(x, y)) ? 1 + Math.floor(x / FIELD_M) + 1_000 * Math.floor(y / FIELD_M) : 0;

/** Flat, then a ramp of one in four. */
const heightAt = (x: number): number => Math.max(0, (x % PERIOD_M) - 1_440) / 4;

function makeFakeGround(): Ground {
  return {
    survey: (locations: Locations): Survey => ({
      locations,
      heightM: Float32Array.from(locations.x, heightAt),
      slopeX: Float32Array.from(locations.x, (x) => (x % PERIOD_M < 1_440 ? 0 : 0.25)),
      slopeY: new Float32Array(locations.x.length),
      fieldId: Int32Array.from(locations.x, (x, i) => fieldIdAt(x, locations.y[i]!)),
    }),
    paint: ({ locations }: Survey, _day: number, palette: Palette): Painted => {
      const patches = Uint8Array.from(locations.x, (x, i) => PATCHES.indexOf(patchAt(x, locations.y[i]!)));
      const spread = (values: Float32Array): Float32Array => {
        const out = new Float32Array(patches.length);
        for (let i = 0; i < out.length; i++) out[i] = values[patches[i]!]!;
        return out;
      };
      const of = (toValue: (patch: Patch) => number) => Float32Array.from(PATCHES, toValue);
      return {
        reflectance: Array.from({ length: palette.bandCount }, (_, band) =>
          spread(of(({ material }) => palette.of[material][band]!)),
        ),
        cover: patches.map((patch) => covers.indexOf(PATCHES[patch]!.cover)),
        green: spread(of(({ green }) => green)),
        snow: spread(of((patch) => (patch === SNOW ? 1 : 0))),
        water: spread(of((patch) => (patch === SEA ? 1 : 0))),
        moisture: new Float32Array(patches.length).fill(0.25),
        roughness: spread(of((patch) => (patch === FOREST ? 1 : patch === SEA ? 0 : 0.3))),
      };
    },
    heightAt,
    fieldsIn: ({ minX, minY, maxX, maxY }) => {
      const middles = (min: number, max: number): number[] => {
        const first = Math.ceil(min / FIELD_M - 0.5);
        const last = Math.floor(max / FIELD_M - 0.5);
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i + 0.5) * FIELD_M);
      };
      return middles(minY, maxY).flatMap((y) =>
        middles(minX, maxX)
          .filter((x) => fieldIdAt(x, y) !== 0)
          .map((x) => {
            const half = FIELD_M / 2;
            const ring = [
              [x - half, y - half],
              [x - half, y + half],
              [x + half, y + half],
              [x + half, y - half],
              [x - half, y - half],
            ] as const;
            return { id: fieldIdAt(x, y), ring };
          }),
      );
    },
  };
}

const climate: Climate = {
  dayAt: () => ({ minC: 8, maxC: 18, rainMm: 1, cloudiness: 0.4, windMs: 4, humidity: 0.7 }),
  soilWaterAt: () => 0.25,
  snowWaterMmAt: (_day, heightM) => (heightM > 180 ? 100 : 0),
};

/** A small world for tests of what takes pictures: cheap, and every pixel's patch is known. */
export const makeFakeWorld = (): World => ({ ground: makeFakeGround(), climate });
