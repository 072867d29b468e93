import type { FieldFilter, SceneQuery } from '../../src/catalog/index.ts';
import type { LonLat } from '../../src/geo/index.ts';
import { makeSyntheticScene } from './synthetic-scenes.ts';

/** One kind of search, with the time that 99 of 100 must keep (p99 on two cores, a million scenes). */
export interface QueryKind {
  readonly name: string;
  /** Null for kinds that are only shown. */
  readonly targetMs: number | null;
  make(random: () => number, scenes: number): SceneQuery;
}

const DATASETS = ['sentinel2', 'landsat8', 'landsat7'] as const;
const BY_DATE = { field: 'date', descending: true } as const;

/** A month to a year somewhere in the last ten, and a threshold of clouds, as clients ask. */
function toFilters(random: () => number): readonly FieldFilter[] {
  const days = 30 + Math.floor(random() * 335);
  const start = Date.UTC(2016, 0, 1) + Math.floor(random() * 3_500) * 86_400_000;
  const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return [
    { field: 'date', kind: 'range', from: toDay(start), to: toDay(start + days * 86_400_000) },
    { field: 'cloudCoverage', kind: 'range', to: Math.round(5 + random() * 45) },
  ];
}

/** Somewhere in a scene that exists: people look where there is something to see. */
function toLonLat(random: () => number, scenes: number): LonLat {
  const { footprint } = makeSyntheticScene(Math.floor(random() * scenes), scenes);
  const [lon, lat] = (footprint.coordinates as LonLat[][])[0]?.[0] ?? [0, 0];
  return [((lon + 0.3 + 540) % 360) - 180, lat + 0.3];
}

/** A many-sided area of the given half width around a location. */
function toArea(random: () => number, scenes: number, halfDeg: number): NonNullable<SceneQuery['shape']> {
  const [lon, lat] = toLonLat(random, scenes);
  const ring = Array.from({ length: 24 }, (_, i): LonLat => {
    const [angle, radius] = [(i / 24) * 2 * Math.PI, halfDeg * (0.7 + 0.3 * random())];
    return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
  });
  return {
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0] as LonLat]] },
    relation: 'intersects',
  };
}

const pick = (random: () => number): string =>
  DATASETS[Math.floor(random() * DATASETS.length)] ?? 'sentinel2';

/** The searches of the bench, in the order of its table. */
export const queryKinds: readonly QueryKind[] = [
  {
    name: 'point + date + cloud, first page',
    targetMs: 10,
    make: (random, scenes) => ({
      datasets: [{ id: pick(random), filters: toFilters(random) }],
      shape: { geometry: { type: 'Point', coordinates: toLonLat(random, scenes) }, relation: 'intersects' },
      sort: BY_DATE,
      offset: 0,
      limit: 500,
    }),
  },
  {
    name: 'date + cloud, 500 hits, exact found',
    targetMs: 60,
    make: (random) => ({
      datasets: [{ id: pick(random), filters: toFilters(random) }],
      sort: BY_DATE,
      offset: 0,
      limit: 500,
    }),
  },
  {
    name: 'scene id',
    targetMs: 2,
    make(random, scenes) {
      const { dataset, sceneId } = makeSyntheticScene(Math.floor(random() * scenes), scenes);
      return {
        datasets: [{ id: dataset, filters: [{ field: 'sceneID', kind: 'one-of', values: [sceneId] }] }],
        sort: BY_DATE,
        offset: 0,
        limit: 500,
      };
    },
  },
  {
    name: 'page 100 of 500 hits, date + cloud',
    targetMs: 100,
    make: (random) => ({
      datasets: [
        {
          id: 'sentinel2',
          filters: [
            { field: 'date', kind: 'range', from: `202${Math.floor(1 + random() * 2)}-07-01` },
            { field: 'cloudCoverage', kind: 'range', to: Math.round(45 + random() * 45) },
          ],
        },
      ],
      sort: BY_DATE,
      offset: 99 * 500,
      limit: 500,
    }),
  },
  {
    name: 'polygon of 1° intersects, 500 hits',
    targetMs: 30,
    make: (random, scenes) => ({
      datasets: [{ id: pick(random), filters: [] }],
      shape: toArea(random, scenes, 0.5),
      sort: BY_DATE,
      offset: 0,
      limit: 500,
    }),
  },
  {
    name: 'polygon of 10° + date + cloud',
    targetMs: null,
    make: (random, scenes) => ({
      datasets: [{ id: pick(random), filters: toFilters(random) }],
      shape: toArea(random, scenes, 5),
      sort: BY_DATE,
      offset: 0,
      limit: 500,
    }),
  },
  {
    name: 'three datasets + date + cloud',
    targetMs: null,
    make(random) {
      const filters = toFilters(random);
      return {
        datasets: DATASETS.map((id) => ({ id, filters })),
        sort: BY_DATE,
        offset: 0,
        limit: 500,
      };
    },
  },
  {
    name: 'everything of a dataset, first page',
    targetMs: null,
    make: (random) => ({
      datasets: [{ id: pick(random), filters: [] }],
      sort: BY_DATE,
      offset: 0,
      limit: 500,
    }),
  },
];
