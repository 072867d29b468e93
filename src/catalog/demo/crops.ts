import type { Parcel } from './parcels.ts';
import type { Spectrum } from './spectra.ts';
import { spectra } from './spectra.ts';

/** What grows on a parcel on the day of the scene. */
export type Crop =
  | 'vineyard'
  | 'orchard'
  | 'green-crop'
  | 'ripe-cereal'
  | 'stubble'
  | 'fallow'
  | 'bare-soil'
  | 'meadow'
  | 'greenhouse';

/** How a crop covers its ground. */
export interface CropPlan {
  readonly canopy: Spectrum;
  readonly litter: Spectrum;
  /** Share of ground under green leaves: from the poorest field to the richest. */
  readonly green: readonly [low: number, high: number];
  /** Share of the rest that is straw or dry grass. */
  readonly dry: number;
  /** How much the rows show at 10 m, and how much good and poor soil shows through the crop. */
  readonly rows: number;
  readonly patchiness: number;
}

const { vine, orchard, greenCrop, dryGrass, ripeCereal, stubble } = spectra;

/** June in the Mediterranean: cereals are ripe, vines in leaf, irrigated crops green, the rest is drying out. */
export const crops: Readonly<Record<Exclude<Crop, 'greenhouse'>, CropPlan>> = {
  vineyard: { canopy: vine, litter: dryGrass, green: [0.38, 0.72], dry: 0.22, rows: 0.1, patchiness: 0.45 },
  orchard: { canopy: orchard, litter: dryGrass, green: [0.5, 0.82], dry: 0.4, rows: 0.12, patchiness: 0.35 },
  'green-crop': {
    canopy: greenCrop,
    litter: dryGrass,
    green: [0.45, 0.97],
    dry: 0.05,
    rows: 0.05,
    patchiness: 0.55,
  },
  'ripe-cereal': {
    canopy: greenCrop,
    litter: ripeCereal,
    green: [0.02, 0.12],
    dry: 0.86,
    rows: 0.05,
    patchiness: 0.3,
  },
  stubble: { canopy: greenCrop, litter: stubble, green: [0, 0.05], dry: 0.75, rows: 0.1, patchiness: 0.3 },
  fallow: {
    canopy: spectra.shrub,
    litter: dryGrass,
    green: [0.22, 0.6],
    dry: 0.72,
    rows: 0.02,
    patchiness: 0.8,
  },
  'bare-soil': {
    canopy: greenCrop,
    litter: dryGrass,
    green: [0, 0.08],
    dry: 0.06,
    rows: 0.06,
    patchiness: 0.3,
  },
  meadow: { canopy: greenCrop, litter: dryGrass, green: [0.35, 0.8], dry: 0.6, rows: 0.02, patchiness: 0.6 },
};

/** Chance of each crop by kind of land; each column sums to 256. */
const chances: readonly (readonly [crop: Crop, plain: number, riverside: number, foothill: number])[] = [
  ['vineyard', 88, 18, 146],
  ['orchard', 28, 92, 14],
  ['green-crop', 38, 74, 4],
  ['ripe-cereal', 20, 12, 12],
  ['stubble', 9, 6, 6],
  ['fallow', 42, 20, 58],
  ['bare-soil', 12, 12, 10],
  ['meadow', 17, 18, 6],
  ['greenhouse', 2, 4, 0],
];

const columns = { plain: 1, riverside: 2, foothill: 3 } as const;

/** Picks the crop of a parcel; half of the parcels of a block follow the block's habit. */
export function planCrop(parcel: Parcel, land: keyof typeof columns): Crop {
  const own = (parcel.id >>> 24) & 0xff;
  const follows = ((parcel.id >>> 16) & 0xff) < 105;
  // Nobody roofs a whole block with plastic, so the habit stops short of the last entry.
  let draw = follows ? ((parcel.blockId >>> 24) * 247) >> 8 : own;
  for (const row of chances) {
    const chance = row[columns[land]];
    if (draw < chance) return row[0];
    draw -= chance;
  }
  return 'fallow';
}
