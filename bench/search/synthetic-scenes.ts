import type { Asset, FieldValue, NewScene } from '../../src/catalog/index.ts';
import type { LonLat } from '../../src/geo/index.ts';

/** How a catalog of the whole world is made up: shares of Earth's archives as clients search them. */
const DATASETS = [
  {
    dataset: 'sentinel2',
    prefix: 'S2',
    share: 0.5,
    tiles: 19_000,
    sizeDeg: 0.98,
    tiltDeg: 0.04,
    bands: 13,
    since: 2015,
  },
  {
    dataset: 'landsat8',
    prefix: 'L8',
    share: 0.25,
    tiles: 9_500,
    sizeDeg: 1.7,
    tiltDeg: 0.35,
    bands: 12,
    since: 2013,
  },
  {
    dataset: 'landsat7',
    prefix: 'L7',
    share: 0.12,
    tiles: 9_500,
    sizeDeg: 1.7,
    tiltDeg: 0.35,
    bands: 10,
    since: 1999,
  },
  {
    dataset: 'sentinel1',
    prefix: 'S1',
    share: 0.08,
    tiles: 8_000,
    sizeDeg: 2.2,
    tiltDeg: 0.5,
    bands: 2,
    since: 2014,
  },
  {
    dataset: 'modis',
    prefix: 'MODIS',
    share: 0.05,
    tiles: 300,
    sizeDeg: 10,
    tiltDeg: 0,
    bands: 7,
    since: 2000,
  },
] as const;
/** Ids of the datasets that scenes belong to. */
export const DATASET_IDS: readonly string[] = DATASETS.map(({ dataset }) => dataset);

const LAST_DAY = Date.UTC(2026, 5, 30);
const DAY_MS = 86_400_000;

/** Numbers in [0, 1) that are the same in every run: mulberry32. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Scene number `n` of a catalog of `total`, the same in every run. Each tile of a dataset comes again and again over
 * the years, and scenes come in order of acquisition, as archives list them.
 */
export function makeSyntheticScene(n: number, total: number): NewScene {
  const random = makeRandom(n * 7919 + 1);
  const kind = pickDataset(random());
  const tile = Math.floor(random() * kind.tiles);
  const [lon, lat] = tileCentre(kind.prefix.length * 100_003 + tile);
  const days = Math.floor((LAST_DAY - Date.UTC(kind.since, 5, 1)) / DAY_MS);
  const back = Math.floor((1 - n / total) * days);
  const acquired = new Date(LAST_DAY - back * DAY_MS + Math.floor(random() * DAY_MS));
  const day = acquired.toISOString().slice(0, 10);
  const cloud = Math.round(100 * Math.min(1, Math.max(0, random() ** 2 * 1.4 - 0.1)) * 100) / 100;
  const name = `${kind.prefix}_${String(tile).padStart(5, '0')}_${day.replaceAll('-', '')}_${n.toString(36).padStart(5, '0')}`;
  const fields: Record<string, FieldValue> = {
    productID: `${name}_PRODUCT`,
    cloudCoverage: kind.dataset === 'sentinel1' ? null : cloud,
    sunElevation: 20 + random() * 45,
    dataCoveragePercentage: Math.round(random() * 100),
    path: tile % 233,
    row: tile % 248,
    satelliteName: `${kind.prefix}${random() < 0.5 ? 'A' : 'B'}`,
    awsPath: `tiles/${tile % 60}/T/${tile}/${day}/0`,
    timestamp: acquired.toISOString(),
    onAmazon: random() < 0.7,
  };
  return {
    viewId: `${kind.prefix}/${name}`,
    sceneId: name,
    productId: `${name}_PRODUCT`,
    dataset: kind.dataset,
    acquiredAt: acquired.toISOString(),
    footprint: { type: 'Polygon', coordinates: [toRing([lon, lat], kind, random)] },
    cloudPercent: cloud,
    sunElevationDeg: fields.sunElevation as number,
    sunAzimuthDeg: 150,
    coveragePercent: 100,
    fields,
    assets: Object.fromEntries(Array.from({ length: kind.bands }, (_, i) => [`B${i}`, toAsset(name, i)])),
    provenance: 'synthetic',
  };
}

function pickDataset(at: number): (typeof DATASETS)[number] {
  let left = at;
  for (const kind of DATASETS) {
    if (left < kind.share) return kind;
    left -= kind.share;
  }
  return DATASETS[0];
}

/** Even over the sphere between 60° south and 75° north. */
function tileCentre(seed: number): LonLat {
  const random = makeRandom(seed);
  const [low, high] = [Math.sin((-60 * Math.PI) / 180), Math.sin((75 * Math.PI) / 180)];
  return [random() * 360 - 180, (Math.asin(low + random() * (high - low)) * 180) / Math.PI];
}

/** A tilted square of eight vertices whose corners are never quite the same, as orbits are not. */
function toRing(
  [lon, lat]: LonLat,
  { sizeDeg, tiltDeg }: { readonly sizeDeg: number; readonly tiltDeg: number },
  random: () => number,
): LonLat[] {
  const half = sizeDeg / 2;
  const stretch = 1 / Math.cos((lat * Math.PI) / 180);
  const directions = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
  ] as const;
  const ring = directions.map(([x, y]): LonLat => {
    const [dx, dy] = [x * half + (y * tiltDeg) / 2, y * half - (x * tiltDeg) / 4];
    return [lon + (dx + random() * 0.01) * stretch, lat + dy + random() * 0.01];
  });
  return [...ring, ring[0] as LonLat];
}

const toAsset = (name: string, i: number): Asset => ({
  href: `scenes/${name}/B${i}.tif`,
  bandIndex: 0,
  epsg: 32631,
  transform: [500000, 10, 0, 4700000, 0, -10],
  width: 10980,
  height: 10980,
  type: 'uint16',
  nodata: 0,
  scale: 0.0001,
  offset: -0.1,
  overviews: [5490, 2745, 1373, 687].map((size) => ({ width: size, height: size })),
});
