import type { Bounds } from '../../geo/index.ts';

/** Heights of the ground above sea level, in metres; null where no elevation model is. */
export interface Heights {
  at(lon: number, lat: number): Promise<number | null>;
  meanOf(bounds: Bounds): Promise<number | null>;
}

/** Air cools by so much a metre, in the standard atmosphere (ICAO). */
export const LAPSE_C_PER_M = 0.0065;
