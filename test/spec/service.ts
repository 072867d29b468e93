import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openSqliteStore, prepareDirectory } from '../../src/adapters/sqlite/index.ts';
import { DEMO_FOLDER } from '../../src/app/make-demo.ts';
import { ingestMoistureFiles } from '../../src/app/soil-moisture.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { makeGridNetcdf } from '../../src/cubes/testing/make-grid-netcdf.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import { makeOpenSource, toFileHref } from '../../src/storage/index.ts';
import { ingestDem } from '../../src/terrain/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { spots } from '../../world/setting/spots.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { productOf } from '../world/make-products.ts';
import { copyParts } from '../world/shared-world.ts';

/** Scenes of the service, by short names. The first two lie at the same location and have the same grid of 10 m. */
const PARTS = {
  s2: productOf('sentinel2-l1c-polygons').part,
  l2a: productOf('sentinel2-l2a').part,
  l8: productOf('landsat8-c2').part,
  l7: productOf('landsat7-c2').part,
  modis: productOf('modis').part,
  cbers: productOf('cbers4mux').part,
  naip: productOf('naip-rgbir').part,
  s1: productOf('sentinel1').part,
  beforeFire: toFirePart('2026-08-02'),
  afterFire: toFirePart('2026-08-17'),
} as const satisfies Record<string, DemoPart>;

/** Heights of the whole world, 3 seconds of arc a pixel. */
const TERRAIN: DemoPart = { key: 'terrain', cost: 1, kind: 'terrain', plan: { seconds: 3 } };

/** The short name of a scene. */
export type Key = keyof typeof PARTS;

/** Six kilometres of forest in clear air, a fifth of which burnt from 9 to 11 August. */
function toFirePart(date: string): DemoPart {
  const sideM = 6000;
  const corner = (middle: number): number => Math.round((middle - sideM / 2) / 60) * 60;
  return {
    key: `fire-${date}`,
    cost: 1,
    kind: 'sentinel2-l2a',
    plan: {
      satellite: 'S2A',
      atMs: Date.parse(`${date}T19:10:00Z`),
      sequence: 0,
      baseline: '05.11',
      seed: 7,
      finestM: 60,
      sky: { seed: 1, opaque: 0, cirrus: 0, haze: 0 },
      window: { x: corner(spots.fire.x), y: corner(spots.fire.y), width: sideM, height: sideM },
    },
  };
}

let swath: RunningSwath;
const scenes = new Map<Key, Scene>();

before(
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'swath-spec-'));
    await fill(dataDir);
    const env = {
      SWATH_LOG: 'warn',
      SWATH_WATERMARK: 'Swath preview',
      SWATH_STATISTICS_PER_MINUTE: '0',
      SWATH_WORK_PER_MINUTE: '0',
    };
    swath = await startSwath({ dataDir, env });
    await waitUntilReady(swath.url);
  },
  { timeout: 600_000 },
);
after(async () => {
  await swath?.stop();
  rmSync(swath.dataDir, { recursive: true });
});

/** Writes the products and takes them in, as `swath ingest folder` does. */
async function fill(dataDir: string): Promise<void> {
  const toFolder = ({ key }: DemoPart): string => join(dataDir, DEMO_FOLDER, key);
  await copyParts([...Object.values(PARTS), TERRAIN], toFolder);
  const roots = { dataDir, folders: [] };
  prepareDirectory(dataDir);
  const store = openSqliteStore(dataDir);
  const open = makeOpenSource(roots);
  for (const [key, part] of Object.entries(PARTS)) {
    const toHref = (path: string): string => toFileHref(path, roots);
    const onBug = (error: unknown): never => assert.fail(String(error));
    const provenance = 'demo';
    await ingestFolder({ path: toFolder(part), store: store.scenes, open, toHref, onBug, provenance });
    const known = new Set([...scenes.values()].map(({ viewId }) => viewId));
    for await (const scene of store.scenes.list()) {
      if (!known.has(scene.viewId)) scenes.set(key as Key, scene);
    }
    assert.ok(scenes.has(key as Key), `${key} was not taken in`);
  }
  const { totals } = await ingestDem({
    from: toFolder(TERRAIN),
    store: store.dems,
    name: 'demo',
    open,
    isAllowedHref: () => false,
    toHref: (path) => toFileHref(path, roots),
    listBucket: () => assert.fail('there is no bucket'),
  });
  assert.equal(totals.ingested, 4);
  await store.close();
  await fillMoisture(dataDir);
}

/** Soil moisture of the worked example of docs/use/soil-moisture.md's filter: days after the first, and values. */
export const MOISTURE = {
  first: '2026-05-01',
  days: [0, 1, 2, 3, 5, 8, 9, 15],
  surface: [0.2, 0.22, 0.35, 0.33, 0.3, 0.24, 0.23, 0.18],
  rootZone: [0.2, 0.2105, 0.261719, 0.281429, 0.286269, 0.274227, 0.264347, 0.239946],
} as const;

/** The same on each cell of a grid over the world. */
async function fillMoisture(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'moisture');
  mkdirSync(folder);
  const first = Date.parse(MOISTURE.first) / 86_400_000;
  const bytes = makeGridNetcdf({
    grid: { west: -123, north: 49, lonStep: 0.25, latStep: 0.25, width: 6, height: 6 },
    steps: MOISTURE.days.map((day) => first + day),
    valueAt: (step) => MOISTURE.surface[MOISTURE.days.findIndex((day) => first + day === step)] as number,
  });
  writeFileSync(join(folder, 'moisture.nc'), bytes);
  const { signal } = new AbortController();
  const config = { dataDir, cubes: null, sources: { folders: [] } };
  await ingestMoistureFiles({ config, from: folder, cube: 'spec', variable: null, porosity: null, signal });
}

/** The record of a scene. */
export const sceneOf = (key: Key): Scene => scenes.get(key) as Scene;

/** The path of a file that belongs to a scene. */
export const pathOf = (href: string): string => join(swath.dataDir, href);

/** The path of a file of the elevation model, by the south-west corner of its degree. */
export const demPathOf = (latitude: number, longitude: number): string => {
  const name = `Copernicus_DSM_COG_30_N${latitude}_00_W${-longitude}_00_DEM`;
  return join(swath.dataDir, DEMO_FOLDER, TERRAIN.key, name, `${name}.tif`);
};

/** `{sensor}/{verb}/{scene_id}`. */
export function verbPath(key: Key, verb: string): string {
  const [sensor, ...name] = sceneOf(key).viewId.split('/');
  return [sensor, verb, ...name].join('/');
}

interface AskOptions {
  readonly query?: string;
  readonly body?: unknown;
  /** Null for none. */
  readonly apiKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallOptions extends Pick<AskOptions, 'apiKey' | 'headers' | 'body'> {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
}

/** Calls any path of the service, or a whole address, and follows no redirect. With a body it is a POST. */
export function call(path: string, { method, body, apiKey = SERVICE_KEY, headers = {} }: CallOptions = {}) {
  const url = new URL(path, swath.url);
  if (apiKey !== null) url.searchParams.set('api_key', apiKey);
  return fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Asks for `/api/render/{path}`; with a body it is a POST. The key goes into the query, as the interface says. */
export function ask(path: string, { query = '', body, apiKey = SERVICE_KEY, headers = {} }: AskOptions = {}) {
  const key = apiKey === null ? '' : `&api_key=${encodeURIComponent(apiKey)}`;
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  return fetch(`${swath.url}/api/render/${path}?${query}${key}`, init);
}

/** Asks for JSON that must come. */
export async function askJson<Body>(path: string, options?: AskOptions): Promise<Body> {
  const response = await ask(path, options);
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  return (await response.json()) as Body;
}

/** Asks for what must be refused, with the standard error body; returns its code. */
export async function askRefused(path: string, status: number, options?: AskOptions): Promise<string> {
  const response = await ask(path, options);
  const text = await response.text();
  assert.equal(response.status, status, `${path} ${options?.query ?? ''}: ${text.slice(0, 200)}`);
  const { status: flag, error, code } = JSON.parse(text) as Record<string, unknown>;
  assert.equal(flag, false);
  assert.ok(typeof error === 'string' && error.length > 10 && typeof code === 'string');
  return code;
}
