import type { RawItem } from '../stac/brute-force.ts';

/** An item, the dataset that it belongs to and the names that its scene has in our answers. */
export interface NamedItem {
  readonly item: RawItem;
  readonly dataset: string;
  readonly viewId: string;
  readonly sceneId: string;
}

/** What is looked for, in the words of neither side. */
export interface Wanted {
  /** Mostly one. */
  readonly datasets: readonly string[];
  /** Days in UTC, both included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly maxCloud: number | null;
  readonly shape: Shape | null;
  readonly relation: 'INTERSECTS' | 'CONTAINS' | 'WITHIN';
  readonly scenes: readonly NamedItem[] | null;
  readonly sort: { readonly field: 'date' | 'cloudCoverage'; readonly direction: 'asc' | 'desc' } | null;
  readonly limit: number;
  /** Which part of all hits is asked for, from 0 to a little over 1. */
  readonly depth: number;
}

type Position = readonly [number, number];

/** A point or an area. */
export type Shape =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] };

/** The same numbers in each run. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Makes a search that is likely to find something: it is made around one of the items. */
export function makeSearch(
  groups: readonly (readonly NamedItem[])[],
  { random, mostIds }: { readonly random: () => number; readonly mostIds: number },
): Wanted {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  // Each dataset alike: most items are of one.
  const group = pick(groups);
  const about = pick(group);
  const hasClouds = group.some(({ item }) => item.properties['eo:cloud_cover'] !== undefined);
  const hasIds = random() < 0.08;
  const shape =
    hasIds || random() < 0.35 ? null : random() < 0.5 ? toPoint(about, random) : toPolygon(about, random);
  const day = Date.parse(String(about.item.properties.datetime).slice(0, 10));
  const shift = (most: number): string =>
    new Date(day + Math.floor(random() * most) * 86_400_000).toISOString().slice(0, 10);
  return {
    datasets: [
      ...new Set([about.dataset, ...(hasIds || random() < 0.85 ? [] : [pick(pick(groups)).dataset])]),
    ],
    from: random() < 0.6 ? shift(-300) : null,
    to: random() < 0.6 ? shift(300) : null,
    // Our clouds are rounded to hundredths: a bound between two of those tells them apart as the item's own do.
    maxCloud: hasClouds && random() < 0.4 ? Math.floor(random() * 10_000) / 100 + 0.005 : null,
    shape,
    relation:
      shape?.type !== 'Polygon' || random() < 0.6 ? 'INTERSECTS' : random() < 0.5 ? 'CONTAINS' : 'WITHIN',
    scenes: hasIds ? Array.from({ length: 1 + Math.floor(random() * mostIds) }, () => pick(group)) : null,
    sort:
      random() < 0.3
        ? null
        : {
            field: hasClouds && random() < 0.4 ? 'cloudCoverage' : 'date',
            direction: random() < 0.5 ? 'asc' : 'desc',
          },
    limit: pick([1, 3, 10, 20, 50, 100, 500]),
    depth: random() < 0.5 ? 0 : random() * 1.1,
  };
}

/** All positions of an outline. */
function listPositions({ geometry }: RawItem): readonly Position[] {
  const numbers = JSON.stringify(geometry?.coordinates ?? []).match(/\[-?[\d.e-]+,-?[\d.e-]+/g) ?? [];
  return numbers.map((text) => text.slice(1).split(',').map(Number) as unknown as Position);
}

/** A place in the box of an item, or near it. */
function toPlace({ item }: NamedItem, random: () => number): Position {
  const positions = listPositions(item);
  // One of its corners and a part of the way to another: this stays near to scenes across 180°.
  const from = positions[Math.floor(random() * positions.length)] ?? [0, 0];
  const sideOf = (axis: 0 | 1): number => {
    const near = positions.map((position) => position[axis]).filter((one) => Math.abs(one - from[axis]) < 20);
    const far = near.reduce((best, one) =>
      Math.abs(one - from[axis]) > Math.abs(best - from[axis]) ? one : best,
    );
    return far - from[axis];
  };
  const along = (axis: 0 | 1): number => from[axis] + sideOf(axis) * (random() * 1.1 - 0.05);
  return [Math.max(-179.99, Math.min(179.99, along(0))), Math.max(-89.9, Math.min(89.9, along(1)))];
}

function toPoint(about: NamedItem, random: () => number): Shape {
  return { type: 'Point', coordinates: toPlace(about, random) };
}

/** A field, a county or a country of five corners, and not a box. */
function toPolygon(about: NamedItem, random: () => number): Shape {
  const [lon, lat] = toPlace(about, random);
  const radius = [0.01, 0.2, 1.5, 6][Math.floor(random() * 4)] as number;
  const turn = random() * Math.PI;
  const ring = Array.from({ length: 5 }, (_, i): Position => {
    const [angle, reach] = [turn + (2 * Math.PI * i) / 5, radius * (0.5 + random() / 2)];
    return [
      Math.max(-180, Math.min(180, lon + reach * Math.cos(angle))),
      Math.max(-90, Math.min(90, lat + reach * Math.sin(angle))),
    ];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as Position]] };
}
