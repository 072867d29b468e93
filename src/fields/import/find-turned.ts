/** Rows of a file that would lie among the others if their axes were swapped. */

import type { LonLatBounds } from '../../geo/index.ts';

/** Gathers where the rows of a file lie: two numbers for each. */
export interface RowPlaces {
  add(row: number, bounds: LonLatBounds): void;
  /**
   * The rows that lie far from most others, and near to them with latitude and longitude swapped. A file all of whose rows
   * are swapped has none: nothing in it tells.
   */
  findTurned(): readonly number[];
  /** Where rows lie: one of each cell of half a degree, up to a thousand. */
  listSpots(): readonly Spot[];
}

/** Longitude and latitude of a row. */
export type Spot = readonly [lon: number, lat: number];

/** Half of a degree is less than a scene; a thousand are a continent. */
const SPOT_DEG = 0.5;
const MAX_SPOTS = 1_000;

/** With fewer rows nothing can be said about where the others lie. */
const MIN_ROWS = 5;
/** Rows within this, in degrees, are near, however close together the others lie. */
const MIN_NEAR_DEG = 0.5;
/** How many times as far away a row must be that counts as far. */
const FAR = 10;

/** Begins to gather. */
export function makeRowPlaces(): RowPlaces {
  let places = new Float64Array(3 * 1_024);
  let used = 0;
  return {
    add(row, { west, south, east, north }) {
      if (used === places.length) {
        const larger = new Float64Array(2 * places.length);
        larger.set(places);
        places = larger;
      }
      places.set([row, (west + east) / 2, (south + north) / 2], used);
      used += 3;
    },
    listSpots() {
      const spots = new Map<string, Spot>();
      for (let i = 0; i < used && spots.size < MAX_SPOTS; i += 3) {
        const [lon, lat] = [places[i + 1] as number, places[i + 2] as number];
        const cell = `${Math.floor(lon / SPOT_DEG)} ${Math.floor(lat / SPOT_DEG)}`;
        if (!spots.has(cell)) spots.set(cell, [lon, lat]);
      }
      return [...spots.values()];
    },
    findTurned() {
      const count = used / 3;
      if (count < MIN_ROWS) return [];
      const [lons, lats] = [1, 2].map((k) =>
        Float64Array.from({ length: count }, (_, i) => places[3 * i + k] as number),
      ) as [Float64Array, Float64Array];
      // Half of the rows may be swapped at most, and the middle is still that of the others.
      const [lon, lat] = [toQuantile(lons, 0.5), toQuantile(lats, 0.5)];
      const awayFrom = (x: number, y: number): number => {
        const across = Math.abs(x - lon) % 360;
        return Math.max(Math.min(across, 360 - across), Math.abs(y - lat));
      };
      const away = lons.map((x, i) => awayFrom(x, lats[i] as number));
      const near = Math.max(MIN_NEAR_DEG, 2 * toQuantile(away, 0.5));
      const turned: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const [x, y] = [lons[i] as number, lats[i] as number];
        if ((away[i] as number) > FAR * near && Math.abs(x) <= 90 && awayFrom(y, x) <= near)
          turned.push(places[3 * i] as number);
      }
      return turned;
    },
  };
}

/** A value that a share of the others lie below. */
const toQuantile = (values: Float64Array, share: number): number =>
  values.toSorted()[Math.floor(share * (values.length - 1))] as number;
