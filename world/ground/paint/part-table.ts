import type { FarmPlan } from '../base/farm-plan.ts';
import { traitsPerField } from '../base/farm-plan.ts';
import type { Cover, Palette } from '../ground.ts';
import { covers } from '../ground.ts';
import type { Material } from '../materials.ts';
import { materials } from '../materials.ts';
import { coverOfZone, cutCohorts, firstCutPart, firstFieldPart, zonePart, zones } from '../parts.ts';
import { mixField } from './crops.ts';
import type { MaterialTraits } from './material-traits.ts';
import { materialTraits } from './material-traits.ts';
import type { Mixture } from './mixture.ts';
import { makeMixture } from './mixture.ts';
import type { Season } from './season.ts';
import { mixCohort, mixZone } from './zones.ts';

/** Every part of a survey on one day: a column by band and by trait, a row by part. */
export interface PartTable {
  readonly bands: readonly Float32Array[];
  readonly traits: Readonly<Record<keyof MaterialTraits, Float32Array>>;
  readonly cover: Uint8Array;
}

/** Covers of materials that are parts by themselves; all others are ground that `bare-soil` names well enough. */
const coverOfMaterial: Partial<Record<Material, Cover>> = {
  'deep-water': 'sea',
  'shallow-water': 'sea',
  'turbid-water': 'sea',
  'lake-water': 'sea',
  'beach-sand': 'beach',
  mudflat: 'beach',
  conifer: 'conifer-forest',
  rock: 'rock',
  scree: 'rock',
  'old-snow': 'snow',
  asphalt: 'road',
  concrete: 'built-up',
  'tile-roof': 'built-up',
  'metal-roof': 'built-up',
  'dark-roof': 'built-up',
};

const traitNames = ['green', 'water', 'snow', 'moist', 'rough', 'hold', 'fuel'] as const;

/** What the rows are made for. */
interface TablePlan {
  readonly farm: FarmPlan;
  readonly seed: number;
  /** Numbers of the fields to fill in. */
  readonly fields: Int32Array;
  readonly season: Season;
  readonly palette: Palette;
}

/** Mixes all parts of a day. */
export function makePartTable({ farm, seed, fields, season, palette }: TablePlan): PartTable {
  const rows = firstFieldPart + farm.slotOfField.length * 2;
  const bands = Array.from({ length: palette.bandCount }, () => new Float32Array(rows));
  const column = (): Float32Array => new Float32Array(rows);
  const traits = {
    green: column(),
    water: column(),
    snow: column(),
    moist: column(),
    rough: column(),
    hold: column(),
    fuel: column(),
  };
  const cover = new Uint8Array(rows);
  const spectra = materials.map((material) => palette.of[material]);
  const traitsOf = materials.map((material) => materialTraits[material]);

  const setRow = (row: number, { weights }: Mixture, named: Cover): void => {
    for (let material = 0; material < weights.length; material++) {
      const weight = weights[material]!;
      if (weight === 0) continue;
      const spectrum = spectra[material]!;
      for (let band = 0; band < bands.length; band++) bands[band]![row]! += weight * spectrum[band]!;
      for (const name of traitNames) traits[name][row]! += weight * traitsOf[material]![name];
    }
    cover[row] = covers.indexOf(named);
  };

  const mixture = makeMixture();
  for (const [row, material] of materials.entries()) {
    setRow(row, mixture.start(material), coverOfMaterial[material] ?? 'bare-soil');
  }
  for (const zone of zones) {
    mixZone(zone, season, mixture);
    setRow(zonePart(zone), mixture, coverOfZone[zone]);
  }
  for (let cohort = 0; cohort < cutCohorts; cohort++) {
    const named = mixCohort(cohort, season, mixture);
    setRow(firstCutPart + cohort, mixture, named);
  }
  for (const id of fields) {
    const at = (id - 1) * traitsPerField;
    const field = {
      id,
      seed,
      darkSoil: farm.traits[at + 2]!,
      redSoil: farm.traits[at + 3]!,
      richness: farm.traits[at + 4]!,
    };
    const row = firstFieldPart + (id - 1) * 2;
    const named = mixField(field, season, false, mixture);
    setRow(row, mixture, named);
    mixField(field, season, true, mixture);
    setRow(row + 1, mixture, named);
  }
  return { bands, traits, cover };
}
