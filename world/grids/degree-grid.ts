import { makeProjection } from '../../src/proj/index.ts';
import type { Ground } from '../ground/ground.ts';
import { epsg, frame } from '../setting.ts';
import type { WeatherLocation } from './local-weather.ts';

/** Centres of the cells of a grid of degrees, north to south and west to east. */
export interface DegreeGrid {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

/** Longitude and latitude to local metres. */
export function makeToLocal(): (longitude: number, latitude: number) => readonly [x: number, y: number] {
  const projection = makeProjection(4326, epsg);
  return (longitude, latitude) => {
    const [easting, northing] = projection.forward(longitude, latitude);
    return [easting - frame.west, frame.north - northing];
  };
}

/** The grid of tenths of a degree that holds the world's frame, as daily climate data sets have it (AgERA5). */
export const tenths: DegreeGrid = {
  latitudes: toSteps(48.8, 47.7),
  longitudes: toSteps(-123, -121.5),
};

function toSteps(first: number, last: number): Float64Array {
  const count = Math.round(Math.abs(last - first) * 10) + 1;
  const sign = last < first ? -1 : 1;
  return new Float64Array(count).map((_, i) => Math.round(first * 10 + sign * i) / 10);
}

/** Points a side whose mean height stands for a cell's. */
const SAMPLES = 4;
const SAMPLE_M = 2000;

/** Middle and mean height of every cell, row after row; the world's edge goes on beyond its frame. */
export function toWeatherLocations(
  { latitudes, longitudes }: DegreeGrid,
  ground: Ground,
): readonly WeatherLocation[] {
  const toLocal = makeToLocal();
  const inside = (metres: number): number => Math.min(frame.sizeM - 1, Math.max(1, metres));
  return Array.from(latitudes).flatMap((latitude) =>
    Array.from(longitudes, (longitude) => {
      let sum = 0;
      for (let i = 0; i < SAMPLES * SAMPLES; i++) {
        const east = ((i % SAMPLES) + 0.5) / SAMPLES - 0.5;
        const north = (Math.floor(i / SAMPLES) + 0.5) / SAMPLES - 0.5;
        const [x, y] = toLocal(longitude + east / 10, latitude + north / 10);
        sum += ground.heightAt(inside(x), inside(y), SAMPLE_M);
      }
      const [x, y] = toLocal(longitude, latitude);
      return { x, y, heightM: sum / (SAMPLES * SAMPLES) };
    }),
  );
}
