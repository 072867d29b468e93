import type { Asset, FieldFilter, Scene, SceneQuery } from '../../catalog/index.ts';
import { applyAffine } from '../../geo/index.ts';

/** A scene and the one that changes are counted from; that is absent when none is needed, null when none suits. */
export interface ComparedScene extends Scene {
  readonly earlier?: Scene | null;
}

/** A fire between two passes is days old at most when it is seen; the next pass of the same orbit comes after five. */
const LEAST_DAYS = 5;
/** Leaves and the sun's height change too: after two months they do so as much as a fire. */
const MOST_DAYS = 60;
/** Clouds of the earlier scene would be taken for what was there. */
const MOST_CLOUD_PERCENT = 20;
/** The edge of an orbit may leave little of a tile. */
const LEAST_COVERAGE_PERCENT = 80;
/** Two orbits pass a tile every five days, and a day may have been processed several times. */
const MOST_CANDIDATES = 100;
/** Name the tile of a scene; only Sentinel-2 has the bands of an alias that looks back. */
const TILE_FIELDS = ['utmZone', 'latitudeBand', 'gridSquare'] as const;
const DAY_MS = 86_400_000;

const dayOf = ({ acquiredAt }: Scene): number => Math.floor(Date.parse(acquiredAt) / DAY_MS);
const toDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The search for scenes that a scene may be compared with; null when it does not say which tile it shows. Pure. */
export function planEarlierSearch(scene: Scene): SceneQuery | null {
  const { dataset, fields } = scene;
  const tile: FieldFilter[] = [];
  for (const field of TILE_FIELDS) {
    const value = fields[field] ?? null;
    if (value === null) return null;
    tile.push({ field, kind: 'one-of', values: [value] });
  }
  const day = dayOf(scene);
  const from = toDate(day - MOST_DAYS);
  const to = toDate(day - LEAST_DAYS);
  return {
    datasets: [{ id: dataset, filters: [...tile, { field: 'date', kind: 'range', from, to }] }],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: MOST_CANDIDATES,
  };
}

/**
 * The scene that a scene is compared with: of the same ground with all these bands, 5 to 60 days older by the calendar,
 * with few clouds and not cut short by its orbit; of several the latest, of one day that with the most data. Null when
 * none suits. Pure.
 */
export function chooseEarlier(
  scene: Scene,
  candidates: readonly Scene[],
  bands: readonly string[],
): Scene | null {
  const day = dayOf(scene);
  const suits = (other: Scene): boolean => {
    const days = day - dayOf(other);
    return (
      other.dataset === scene.dataset &&
      days >= LEAST_DAYS &&
      days <= MOST_DAYS &&
      // Who does not say how cloudy it was may have been so.
      (other.cloudPercent ?? 100) <= MOST_CLOUD_PERCENT &&
      (other.coveragePercent ?? 100) >= LEAST_COVERAGE_PERCENT &&
      bands.every((band) => isSameGround(scene.assets[band], other.assets[band]))
    );
  };
  const [best] = candidates.filter(suits).toSorted(
    (a, b) =>
      dayOf(b) - dayOf(a) ||
      (b.coveragePercent ?? 0) - (a.coveragePercent ?? 0) ||
      // View ids differ, so the order of the search does not matter.
      (a.viewId < b.viewId ? 1 : -1),
  );
  return best ?? null;
}

/** Whether two files show the same rectangle, to a pixel; their resolutions may differ. */
function isSameGround(one: Asset | undefined, other: Asset | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.epsg !== other.epsg || one.proj !== other.proj) return false;
  const pixel = Math.max(Math.abs(one.transform[1]), Math.abs(other.transform[1]));
  const cornersOf = ({ transform, width, height }: Asset) => [
    ...applyAffine(transform, 0, 0),
    ...applyAffine(transform, width, height),
  ];
  const others = cornersOf(other);
  return cornersOf(one).every((value, i) => Math.abs(value - (others[i] as number)) <= pixel);
}
