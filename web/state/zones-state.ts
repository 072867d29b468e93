/** The management zones of an area: what the user wants, and what has come. */
import type { Loading } from './series-state.ts';

/** How many zones there may be; more are no longer managed one by one. */
export const ZONE_COUNTS = [2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Smaller patches join their neighbours; square metres. */
export const PATCH_SIZES_M2 = [0, 500, 1000, 2500, 5000, 10_000] as const;

/** What is to be divided, and how. */
export interface ZonesChoice {
  readonly index: string;
  readonly count: number;
  readonly minPatchM2: number;
}

type Position = readonly [lon: number, lat: number];
/** Polygons of rings, outer first; GeoJSON's coordinates of a MultiPolygon. */
export type Polygons = readonly (readonly (readonly Position[])[])[];

/** All ground of one class. */
export interface Zone {
  /** From 1, by rising values. */
  readonly number: number;
  readonly color: string;
  readonly areaM2: number;
  /** Mean of the index, to a 255th of its range in the area; `null` where it was not measured. */
  readonly mean: number | null;
  readonly polygons: Polygons;
}

/** The zones of an area in one scene. */
export interface Zones {
  readonly viewId: string;
  readonly date: string;
  readonly choice: ZonesChoice;
  readonly zones: readonly Zone[];
  /** Width of a pixel on the ground. */
  readonly pixelM: number;
}

/** The state of the zones. */
export interface ZonesState {
  readonly choice: ZonesChoice;
  /** Whether zones were ordered, and are on the map as soon as they are there. */
  readonly isOn: boolean;
  readonly made: Loading<Zones>;
}

/** Nothing was ordered. */
export const NO_ZONES: ZonesState = {
  choice: { index: 'NDVI', count: 4, minPatchM2: 1000 },
  isOn: false,
  made: { kind: 'idle' },
};

/** The zones that lie on the map. */
export const zonesOnMap = ({ zones }: { readonly zones: ZonesState }): Zones | null =>
  zones.isOn && zones.made.kind === 'ready' && zones.made.value.zones.length > 0 ? zones.made.value : null;

/** Reads `NDVI;4;1000`; anything else is `null`. */
export const parseZonesChoice = (text: string | null): ZonesChoice | null => {
  const [index = '', count = '', patch = '', ...others] = (text ?? '').split(';');
  const known = ZONE_COUNTS.find((one) => String(one) === count);
  const minPatchM2 = PATCH_SIZES_M2.find((one) => String(one) === patch);
  if (others.length > 0 || !/^\w{1,32}$/.test(index)) return null;
  return known === undefined || minPatchM2 === undefined ? null : { index, count: known, minPatchM2 };
};

/** Writes what `parseZonesChoice` reads. */
export const toZonesText = ({ index, count, minPatchM2 }: ZonesChoice): string =>
  [index, count, minPatchM2].join(';');

/** The zones as an address orders them, `null` for none; those that were made to another order are made anew. */
export const withZonesChoice = (zones: ZonesState, ordered: ZonesChoice | null): ZonesState => {
  if (ordered === null) return { ...zones, isOn: false };
  const isSame = toZonesText(ordered) === toZonesText(zones.choice);
  return { choice: ordered, isOn: true, made: isSame ? zones.made : { kind: 'idle' } };
};
