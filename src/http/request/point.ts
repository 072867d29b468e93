import { badInput } from '../../errors.ts';
import { parseDecimal } from './strict-number.ts';

/** Parses the latitude and the longitude of a point on Earth. */
export const parsePoint = (lat: string, lon: string): { readonly lat: number; readonly lon: number } => ({
  lat: parseDegrees(lat, 'latitude', 90),
  lon: parseDegrees(lon, 'longitude', 180),
});

function parseDegrees(text: string, name: string, farthest: number): number {
  const degrees = parseDecimal(text);
  if (degrees === null || Math.abs(degrees) > farthest) {
    throw badInput('bad-point', `The ${name} of a point is a number from -${farthest} to ${farthest}.`);
  }
  return degrees;
}
