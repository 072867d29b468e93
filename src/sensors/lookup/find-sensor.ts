/** Sensors by name, and what a sensor has: bands, compositions, calibrations, natural ranges. */

import { sensors } from '../all-sensors.ts';
import type { Calibration } from '../definition/calibration.ts';
import type { NaturalRange } from '../definition/natural.ts';
import { INFRARED_GAMMA } from '../definition/natural.ts';
import type { Band, BandRole, Composition, ProductLayout, Sensor } from '../definition/sensor.ts';
import { parseViewId } from './view-id.ts';

/** The sensor of an abbreviation; case-sensitive. */
export const sensorByAbbreviation = (abbreviation: string): Sensor | null =>
  sensors.find((sensor) => sensor.abbreviation === abbreviation) ?? null;

/** The sensor of a dataset id; null for ids of several sensors. */
export const sensorByDataset = (dataset: string): Sensor | null =>
  sensors.find((sensor) => sensor.dataset === dataset) ?? null;

/** All sensors of a dataset id: one, several for ids such as `cbers4`, or none if there is no such dataset. */
export const sensorsByDataset = (dataset: string): readonly Sensor[] =>
  sensors.filter((sensor) => sensor.dataset === dataset || sensor.datasetGroups.includes(dataset));

/** All sensors that a caller may mean: by dataset id, or by abbreviation (`L8`, `S2L2A`), in any case. */
export function sensorsByName(name: string): readonly Sensor[] {
  const word = name.toLowerCase();
  const byDataset = sensorsByDataset(word);
  return byDataset.length > 0
    ? byDataset
    : sensors.filter(({ abbreviation }) => abbreviation.toLowerCase() === word);
}

/** Finds a band by its name, another spelling (`B4` for `B04`), or its generic name in any case (`nir`). */
export function findBand({ bands }: Sensor, spelling: string): Band | null {
  const generic = spelling.toUpperCase();
  return (
    bands.find(({ name }) => name === spelling) ??
    bands.find(({ spellings }) => spellings.includes(spelling)) ??
    bands.find(({ role }) => role === generic) ??
    null
  );
}

/** A file of a product with pixels. */
export interface BandFile {
  /** Bands of the file, in order. */
  readonly bands: readonly Band[];
  /** Its rank among files of the same band, 0 first. */
  readonly rank: number;
}

/** The bands of a file, by its path relative to the product; null if it holds none. */
export function findBandFile(sensor: Sensor, layout: ProductLayout, path: string): BandFile | null {
  const groups = layout.bandFile.exec(path)?.groups;
  const hasRole = Object.values(layout.files).some((pattern) => pattern.test(path));
  if (groups === undefined || hasRole) return null;
  const { band = '', resolution = '' } = groups;
  const { bandsInFile = { [band]: [band] } } = layout;
  const written = Object.hasOwn(bandsInFile, band) ? (bandsInFile[band] ?? []) : [];
  const bands = written.flatMap((name) => findBand(sensor, layout.bandNames?.[name] ?? name) ?? []);
  if (bands.length === 0 || bands.length !== written.length) return null;
  return { bands, rank: Math.max(0, layout.resolutions?.indexOf(resolution) ?? 0) };
}

/** The default composition of a scene: the first of which it has all bands, otherwise a single band. */
export function chooseComposition(sensor: Sensor, hasBand: (name: string) => boolean): Composition | null {
  const whole = sensor.defaultCompositions.find((bands) => bands.every(hasBand));
  if (whole !== undefined) return whole;
  const [band] = sensor.bands.filter(({ name, kind }) => kind !== 'quality' && hasBand(name));
  return band === undefined ? null : [band.name];
}

/** A composition with the name by which it means the same on every sensor. */
export interface NamedComposition {
  /** Null for one that only this sensor has. */
  readonly name: string | null;
  readonly bands: readonly string[];
}

interface Rule {
  readonly name: string;
  /** Each channel takes the first of its roles that the sensor has. */
  readonly roles: readonly (readonly BandRole[])[];
}

const rules: readonly Rule[] = [
  { name: 'natural', roles: [['RED'], ['GREEN'], ['BLUE']] },
  { name: 'false-colour', roles: [['NIR'], ['RED'], ['GREEN']] },
  { name: 'swir', roles: [['SWIR2'], ['NIR2', 'NIR'], ['RED']] },
  { name: 'agriculture', roles: [['SWIR1'], ['NIR2', 'NIR'], ['BLUE']] },
];

/** The compositions of a sensor: its own defaults first, then those that its bands allow, each once. */
export function listCompositions({ bands, defaultCompositions }: Sensor): readonly NamedComposition[] {
  const common = rules.flatMap(({ name, roles }): NamedComposition[] => {
    const found = roles.map((channel) =>
      channel
        .map((role) => bands.find((band) => band.role === role)?.name)
        .find((band) => band !== undefined),
    );
    const names = found.filter((band) => band !== undefined);
    return names.length === roles.length ? [{ name, bands: names }] : [];
  });
  const own = defaultCompositions.map(
    (names): NamedComposition =>
      common.find((one) => one.bands.join() === names.join()) ?? { name: null, bands: names },
  );
  return [...own, ...common.filter((one) => !own.includes(one))];
}

/** The level in the name of a scene, where levels have scales of their own; empty for other sensors. */
export function findScaleLevel({ layouts }: Sensor, viewId: string): string {
  const hasLevels = layouts.some(({ calibration }) => calibration !== undefined);
  return hasLevels ? (parseViewId(viewId).parts.level ?? '') : '';
}

/** How a band of a scene is calibrated: levels that have a scale of their own take precedence over the band. */
export function findCalibration(sensor: Sensor, band: Band, level: string): Calibration {
  const ofLevel = sensor.layouts.find(({ calibration }) => calibration?.levels.includes(level))?.calibration;
  if (ofLevel === undefined) return band.calibration;
  if (band.kind === 'thermal') return ofLevel.thermal;
  return band.kind === 'reflective' ? ofLevel.reflective : band.calibration;
}

/** Bands whose stored numbers give another ratio than what they measure. */
interface Incomparable {
  readonly bands: readonly string[];
  /** Each has a gain of its own, or the zero of the numbers is not that of what they measure. */
  readonly why: 'gains' | 'offset';
}

/**
 * Of several bands, those whose stored numbers cannot stand for what they measure: a ratio of such numbers depends on the
 * gains of the instrument, or is nearer to zero than that of the ground (NDVI of Landsat 8 and of all Level-2). Null if
 * they can. Bits and classes do not count.
 */
export function findIncomparable(
  sensor: Sensor,
  names: readonly string[],
  level: string,
): Incomparable | null {
  const rules = new Map<string, Calibration>();
  for (const name of names) {
    const band = findBand(sensor, name);
    if (band !== null && band.kind !== 'quality') rules.set(band.name, findCalibration(sensor, band, level));
  }
  const bands = [...rules.keys()];
  if (bands.length < 2) return null;
  const gains = new Set([...rules].map(([name, rule]) => toGain(rule, name)));
  if (gains.size > 1) return { bands, why: 'gains' };
  return [...rules.values()].some((rule) => (toScale(rule)?.add ?? 0) !== 0)
    ? { bands, why: 'offset' }
    : null;
}

/** Equal for bands whose stored numbers have one scale; `own` stands for a gain that no other band has. */
function toGain(rule: Calibration, own: string): string {
  const scale = toScale(rule);
  if (scale !== null) {
    const quantity = rule.kind === 'scaled' ? rule.quantity : rule.kind;
    return `${quantity} ${scale.mult} ${scale.add}`;
  }
  const hasOwn =
    rule.kind === 'reflectance' || rule.kind === 'radiance' || rule.kind === 'brightness-temperature';
  return hasOwn ? own : rule.kind;
}

/** The scale that all products have in common; null where each has its own, or there is none. */
function toScale(rule: Calibration): { readonly mult: number; readonly add: number } | null {
  if (rule.kind === 'scaled') return rule.scale;
  return rule.kind === 'reflectance' && 'reflectance' in rule.fallback ? rule.fallback.reflectance : null;
}

/**
 * The range of a band's physical values, or of its stored numbers; null if the sensor has none. `level` is that of the
 * scene's name.
 */
export function findNaturalRange(
  { natural }: Sensor,
  band: Band,
  values: 'stored' | { readonly level: string | null },
): NaturalRange | null {
  if (values === 'stored') return findRange(natural.stored, band);
  const { level } = values;
  const ofLevel = natural.ofLevels?.find(({ levels }) => level !== null && levels.includes(level));
  return findRange(ofLevel?.ranges ?? {}, band) ?? findRange(natural.ranges, band);
}

const findRange = (
  ranges: Readonly<Record<string, NaturalRange>>,
  { name, role }: Band,
): NaturalRange | null => ranges[name] ?? (role === null ? undefined : ranges[role]) ?? null;

/** The eye sees no longer waves. */
const MAX_VISIBLE_NM = 700;

const isInfrared = ({ kind, centreNm }: Band): boolean =>
  kind === 'reflective' && centreNm !== null && centreNm > MAX_VISIBLE_NM;

/** Ranges of bands that are shown together: beside infrared bands, visible ones have the gamma of those. */
export const joinRanges = (
  shown: readonly { readonly band: Band; readonly range: NaturalRange }[],
): readonly NaturalRange[] =>
  shown.some(({ band }) => isInfrared(band))
    ? shown.map(({ range }) => (range.gamma === undefined ? range : { ...range, gamma: INFRARED_GAMMA }))
    : shown.map(({ range }) => range);
