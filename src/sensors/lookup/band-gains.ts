import type { Calibration } from '../definition/calibration.ts';
import type { Band, Sensor } from '../definition/sensor.ts';
import { findBand } from './find-band.ts';

/** How a band of a scene is calibrated: levels that have a scale of their own take precedence over the band. */
export function findCalibration(sensor: Sensor, band: Band, level: string): Calibration {
  const ofLevel = sensor.layouts.find(({ calibration }) => calibration?.levels.includes(level))?.calibration;
  if (ofLevel === undefined) return band.calibration;
  if (band.kind === 'thermal') return ofLevel.thermal;
  return band.kind === 'reflective' ? ofLevel.reflective : band.calibration;
}

/**
 * Of these bands, those whose stored numbers mean different amounts of what they measure: a ratio of such numbers depends
 * on the gains of the instrument. Empty if all have one gain. Bits and classes do not count.
 */
export function findDifferentGains(
  sensor: Sensor,
  names: readonly string[],
  level: string,
): readonly string[] {
  const gains = new Map<string, string>();
  for (const name of names) {
    const band = findBand(sensor, name);
    if (band === null || band.kind === 'quality') continue;
    gains.set(band.name, toGain(findCalibration(sensor, band, level), band.name));
  }
  return new Set(gains.values()).size > 1 ? [...gains.keys()] : [];
}

/** Equal for bands whose stored numbers can be compared as they are; `own` stands for a gain that no other band has. */
function toGain(rule: Calibration, own: string): string {
  switch (rule.kind) {
    case 'scaled':
      return `${rule.quantity} ${rule.scale.mult} ${rule.scale.add}`;
    case 'reflectance':
      return 'reflectance' in rule.fallback
        ? `reflectance ${rule.fallback.reflectance.mult} ${rule.fallback.reflectance.add}`
        : own;
    case 'radiance':
    case 'brightness-temperature':
      return own;
    default:
      return rule.kind;
  }
}
