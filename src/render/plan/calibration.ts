import type { InputRule } from '../../bandmath/index.ts';
import type { Asset, BandCalibration, LinearScale, LookupTable, Scene } from '../../catalog/index.ts';
import type { Band, Calibration, QualityBits, RadianceRange, Sensor } from '../../sensors/index.ts';
import { findBand, findCalibration, findScaleLevel } from '../../sensors/index.ts';
import { DAY_MS } from '../../units.ts';
import { internal, sourceBroken, unsupported } from '../errors.ts';

/** What the numbers of a band mean to an expression; `stored` have no unit. */
type Quantity = 'stored' | 'reflectance' | 'kelvin' | 'sigma-nought';

/** What becomes of a band's stored numbers before an expression sees them; plain JSON, a part of a render's plan. */
export interface BandInputPlan {
  readonly rule: InputRule;
  /** As many as the rule has, rounded to float32 as the pass computes with them. */
  readonly parameters: readonly number[];
  /** What the rule's second plane is filled with (`fillTablePlane`); null when the rule has none. */
  readonly table: LookupTable | null;
  /** How stored quality bits become those of the interface, before they are resampled; null when they are, or hold none. */
  readonly bits: QualityBits['moves'] | null;
  readonly quantity: Quantity;
  /** The product itself says that the band measured nothing: whatever its pixels hold, none of them is data. */
  readonly isAbsent: boolean;
  /** Full sentences for the user about what could not be done by the product's own metadata. */
  readonly notes: readonly string[];
}

interface BandInputRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  /** The sensor's own name of it. */
  readonly band: string;
  /** Physical values instead of stored numbers: CALIBRATE. */
  readonly calibrated: boolean;
}

/**
 * Decides what becomes of a band's numbers before the math. What the scene's own metadata say goes before constants, and
 * all that is linear is one factor and one summand. Pure; refused where a physical value has no meaning.
 */
export function planBandInput({ scene, sensor, band: name, calibrated }: BandInputRequest): BandInputPlan {
  const band = findBand(sensor, name);
  const asset = Object.hasOwn(scene.assets, name) ? scene.assets[name] : undefined;
  if (band === null || asset === undefined) {
    throw unsupported('no-such-band-file', `This scene has no file for the band ${name}.`);
  }
  if (!calibrated) {
    const plan = sensor.removesOffset ? planShift(scene, band, asset) : asStored();
    return { ...plan, bits: findMoves(scene, sensor, name) };
  }
  const bands = scene.calibration?.bands ?? {};
  const stated = Object.hasOwn(bands, name) ? (bands[name] ?? {}) : {};
  const rule = findCalibration(sensor, band, findScaleLevel(sensor, scene.viewId));
  const plan =
    rule.kind === 'none' && band.kind !== 'quality'
      ? planByFile(asset, rule.why)
      : planCalibrated({ scene, band: name, asset, stated }, rule);
  return { ...plan, bits: findMoves(scene, sensor, name) };
}

/** Providers moved quality bits from one processing to the next; requests name them by one layout. */
function findMoves({ cloudMask }: Scene, { quality }: Sensor, band: string): BandInputPlan['bits'] {
  if (
    cloudMask?.kind !== 'quality' ||
    cloudMask.band !== band ||
    cloudMask.layout === quality?.requestLayout
  ) {
    return null;
  }
  return quality?.layouts[cloudMask.layout]?.moves ?? null;
}

/**
 * Stored numbers of all processing baselines are made to mean the same: stored * scale + offset = (stored + shift) *
 * scale. Where a provider has taken the offset off already, ingest has stored none.
 */
function planShift(scene: Scene, { calibration }: Band, asset: Asset): BandInputPlan {
  if (calibration.kind !== 'quantified') return asStored();
  const { mult, add } = statedScale(asset) ?? quantifiedScale(calibration, scene);
  return asShifted(Math.round(add / mult));
}

/** A sensor without a scale of its own: the file may state one, in a unit that is not known. */
function planByFile(asset: Asset, why: string): BandInputPlan {
  const own = statedScale(asset);
  return own === null ? asStored(why) : asLinear(own, 'stored', [BY_FILE]);
}

interface CalibratedBand {
  readonly scene: Scene;
  readonly band: string;
  readonly asset: Asset;
  readonly stated: BandCalibration;
}

function planCalibrated(input: CalibratedBand, rule: Calibration): BandInputPlan {
  const { scene, band, asset, stated } = input;
  switch (rule.kind) {
    case 'none':
      return asStored(rule.why);
    case 'scaled':
      return asLinear(statedScale(asset) ?? rule.scale, rule.quantity, []);
    case 'quantified': {
      const own = statedScale(asset);
      const notes = own === null ? [BY_CONSTANTS] : [];
      return asLinear(own ?? quantifiedScale(rule, scene), 'reflectance', notes);
    }
    case 'reflectance':
      return planReflectance({ scene, band, rule, stated });
    case 'brightness-temperature':
      return planTemperature({ scene, band, rule, stated });
    case 'radiance': {
      const own = rule.metadata === null ? undefined : stated.radiance;
      const radiance = own ?? rule.radiance;
      if (radiance === null) return asStored('No calibration of this band is published.');
      const factor = reflectanceOfRadiance(scene, band, rule.esun);
      return asLinear(
        { mult: radiance.mult * factor, add: radiance.add * factor },
        'reflectance',
        own === undefined ? [BY_CONSTANTS] : [],
      );
    }
    case 'sigma-nought':
      return planSigmaNought(stated.sigmaNought, band);
  }
}

type Rule<Kind extends Calibration['kind']> = Extract<Calibration, { readonly kind: Kind }>;

/** A band of a scene and what the scene's metadata say about it. */
interface Calibrated<Kind extends Calibration['kind']> {
  readonly scene: Scene;
  readonly band: string;
  readonly rule: Rule<Kind>;
  readonly stated: BandCalibration;
}

/** Reflective bands under a known sun: by reflectance, or else radiance, of the metadata; then by constants. */
function planReflectance(input: Calibrated<'reflectance'>): BandInputPlan {
  const { scene, band, rule, stated } = input;
  const { fallback } = rule;
  const ofReflectance = (scale: LinearScale, notes: readonly string[]) =>
    asLinear(times(scale, 1 / sineOfSun(scene, band)), 'reflectance', notes);
  if (stated.reflectance !== undefined) return ofReflectance(stated.reflectance, []);
  if ('reflectance' in fallback) return ofReflectance(fallback.reflectance, [BY_CONSTANTS]);
  const factor = reflectanceOfRadiance(scene, band, fallback.esun);
  const { radiance = fromRange(findRange(fallback.radiance, scene)) } = stated;
  const notes = stated.radiance === undefined ? [BY_CONSTANTS] : [];
  return asLinear(times(radiance, factor), 'reflectance', notes);
}

/** Thermal bands, which need no sun. */
function planTemperature(input: Calibrated<'brightness-temperature'>): BandInputPlan {
  const { scene, rule, stated } = input;
  const { fallback } = rule;
  const published =
    'mult' in fallback.radiance ? fallback.radiance : fromRange(findRange(fallback.radiance, scene));
  const { radiance = published, thermal = fallback } = stated;
  // A thermal instrument may have been off; products of such days have 0 for all constants of radiance.
  if (radiance.mult === 0) return asAbsent('kelvin');
  const isStated = stated.radiance !== undefined && stated.thermal !== undefined;
  return {
    ...asStored(...(isStated ? [] : [BY_CONSTANTS])),
    rule: 'thermal',
    parameters: [radiance.mult, radiance.add, thermal.k1, thermal.k2].map(Math.fround),
    quantity: 'kelvin',
  };
}

/** A table goes with every plan of its scene; ingest leaves some hundred values, and the largest file has 25,000. */
const MAX_VALUES = 100_000;

/** Sigma nought = stored² / A², with A from the product's table. Noise is not removed. */
function planSigmaNought(table: LookupTable | undefined, band: string): BandInputPlan {
  if (table === undefined) {
    throw unsupported(
      'no-calibration-table',
      `The band ${band} cannot be calibrated: this scene came without its calibration table.`,
    );
  }
  if (!isSound(table)) {
    throw sourceBroken(
      'bad-calibration-table',
      `The calibration table of the band ${band} is not one of equal lines in order.`,
    );
  }
  return { ...asStored(), rule: 'squared-ratio', table, quantity: 'sigma-nought' };
}

/** Records may come from items of others: what is divided by must be there, and in order. */
const isSound = ({ lines, pixels, values }: LookupTable): boolean =>
  values.length > 0 &&
  values.length <= MAX_VALUES &&
  values.length === lines.length * pixels.length &&
  isRising(lines) &&
  isRising(pixels) &&
  values.every((value) => value > 0);

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

/** The scale that ingest found for a file; null if none is stated. */
const statedScale = ({ scale, offset }: Asset): LinearScale | null =>
  scale === 1 && offset === 0 ? null : { mult: scale, add: offset };

type Quantified = Extract<Calibration, { readonly kind: 'quantified' }>;

/** By the rule alone: the offset is that of the baseline in the product's name. */
function quantifiedScale(rule: Quantified, { productId }: Scene): LinearScale {
  const { quantification, offsets, baselineInName } = rule;
  const { major = '00', minor = '00' } = baselineInName.exec(productId ?? '')?.groups ?? {};
  const baseline = `${major}.${minor}`;
  const offset = offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  return { mult: 1 / quantification, add: offset / quantification };
}

const DEGREE = Math.PI / 180;

/** Sine of the sun's elevation, which reflectance is divided by; refused where there is no such light. */
function sineOfSun({ sunElevationDeg }: Scene, band: string): number {
  if (sunElevationDeg === null) {
    throw unsupported(
      'sun-unknown',
      `The band ${band} cannot be calibrated: this scene's metadata do not say how high the sun stood.`,
    );
  }
  if (sunElevationDeg <= 0) {
    throw unsupported(
      'sun-below-horizon',
      `The band ${band} cannot be calibrated to reflectance: its sun elevation is ${sunElevationDeg} degrees and must be above 0.`,
    );
  }
  return Math.sin(sunElevationDeg * DEGREE);
}

/** From radiance to reflectance at the top of the atmosphere, as a factor: π d² / (ESUN sin(sun elevation)). */
const reflectanceOfRadiance = (scene: Scene, band: string, esun: number): number =>
  (Math.PI * sunDistanceAu(scene) ** 2) / (esun * sineOfSun(scene, band));

/** How far the sun was from the earth in astronomical units: as the product says it, else by the day. */
const sunDistanceAu = ({ calibration, acquiredAt }: Scene): number =>
  calibration?.earthSunDistanceAu ?? sunDistanceOfDay(toDayOfYear(acquiredAt));

/** Within 3e-4 of the table in Chander, Markham and Helder 2009. */
const sunDistanceOfDay = (day: number): number => 1 - 0.01672 * Math.cos(0.9856 * (day - 4) * DEGREE);

/** 1 on New Year's Day, in UTC. */
function toDayOfYear(time: string): number {
  const ms = Date.parse(time);
  const newYearMs = Date.UTC(new Date(ms).getUTCFullYear(), 0, 1);
  return Math.floor((ms - newYearMs) / DAY_MS) + 1;
}

const times = ({ mult, add }: LinearScale, factor: number): LinearScale => ({
  mult: mult * factor,
  add: add * factor,
});

/**
 * The range of a scene. Ranges of one gain are passed over: a product that says its gains says its radiances too, and
 * where both are missing the last range is the default.
 */
function findRange(ranges: readonly RadianceRange[], { acquiredAt }: Scene): RadianceRange {
  const found = ranges.find(
    ({ when = {} }) =>
      when.gain === undefined && (when.acquiredBefore === undefined || acquiredAt < when.acquiredBefore),
  );
  if (found === undefined) throw internal('no-radiance-range', 'A sensor has no range for all its scenes.');
  return found;
}

function fromRange({ radianceMin, radianceMax, storedMin, storedMax }: RadianceRange): LinearScale {
  const mult = (radianceMax - radianceMin) / (storedMax - storedMin);
  return { mult, add: radianceMin - mult * storedMin };
}

/** Says that a scale is not the product's own. */
const BY_CONSTANTS =
  'This band is scaled by published constants: the metadata of the product do not say it, or not reliably.';

/** Says that a scale is that of the file. */
const BY_FILE = 'This band is scaled as its file says; the sensor itself has no physical scale.';

/** The numbers as they are stored. */
const asStored = (...notes: string[]): BandInputPlan => ({
  rule: 'plain',
  parameters: [],
  table: null,
  bits: null,
  quantity: 'stored',
  isAbsent: false,
  notes,
});

/** The numbers with an offset taken off; those without one as they are. */
const asShifted = (shift: number): BandInputPlan =>
  shift === 0 ? asStored() : { ...asStored(), rule: 'shifted', parameters: [Math.fround(shift)] };

/** value = stored * mult + add = (stored + add / mult) * mult, all factors multiplied into the two in float64. */
function asLinear({ mult, add }: LinearScale, quantity: Quantity, notes: readonly string[]): BandInputPlan {
  if (mult === 0) return asAbsent(quantity);
  return {
    ...asStored(...notes),
    rule: 'linear',
    parameters: [add / mult, mult].map(Math.fround),
    quantity,
  };
}

/** A band that was switched off: its factor is 0 in the metadata, so that all numbers would mean the same. */
const asAbsent = (quantity: Quantity): BandInputPlan => ({
  ...asStored('The product says that this band measured nothing.'),
  quantity,
  isAbsent: true,
});
