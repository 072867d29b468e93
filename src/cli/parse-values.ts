/** Values of options. */
import { badInput } from './errors.ts';

/** A whole number above 0. */
export function parseAmount(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw badInput('usage', `${option} takes a whole number, 1 or more.`);
  return Number(text);
}

/** Reads one of some words. */
export const parseChoice =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string, option: string): Word => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw badInput('usage', `${option} takes one of: ${words.join(', ')}.`);
    return found;
  };

/** Reads a number of degrees or metres from -limit to limit. */
export const parseWithin =
  (limit: number) =>
  (text: string, option: string): number => {
    const value = /^-?\d{1,4}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
    if (!(Math.abs(value) <= limit))
      throw badInput('usage', `${option} takes a number from -${limit} to ${limit}.`);
    return value;
  };

/** A share of a hundred. */
export function parsePercent(text: string, name: string): number {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100)) throw badInput('usage', `${name} takes a percentage from 0 to 100.`);
  return value;
}

/** A day that exists, as 2030-12-31. */
export function parseDay(text: string, option: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  // A Date rolls 30 February over into March; then it no longer prints as it was written.
  if (!isDay || !isoOf(text).startsWith(text))
    throw badInput('usage', `${option} takes a day such as 2030-12-31.`);
  return text;
}

const isoOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** A box in degrees; if west is greater than east, it crosses the antimeridian. */
export function parseBbox(
  text: string,
  option: string,
): [west: number, south: number, east: number, north: number] {
  const parts = text.split(',');
  const [west, south, east, north] = parts.map(toDegrees) as [number, number, number, number];
  const isOnEarth =
    parts.length === 4 &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    Math.abs(south) <= 90 &&
    Math.abs(north) <= 90 &&
    south < north &&
    west !== east;
  if (!isOnEarth) {
    throw badInput(
      'usage',
      `${option} takes west,south,east,north in degrees, such as 2.5,42,3.5,43; if west is greater than east, the box crosses the antimeridian.`,
    );
  }
  return [west, south, east, north];
}

/** A location as longitude,latitude. */
export function parsePosition(text: string, option: string): readonly [longitude: number, latitude: number] {
  const parts = text.split(',');
  const [longitude, latitude] = parts.map(toDegrees) as [number, number];
  const isPosition = parts.length === 2 && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
  if (!isPosition)
    throw badInput('usage', `${option} takes longitude,latitude in degrees, such as -122.4,48.4.`);
  return [longitude, latitude];
}

const toDegrees = (text: string): number =>
  /^-?\d{1,3}(\.\d{1,12})?$/.test(text.trim()) ? Number(text) : Number.NaN;
