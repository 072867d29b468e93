import type { Composition, Sensor } from './sensor.ts';

/** What a scene is shown as when nobody says: the sensor's first composition of which it has all bands, else a band. */
export function chooseComposition(sensor: Sensor, hasBand: (name: string) => boolean): Composition | null {
  const whole = sensor.defaultCompositions.find((bands) => bands.every(hasBand));
  if (whole !== undefined) return whole;
  const [band] = sensor.bands.filter(({ name, kind }) => kind !== 'quality' && hasBand(name));
  return band === undefined ? null : [band.name];
}
