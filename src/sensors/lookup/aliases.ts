import type { BandRole, Sensor } from '../definition/sensor.ts';

/**
 * A name for band math. Formulas are written with roles, so that one line serves every sensor that has them; of several
 * formulas the first whose roles the sensor has applies. Integers in a formula have a decimal point, because the
 * division of two integers would be an integer.
 */
type AliasRule =
  | {
      readonly kind: 'index';
      readonly formulas: readonly string[];
      /** It has additive constants, so it is computed on reflectance, whatever CALIBRATE says. */
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

/** Replaces roles by the sensor's bands; null if it lacks one. Functions are in lower case, roles in upper case. */
function toExpression(sensor: Sensor, formula: string): string | null {
  const bands = new Map<string, string>();
  for (const { role, name } of sensor.bands) if (role !== null) bands.set(role satisfies BandRole, name);
  let isWhole = true;
  const expression = formula.replaceAll(/[A-Z][A-Z0-9]*/g, (role) => {
    const band = bands.get(role);
    isWhole &&= band !== undefined;
    return band ?? role;
  });
  return isWhole ? expression : null;
}
