import type { Asset, BandCalibration, Scene } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { Band, Calibration, Sensor } from '../../sensors/index.ts';
import { findBand, findCalibration, parseViewId } from '../../sensors/index.ts';
import type { BandInputPlan } from './band-input-plan.ts';
import { asLinear, asShifted, asStored, BY_CONSTANTS, BY_FILE } from './band-input-plan.ts';
import { planReflectance, planTemperature } from './plan-optical.ts';
import { planSigmaNought } from './plan-radar.ts';
import { quantifiedScale, statedScale } from './stated-scale.ts';
import { reflectanceOfRadiance } from './sun.ts';

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
  const { level = '' } = parseViewId(scene.viewId).parts;
  const rule = findCalibration(sensor, band, level);
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
