import type { NameMeaning, Names } from '../../bandmath/index.ts';
import type { NaturalRange } from '../definition/natural.ts';
import type { BandRole, Sensor } from '../definition/sensor.ts';
import { findBand } from './find-sensor.ts';

/**
 * A name for band math. Formulas are written with roles, so that one line serves every sensor that has them; of several
 * formulas the first whose roles the sensor has applies. Integers in a formula have a decimal point, because the
 * division of two integers would be an integer.
 */
type AliasRule =
  | {
      readonly kind: 'index';
      readonly formulas: readonly string[];
      /** It has constants or a unit of physical values, so its bands are calibrated, whatever CALIBRATE says. */
      readonly needsReflectance: boolean;
    }
  /** Three indices as red, green and blue. */
  | { readonly kind: 'composite'; readonly of: readonly [string, string, string] }
  /** The growth of an index since an earlier scene, where a condition on that scene's reflectance is true. */
  | { readonly kind: 'change'; readonly of: string; readonly where: string };

const index = (...formulas: readonly string[]): AliasRule => ({
  kind: 'index',
  formulas,
  needsReflectance: false,
});
const indexOfReflectance = (formula: string): AliasRule => ({
  kind: 'index',
  formulas: [formula],
  needsReflectance: true,
});

/** Forest before a fire: dense (NDVI) and moist (NDMI), which fields and meadows rarely are at once. */
const TREES =
  'logical_and(greater_equal((NIR-RED)/(NIR+RED),0.5),greater_equal((NIR-SWIR1)/(NIR+SWIR1),0.1))';

/** Every alias. Sources: the papers that each line names. */
const aliases: ReadonlyMap<string, AliasRule> = new Map<string, AliasRule>([
  ['NDVI', index('(NIR-RED)/(NIR+RED)')], // Rouse 1974
  ['NDSI', index('(GREEN-SWIR1)/(GREEN+SWIR1)')], // Riggs and Hall 1994
  ['NDWI', index('(GREEN-NIR)/(GREEN+NIR)')], // McFeeters 1996
  ['NDMI', index('(NIR-SWIR1)/(NIR+SWIR1)')], // Gao 1996
  ['MSI', index('SWIR1/NIR')], // Hunt and Rock 1989
  ['RECI', index('NIR/REDEDGE1-1.0', 'NIR/RED-1.0')], // Gitelson 2003; red where there is no red edge
  ['EVI', indexOfReflectance('2.5*(NIR-RED)/(NIR+6.0*RED-7.5*BLUE+1.0)')], // Huete 1997
  ['SAVI', indexOfReflectance('1.5*(NIR-RED)/(NIR+RED+0.5)')], // Huete 1988, L = 0.5
  ['MSAVI', indexOfReflectance('(2.0*NIR+1.0-sqrt((2.0*NIR+1.0)^2.0-8.0*(NIR-RED)))/2.0')], // Qi 1994
  ['ARVI', index('(NIR-2.0*RED+BLUE)/(NIR+2.0*RED-BLUE)')], // Kaufman and Tanré 1992, gamma = 1
  ['GCI', index('NIR/GREEN-1.0')], // Gitelson 2003
  ['SIPI', index('(NIR-BLUE)/(NIR-RED)')], // Peñuelas 1995
  ['NBR', index('(NIR-SWIR2)/(NIR+SWIR2)')], // Key and Benson 2006
  ['NDRE', index('(NIR-REDEDGE1)/(NIR+REDEDGE1)')], // Barnes 2000
  ['CCCI', index('((NIR-REDEDGE1)/(NIR+REDEDGE1))/((NIR-RED)/(NIR+RED))')], // Barnes 2000
  ['GNDVI', index('(NIR-GREEN)/(NIR+GREEN)')], // Gitelson 1996
  ['FIDET', indexOfReflectance('SWIR2/(NIR2*WATERVAPOUR)')],
  ['PR_FD', { kind: 'change', of: 'FIDET', where: TREES }],
  ['ISTACK', { kind: 'composite', of: ['NDVI', 'NDWI', 'NDSI'] }],
  ['VV_DB', indexOfReflectance('10.0*log10(VV)')],
  ['VH_DB', indexOfReflectance('10.0*log10(VH)')],
  ['HH_DB', indexOfReflectance('10.0*log10(HH)')],
  ['HV_DB', indexOfReflectance('10.0*log10(HV)')],
  ['VV_VH_DB', indexOfReflectance('10.0*log10(VV/VH)')],
  ['HH_HV_DB', indexOfReflectance('10.0*log10(HH/HV)')],
  ['RADAR_VV', { kind: 'composite', of: ['VV_DB', 'VH_DB', 'VV_VH_DB'] }],
  ['RADAR_HH', { kind: 'composite', of: ['HH_DB', 'HV_DB', 'HH_HV_DB'] }],
]);

/** An index of one sensor. */
export interface IndexAlias {
  readonly kind: 'index';
  readonly name: string;
  /** Band math in the sensor's own band names: `(B08-B04)/(B08+B04)`. */
  readonly expression: string;
  readonly needsReflectance: boolean;
}

/** An alias as one sensor has it. */
export type Alias =
  | IndexAlias
  | { readonly kind: 'composite'; readonly name: string; readonly of: readonly IndexAlias[] }
  | {
      readonly kind: 'change';
      readonly name: string;
      readonly of: IndexAlias;
      /** Shown where all of these are true. */
      readonly when: readonly { readonly scene: 'this' | 'earlier'; readonly of: IndexAlias }[];
    };

/** The names of all aliases, of any sensor. */
export const aliasNames: readonly string[] = [...aliases.keys()];

/** The alias of a sensor, in any case; null for an unknown name or if the sensor lacks a band. */
export function findAlias(sensor: Sensor, name: string): Alias | null {
  const known = name.toUpperCase();
  const rule = aliases.get(known);
  if (rule === undefined) return null;
  if (rule.kind === 'index') {
    const { needsReflectance } = rule;
    for (const formula of rule.formulas) {
      const expression = toExpression(sensor, formula);
      if (expression !== null) return { kind: 'index', name: known, expression, needsReflectance };
    }
    return null;
  }
  if (rule.kind === 'change') {
    const of = findAlias(sensor, rule.of);
    const where = toExpression(sensor, rule.where);
    if (of?.kind !== 'index' || where === null) return null;
    const trees = toCondition(`where ${known}`, where);
    const clear = toClear(sensor);
    const isClear = clear === null ? null : toCondition('clear', clear);
    return {
      kind: 'change',
      name: known,
      of,
      when: [
        { scene: 'earlier', of: trees },
        ...(isClear === null ? [] : (['this', 'earlier'] as const).map((scene) => ({ scene, of: isClear }))),
      ],
    };
  }
  const of = rule.of.map((part) => findAlias(sensor, part)).filter((part) => part?.kind === 'index');
  return of.length === rule.of.length ? { kind: 'composite', name: known, of } : null;
}

const toCondition = (name: string, expression: string): IndexAlias => ({
  kind: 'index',
  name,
  expression,
  needsReflectance: true,
});

/** Neither cloud nor shadow, which look like change; null if the sensor has no band of classes. */
function toClear({ cloud }: Sensor): string | null {
  if (cloud.kind !== 'classes') return null;
  return [...cloud.shadow, ...cloud.opaque, ...cloud.cirrus]
    .map((of) => `not_equal(${cloud.band},${of}.0)`)
    .reduce((clear, next) => `logical_and(${clear},${next})`);
}

/**
 * Replaces roles by the sensor's bands, and leaves polarisations of a radar as they are; null if the sensor lacks one.
 * Functions are in lower case, roles in upper case.
 */
function toExpression(sensor: Sensor, formula: string): string | null {
  const bands = new Map<string, string>();
  for (const { role, name, kind } of sensor.bands) {
    if (role !== null) bands.set(role satisfies BandRole, name);
    else if (kind === 'radar') bands.set(name, name);
  }
  let isWhole = true;
  const expression = formula.replaceAll(/[A-Z][A-Z0-9]*/g, (role) => {
    const band = bands.get(role);
    isWhole &&= band !== undefined;
    return band ?? role;
  });
  return isWhole ? expression : null;
}

/** What band math may name on a sensor: bands by their names and roles, and the aliases whose bands it has. */
export function toExpressionNames(sensor: Sensor): Names {
  return {
    find(name) {
      const band = findBand(sensor, name);
      if (band !== null) return { kind: 'band', name: band.name, resolutionM: band.resolutionM };
      const alias = findAlias(sensor, name);
      return alias === null ? null : toMeaning(alias);
    },
    all: [
      ...sensor.bands.map(({ name }) => name),
      ...sensor.bands.flatMap(({ role }) => role ?? []),
      ...aliasNames.filter((name) => findAlias(sensor, name) !== null),
    ],
  };
}

/** Converts an alias to the type of `bandmath`, which does not import `sensors`. */
const toMeaning = (alias: Alias): NameMeaning => alias;

/** What an alias shows, for people. */
export interface AliasDescription {
  readonly title: string;
  /** One line: what high or low values mean. */
  readonly description: string;
}

const descriptions: ReadonlyMap<string, AliasDescription> = new Map([
  [
    'NDVI',
    {
      title: 'Vegetation',
      description: 'How green the ground is: bare soil near 0.1, dense crops above 0.7.',
    },
  ],
  ['NDSI', { title: 'Snow', description: 'Snow and ice above 0.4; clouds stay low.' }],
  ['NDWI', { title: 'Water', description: 'Open water above 0; soil and plants below.' }],
  [
    'NDMI',
    { title: 'Moisture', description: 'Water inside the leaves: drought stress shows as falling values.' },
  ],
  [
    'MSI',
    { title: 'Moisture stress', description: 'High where plants lack water: the inverse of moisture.' },
  ],
  [
    'RECI',
    { title: 'Chlorophyll, red edge', description: 'Chlorophyll, and with it nitrogen, in a full canopy.' },
  ],
  [
    'EVI',
    { title: 'Enhanced vegetation', description: 'Greenness that still differs where NDVI is saturated.' },
  ],
  [
    'SAVI',
    { title: 'Soil-adjusted', description: 'Greenness of sparse plants, less disturbed by bright soil.' },
  ],
  [
    'MSAVI',
    {
      title: 'Soil-adjusted, early',
      description: 'Greenness of seedlings, when most of the ground is bare.',
    },
  ],
  ['ARVI', { title: 'Haze-resistant', description: 'Greenness under smoke, dust and haze.' }],
  ['GCI', { title: 'Chlorophyll, green', description: 'Chlorophyll of leaves from the green band.' }],
  ['SIPI', { title: 'Pigments', description: 'Carotenoids against chlorophyll: high in stressed plants.' }],
  ['NBR', { title: 'Burn', description: 'Burnt ground is below 0.1; healthy plants are high.' }],
  [
    'NDRE',
    { title: 'Red edge', description: 'Chlorophyll late in the season, when NDVI no longer changes.' },
  ],
  ['CCCI', { title: 'Canopy chlorophyll', description: 'Nitrogen in leaves, whatever the plant cover.' }],
  [
    'GNDVI',
    { title: 'Green vegetation', description: 'Vigour from the green band: follows nitrogen uptake.' },
  ],
  ['FIDET', { title: 'Fire', description: 'High where fire heats the short-wave infrared.' }],
  [
    'PR_FD',
    {
      title: 'Forest fire, change',
      description: 'Growth of FIDET since an earlier scene, over former forest.',
    },
  ],
  ['ISTACK', { title: 'Index stack', description: 'Vegetation, water and snow as red, green and blue.' }],
  ['VV_DB', { title: 'Radar VV, dB', description: 'Roughness: calm water below -18 dB, towns above -5 dB.' }],
  [
    'VH_DB',
    { title: 'Radar VH, dB', description: 'Volume: leaves and branches are bright, bare ground is dark.' },
  ],
  ['HH_DB', { title: 'Radar HH, dB', description: 'Roughness: calm water below -18 dB, towns above -5 dB.' }],
  [
    'HV_DB',
    { title: 'Radar HV, dB', description: 'Volume: leaves and branches are bright, bare ground is dark.' },
  ],
  [
    'VV_VH_DB',
    { title: 'Radar VV/VH, dB', description: 'Low over forest, high over bare ground and water.' },
  ],
  ['HH_HV_DB', { title: 'Radar HH/HV, dB', description: 'Low over forest, high over bare ground and ice.' }],
  ['RADAR_VV', { title: 'Radar composite', description: 'VV, VH and their ratio as red, green and blue.' }],
  ['RADAR_HH', { title: 'Radar composite', description: 'HH, HV and their ratio as red, green and blue.' }],
]);

/** The words of an alias; null for an unknown name. */
export const describeAlias = (name: string): AliasDescription | null => descriptions.get(name) ?? null;

/** A normalised difference of two bands cannot leave this range. */
const normalised: NaturalRange = { min: -1, max: 1 };

/** Values that become black and full brightness in natural colour, by alias: what the index can reach over land. */
const ranges: ReadonlyMap<string, NaturalRange> = new Map([
  ['NDVI', normalised],
  ['NDSI', normalised],
  ['NDWI', normalised],
  ['NDMI', normalised],
  ['EVI', normalised],
  ['SAVI', normalised],
  ['MSAVI', normalised],
  ['ARVI', normalised],
  ['NBR', normalised],
  ['NDRE', normalised],
  ['GNDVI', normalised],
  // from wet leaves to dry ones
  ['MSI', { min: 0, max: 2 }],
  // from bare ground to a full canopy
  ['RECI', { min: 0, max: 10 }],
  ['GCI', { min: 0, max: 10 }],
  // healthy plants are near 1
  ['SIPI', { min: 0, max: 2 }],
  ['CCCI', { min: 0, max: 1 }],
  // forest is near 1, fire far above
  ['FIDET', { min: 0, max: 10 }],
  ['PR_FD', { min: 0, max: 10 }],
  // decibels, as the bands have them
  ['VV_DB', { min: -22, max: 0 }],
  ['HH_DB', { min: -22, max: 0 }],
  ['VH_DB', { min: -28, max: -7 }],
  ['HV_DB', { min: -28, max: -7 }],
  // from forest to bare ground
  ['VV_VH_DB', { min: 2, max: 14 }],
  ['HH_HV_DB', { min: 2, max: 14 }],
]);

/** The range of an index, in any case; null for an unknown name, and for several indices at once. */
export const findIndexRange = (alias: string): NaturalRange | null => ranges.get(alias.toUpperCase()) ?? null;
