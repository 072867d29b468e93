import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { FarmPlan } from '../base/farm-plan.ts';
import { traitsPerField } from '../base/farm-plan.ts';
import type { Cover, Palette } from '../ground.ts';
import { covers } from '../ground.ts';
import type { Material, MaterialTraits, Mixture } from '../materials.ts';
import { makeMixture, materials, materialTraits } from '../materials.ts';
import type { Zone } from '../parts.ts';
import { coverOfZone, cutCohorts, firstCutPart, firstFieldPart, zonePart, zones } from '../parts.ts';
import { mixField } from './crops.ts';
import type { Season } from './season.ts';

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

/** Leaves of broadleaf trees through the year, `lateDays` later in spring and earlier in autumn up the hills. */
function mixBroadleaf(mixture: Mixture, { yearDay }: Season, lateDays: number): void {
  const leaves = smoothStep(88 + lateDays, 132 + lateDays, yearDay);
  const turned = smoothStep(262 - lateDays * 0.6, 292 - lateDays * 0.6, yearDay);
  const fallen = smoothStep(292 - lateDays * 0.6, 322 - lateDays * 0.6, yearDay);
  mixture.start('bare-broadleaf').cover('broadleaf', leaves * 0.97);
  if (turned > 0) mixture.cover('autumn-broadleaf', turned * 0.85).cover('bare-broadleaf', fallen * 0.97);
  // Ferns, ivy and young conifers stay green below the bare crowns.
  mixture.cover('conifer', 0.08);
}

/** Grass: green in spring, dry in late summer unless it is watered, dull in winter. */
function mixGrass(mixture: Mixture, { yearDay, drought }: Season, water: number): void {
  const growth = smoothStep(45, 120, yearDay) * (1 - 0.35 * smoothStep(285, 335, yearDay));
  mixture.start('dry-grass').cover('meadow', 0.5 + 0.45 * growth);
  mixture.cover('dry-grass', drought * (1 - water));
}

/** Mixes the materials of a zone on a day. */
function mixZone(zone: Zone, season: Season, mixture: Mixture): void {
  const { yearDay, flow, drought } = season;
  switch (zone) {
    case 'valley-broadleaf':
      mixBroadleaf(mixture, season, 0);
      return;
    case 'hill-broadleaf':
      mixBroadleaf(mixture, season, 18);
      return;
    case 'pasture':
      mixGrass(mixture, season, 0.45);
      return;
    case 'rough-grass':
      mixGrass(mixture, season, 0.1);
      mixture.cover('shrub', 0.2);
      return;
    case 'lawn':
      mixGrass(mixture, season, 0.55);
      return;
    case 'alpine-grass': {
      const green = smoothStep(160, 200, yearDay) * smoothStep(275, 232, yearDay);
      mixture
        .start('dry-grass')
        .cover('meadow', 0.15 + 0.7 * green)
        .cover('rock', 0.08);
      return;
    }
    case 'bushes':
      mixture
        .start('shrub')
        .cover('bare-broadleaf', 0.45 * (1 - smoothStep(85, 130, yearDay) * smoothStep(310, 280, yearDay)));
      mixture.cover('dry-grass', 0.12 + 0.2 * drought);
      return;
    case 'heath':
      mixture
        .start('shrub')
        .cover('dry-grass', 0.25 * (1 - smoothStep(140, 180, yearDay) * smoothStep(290, 255, yearDay)));
      // Huckleberry and vine maple turn red above the forest in September.
      mixture.cover('autumn-broadleaf', 0.5 * smoothStep(250, 272, yearDay) * smoothStep(310, 290, yearDay));
      return;
    case 'reeds':
      mixture
        .start('mudflat')
        .cover('marsh-plants', 0.62 + 0.3 * smoothStep(95, 150, yearDay) * smoothStep(320, 270, yearDay));
      mixture.cover('dry-grass', 0.25 * smoothStep(240, 300, yearDay));
      return;
    case 'plume':
      mixture
        .start('deep-water')
        .cover('shallow-water', 0.35)
        .cover('turbid-water', clamp(0.3 + 0.7 * flow, 0, 0.97));
      return;
    case 'river-water':
      mixture.start('lake-water').cover('turbid-water', clamp(0.2 + 0.75 * flow, 0, 0.95));
      return;
    case 'reservoir-water':
      mixture.start('lake-water').cover('turbid-water', 0.25 * flow);
  }
}

/** Years between two cuts of a cohort. */
const rotationYears = 45;

/** A stand of timber by the years since it was cut; the cohorts are cut in turn, in May. */
function mixCohort(cohort: number, { year, yearDay, drought }: Season, mixture: Mixture): Cover {
  const since = year + (yearDay - 130) / 365 - 1980 - cohort * 3;
  const age = since - Math.floor(since / rotationYears) * rotationYears;
  mixture.start('dark-soil').cover('stubble', 0.3).cover('bare-broadleaf', 0.35);
  mixture.cover('dry-grass', 0.5 * smoothStep(0.2, 1.6, age));
  mixture.cover('shrub', 0.88 * smoothStep(0.5, 4, age) * (1 - 0.2 * drought));
  mixture.cover('conifer', 0.96 * smoothStep(5, 19, age));
  if (age > 11) return 'conifer-forest';
  return age > 1.6 ? 'shrub' : 'bare-soil';
}
