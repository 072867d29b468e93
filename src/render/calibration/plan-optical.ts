import type { BandCalibration, LinearScale, Scene } from '../../catalog/index.ts';
import { internal } from '../../errors.ts';
import type { Calibration, RadianceRange } from '../../sensors/index.ts';
import type { BandInputPlan } from './band-input-plan.ts';
import { asAbsent, asLinear, asStored, BY_CONSTANTS } from './band-input-plan.ts';
import { reflectanceOfRadiance, sineOfSun } from './sun.ts';

type Rule<Kind extends Calibration['kind']> = Extract<Calibration, { readonly kind: Kind }>;

/** A band of a scene and what the scene's metadata say about it. */
interface Calibrated<Kind extends Calibration['kind']> {
  readonly scene: Scene;
  readonly band: string;
  readonly rule: Rule<Kind>;
  readonly stated: BandCalibration;
}

/** Reflective bands under a known sun: by reflectance, or else radiance, of the metadata; then by constants. */
export function planReflectance(input: Calibrated<'reflectance'>): BandInputPlan {
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
export function planTemperature(input: Calibrated<'brightness-temperature'>): BandInputPlan {
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
