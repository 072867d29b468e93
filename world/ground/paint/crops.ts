import { smoothStep } from '../../numbers/easing.ts';
import { hash } from '../../numbers/noise.ts';
import type { Cover } from '../ground.ts';
import type { Material, Mixture } from '../materials.ts';
import type { Season } from './season.ts';

/** What a field grows in a year. Days are days of the harvest year; winter crops are sown the autumn before. */
interface CropPlan {
  readonly canopy: Material;
  readonly sownDay: number;
  /** Days on which leaves first show, cover the ground fully, begin to ripen, are ripe, and are gone. */
  readonly upDay: number;
  readonly fullDay: number;
  readonly ripenDay: number;
  readonly ripeDay: number;
  readonly harvestDay: number;
  /** Max share of ground under leaves. */
  readonly maxCover: number;
  /** Share under leaves in winter, of crops sown in autumn. */
  readonly winter: number;
  /** Days of flowers, when the crop shows them. */
  readonly flowers?: readonly [from: number, until: number];
  /** Straw left at harvest. */
  readonly straw: number;
}

const plan = (
  canopy: Material,
  days: readonly [number, number, number, number, number, number],
  rest: Omit<CropPlan, 'canopy' | 'sownDay' | 'upDay' | 'fullDay' | 'ripenDay' | 'ripeDay' | 'harvestDay'>,
): CropPlan => {
  const [sownDay, upDay, fullDay, ripenDay, ripeDay, harvestDay] = days;
  return { canopy, sownDay, upDay, fullDay, ripenDay, ripeDay, harvestDay, ...rest };
};

/** Crops of a rotation, as the farmers between Seattle and Vancouver grow them. */
const rotationCrops = {
  'winter-wheat': plan('green-crop', [-88, -70, 128, 172, 200, 215], {
    maxCover: 0.96,
    winter: 0.3,
    straw: 0.8,
  }),
  rapeseed: plan('blue-green-crop', [-118, -102, 108, 160, 190, 205], {
    maxCover: 0.94,
    winter: 0.55,
    flowers: [112, 142],
    straw: 0.6,
  }),
  maize: plan('green-crop', [128, 142, 196, 248, 275, 268], { maxCover: 0.95, winter: 0, straw: 0.35 }),
  potatoes: plan('green-crop', [108, 136, 178, 232, 256, 262], { maxCover: 0.92, winter: 0, straw: 0.05 }),
  barley: plan('green-crop', [92, 106, 152, 184, 206, 219], { maxCover: 0.93, winter: 0, straw: 0.75 }),
  cabbage: plan('blue-green-crop', [150, 165, 215, 320, 340, 296], {
    maxCover: 0.88,
    winter: 0,
    straw: 0.08,
  }),
  tulips: plan('blue-green-crop', [-100, 40, 92, 128, 150, 165], {
    maxCover: 0.7,
    winter: 0,
    flowers: [92, 118],
    straw: 0.1,
  }),
} as const satisfies Readonly<Record<string, CropPlan>>;

type RotationCrop = keyof typeof rotationCrops;

/** What a field is for: a rotation of crops, or the same plants for many years. */
type Use = 'rotation' | 'hay' | 'pasture' | 'berries';

/** Traits of a field that its crop plan starts from. */
export interface FieldTraits {
  readonly id: number;
  readonly seed: number;
  /** Shares of dark and red soil, the rest pale. */
  readonly darkSoil: number;
  readonly redSoil: number;
  /** 0 poor .. 1 rich. */
  readonly richness: number;
}

/** Chances of rotation crops, of 256. */
const chances: readonly (readonly [RotationCrop, number])[] = [
  ['winter-wheat', 66],
  ['maize', 62],
  ['potatoes', 50],
  ['barley', 26],
  ['cabbage', 22],
  ['rapeseed', 18],
  ['tulips', 12],
];

function useOf({ id, seed }: FieldTraits): Use {
  const draw = hash(id, 21, seed) & 0xff;
  if (draw < 146) return 'rotation';
  if (draw < 196) return 'hay';
  return draw < 236 ? 'pasture' : 'berries';
}

/** The crop of a rotation field in a year; never the same twice in a row, except maize. */
function cropOf({ id, seed }: FieldTraits, year: number): RotationCrop {
  const pick = (ofYear: number): RotationCrop => {
    let draw = hash(id, ofYear, seed) & 0xff;
    for (const [crop, chance] of chances) {
      if (draw < chance) return crop;
      draw -= chance;
    }
    return 'maize';
  };
  const crop = pick(year);
  if (crop !== pick(year - 1) || crop === 'maize') return crop;
  return crop === 'winter-wheat' ? 'potatoes' : 'winter-wheat';
}

/** Mixes the materials of a field on a day, on its rich or poor ground, and says what it is covered with. */
export function mixField(field: FieldTraits, season: Season, isPoor: boolean, mixture: Mixture): Cover {
  mixture
    .start('pale-soil')
    .cover('dark-soil', field.darkSoil)
    .cover('red-soil', field.redSoil / Math.max(0.01, 1 - field.darkSoil));
  mixture.cover('wet-soil', 0.82 * smoothStep(0.15, 0.33, season.soilWater));
  // Poor ground grows less; rich fields more.
  const vigour = (isPoor ? 0.5 : 0.86) + 0.14 * field.richness;
  switch (useOf(field)) {
    case 'rotation':
      return mixRotation(field, season, { vigour, isPoor }, mixture);
    case 'hay':
      return mixHay(field, season, vigour, mixture);
    case 'pasture': {
      const growth =
        0.62 + 0.33 * smoothStep(50, 125, season.yearDay) - 0.15 * smoothStep(290, 340, season.yearDay);
      mixture.cover('dry-grass', 0.8).cover('meadow', growth * vigour);
      mixture.cover('dry-grass', season.drought * (isPoor ? 0.75 : 0.4));
      return 'grass';
    }
    case 'berries': {
      const leaves = smoothStep(85, 145, season.yearDay) * smoothStep(325, 280, season.yearDay);
      mixture.cover('stubble', 0.25).cover('meadow', 0.25 * (1 - season.drought));
      mixture.cover('shrub', (0.22 + 0.55 * leaves) * vigour);
      mixture.cover(
        'autumn-broadleaf',
        0.35 * smoothStep(270, 292, season.yearDay) * smoothStep(330, 308, season.yearDay),
      );
      return 'crop';
    }
  }
}

/** Sowing and harvest differ by up to 12 days between fields either way. */
const shiftOf = ({ id, seed }: FieldTraits, year: number): number =>
  ((hash(id, year + 7000, seed) >>> 8) & 0xff) / 10.7 - 12;

function mixRotation(
  field: FieldTraits,
  { year, yearDay, soilWater }: Season,
  { vigour, isPoor }: { vigour: number; isPoor: boolean },
  mixture: Mixture,
): Cover {
  const now = rotationCrops[cropOf(field, year)];
  const next = rotationCrops[cropOf(field, year + 1)];
  const shift = shiftOf(field, year);
  const nextShift = shiftOf(field, year + 1);
  const habits = hash(field.id, year, field.seed) >>> 12;
  // The next crop may be in the ground already.
  const nextDay = yearDay - 365 - nextShift;
  if (next.sownDay < 0 && nextDay >= next.sownDay)
    return mixGrowing(next, nextDay, { vigour, isPoor }, mixture);
  const day = yearDay - shift;
  if (day < now.harvestDay && day >= now.sownDay) return mixGrowing(now, day, { vigour, isPoor }, mixture);
  // Between crops: stubble until it is ploughed, then bare, a catch crop, or weeds through a mild winter.
  const isBefore = day < now.sownDay;
  const before = isBefore ? rotationCrops[cropOf(field, year - 1)] : now;
  const since = isBefore
    ? yearDay + 365 - before.harvestDay - shiftOf(field, year - 1)
    : day - now.harvestDay;
  const untilSown = isBefore ? now.sownDay - day : 999;
  const ploughedAfter = 12 + (habits & 0x7f) * 0.6;
  const isTilled = untilSown < 16 || ((habits & 0x80) !== 0 && since > ploughedAfter);
  if (isTilled) {
    mixture.cover('wet-soil', 0.3 * smoothStep(0.2, 0.35, soilWater));
    return 'bare-soil';
  }
  mixture.cover('stubble', before.straw * smoothStep(125, 15, since));
  const weeds = smoothStep(14, 70, since) * ((habits & 0x300) === 0 ? 0.8 : 0.46) * vigour;
  mixture.cover((habits & 0x300) === 0 ? 'blue-green-crop' : 'meadow', weeds);
  if (weeds > 0.55) return 'crop';
  return before.straw > 0.3 && since < 120 ? 'stubble' : 'bare-soil';
}

function mixGrowing(
  crop: CropPlan,
  day: number,
  { vigour, isPoor }: { vigour: number; isPoor: boolean },
  mixture: Mixture,
): Cover {
  // Poor ground dries out and ripens ten days before the rest.
  const ripeness = smoothStep(crop.ripenDay, crop.ripeDay, day + (isPoor ? 10 : 0));
  const young = crop.winter * smoothStep(crop.upDay, crop.upDay + 55, day);
  const springStart = crop.winter > 0 ? crop.fullDay - 75 : crop.upDay;
  const leaves = Math.max(young, crop.maxCover * smoothStep(springStart, crop.fullDay, day)) * vigour;
  mixture.cover(crop.canopy, leaves);
  if (crop.flowers !== undefined) {
    const [from, until] = crop.flowers;
    mixture.cover(
      'flowering-crop',
      leaves * smoothStep(from - 4, from + 5, day) * smoothStep(until + 5, until - 4, day),
    );
  }
  mixture.cover('dry-crop', ripeness * leaves * 0.97);
  return leaves > 0.25 ? 'crop' : 'bare-soil';
}

function mixHay(
  field: FieldTraits,
  { year, yearDay, drought }: Season,
  vigour: number,
  mixture: Mixture,
): Cover {
  const shift = shiftOf(field, year);
  // Three cuts; after each the field is pale for two weeks and green again after a month.
  const cuts = [138 + shift, 188 + shift * 1.2, 240 + shift * 1.3];
  let grown = 0.6 + 0.38 * smoothStep(48, 118, yearDay) - 0.12 * smoothStep(300, 345, yearDay);
  for (const cut of cuts) {
    if (yearDay >= cut) grown = 0.3 + 0.62 * smoothStep(cut + 4, cut + 34, yearDay);
  }
  mixture.cover('dry-grass', 0.85).cover('meadow', grown * vigour);
  mixture.cover('dry-grass', drought * 0.4);
  return 'grass';
}
