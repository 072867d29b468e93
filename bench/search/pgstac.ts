import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { NewScene, SceneQuery, SceneStore } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { makeAddresses } from '../../src/http/stac/addresses.ts';
import { makeWriteItem } from '../../src/http/stac/item.ts';
import { toItemId } from '../../src/http/stac/item-properties.ts';
import { PYTHON_PACKAGES } from '../../test/oracle/earth/packages.ts';
import { fillDatabase, startStacFastapi } from '../../test/oracle/earth/start-stac-fastapi.ts';
import { startPostgres } from '../../test/ports/postgres-cluster.ts';
import { hasPython, installPython } from '../../test/support/python-packages.ts';
import { readTreeCpuS } from '../exports/spent.ts';
import { findPostmaster } from '../mosaic/titiler-pgstac.ts';
import { makePostJson } from './ask-app.ts';
import { sceneIdOf, toStacBody } from './bodies.ts';
import { queryKinds } from './queries.ts';
import { DATASET_IDS, makeRandom, makeSyntheticScene } from './synthetic-scenes.ts';

const LIMIT = 250;
/** Pages that are walked before the deep one is measured. */
const PAGES_BEFORE = 9;
const TARGET = 10;
/** How long each service is asked before it is measured: caches fill, and its code is compiled. */
const WARM_MS = 5_000;
/** How long answers are measured at least: some hundred short ones of the slower side. */
const MEASURED_MS = 4_000;
/** Searches between two looks at the clock. */
const SEARCHES_A_LOOK = 16;
/** Requests at a time, as in the benches of tiles: a service that waits between two pays for waking its threads instead. */
const CLIENTS = 8;
/** Scenes that are stored in one write. */
const SCENES_A_WRITE = 2_000;

/** A page of items as both services answer it. */
interface Page {
  readonly features: readonly unknown[];
  readonly links: readonly { readonly rel: string; readonly body?: { readonly token?: string } }[];
}

/** A service that takes `POST /search`. */
interface Side {
  /** The bytes of a page: what a client makes of them is not measured. */
  search(body: object): Promise<Uint8Array>;
  /** All that the service has taken so far, its database included. */
  readCpuS(): number;
}

/**
 * Compares pages of items with those of stac-fastapi-pgstac, with the same items and the same five searches in one run:
 * processor time of the service and its database. Ours runs in this process, over SQLite.
 */
export async function comparePgstac(
  count: number,
  demand: (what: string, isMet: boolean) => void,
): Promise<void> {
  const settings = ['shared_buffers=1GB', 'effective_cache_size=3GB', 'max_wal_size=4GB'];
  const postgres = hasPython() ? await startPostgres(settings) : null;
  if (postgres === null) {
    console.log('Python, or PostgreSQL with PostGIS, is not installed here: nothing to compare with.');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
  const store = openSqliteStore(folder);
  try {
    await fillStore(store.scenes, count);
    const bin = await installPython('swath-bench-pgstac', PYTHON_PACKAGES, console.log);
    const place = { databaseUrl: postgres.url, bin, folder };
    await fillDatabase(place, { collections: DATASET_IDS.map(toCollection), items: listItems(count) });
    await using peer = await startStacFastapi({ ...place, counts: false });
    const database = findPostmaster(new URL(postgres.url).port);
    const post = makePostJson(store.scenes);
    const ours: Side = {
      search: (body) => post('/stac/search', body),
      readCpuS() {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      },
    };
    const theirs: Side = {
      search: (body) => postJson(`${peer.url}/search`, body),
      readCpuS: () => readTreeCpuS(peer.pid) + readTreeCpuS(database),
    };
    console.log(`        ${count} scenes in both; pages of at most ${LIMIT} items with assets`);
    for (const kind of queryKinds.filter(({ targetMs }) => targetMs !== null)) {
      const own = await measure(ours, makeQueries(kind, count));
      const other = await measure(theirs, makeQueries(kind, count));
      const ratio = other.cpuMs / own.cpuMs;
      const name = kind.name
        .replace(/500 hits/, `${LIMIT} items`)
        .replace(/page 100/, `page ${PAGES_BEFORE + 1}`);
      demand(
        `${name.padEnd(40)} Swath ${own.cpuMs.toFixed(1)} ms for ${own.items.toFixed(0)} items, stac-fastapi-pgstac ${other.cpuMs.toFixed(1)} ms for ${other.items.toFixed(0)}: ${ratio.toFixed(1)} ×, at least ${TARGET} ×`,
        ratio >= TARGET,
      );
    }
  } finally {
    await store.close();
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillStore(scenes: SceneStore, count: number): Promise<void> {
  for (let n = 0; n < count; n += SCENES_A_WRITE)
    await scenes.putMany(
      Array.from({ length: Math.min(SCENES_A_WRITE, count - n) }, (_, i) => makeNamedScene(n + i, count)),
    );
}

/** The items that our own answers have. */
function* listItems(count: number): Generator<{ readonly id: string }> {
  const publicUrl = 'http://swath.test';
  const write = makeWriteItem({
    publicUrl,
    addresses: makeAddresses(publicUrl),
    toThumbnail: ({ viewId }) => `${publicUrl}/thumbnails/${viewId}.png`,
    toFolder: (viewId) => `${publicUrl}/stac/files/${viewId}/`,
    toMap: null,
    signedFor: '',
  });
  for (let n = 0; n < count; n += 1)
    yield JSON.parse(write(toScene(makeNamedScene(n, count))).toString()) as { readonly id: string };
}

const toCollection = (id: string) => ({
  type: 'Collection',
  id,
  stac_version: '1.1.0',
  description: 'Scenes of a benchmark',
  license: 'other',
  links: [],
  extent: {
    spatial: { bbox: [[-180, -90, 180, 90]] },
    temporal: { interval: [['1999-01-01T00:00:00Z', null]] },
  },
});

/** A search as a body of either service; `isDeep` asks for a page far behind. */
interface StacSearch {
  readonly body: object;
  readonly isDeep: boolean;
}

const toItem = (sceneId: string): object => ({ ids: [toItemId(toRealViewId(sceneId))] });

/** A scene that the service finds by its id: names of scenes are made up, and those of Sentinel-2 become real ones here. */
function makeNamedScene(n: number, total: number): NewScene {
  const scene = makeSyntheticScene(n, total);
  return isSentinel2(scene.sceneId) ? { ...scene, viewId: toRealViewId(scene.sceneId) } : scene;
}

const isSentinel2 = (sceneId: string): boolean => sceneId.startsWith('S2_');

/** Letters of MGRS: bands of latitude, columns of squares by the zone's remainder of three, and rows. */
const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const COLUMNS = ['STUVWXYZ', 'ABCDEFGH', 'JKLMNPQR'] as const;
const ROWS = 'ABCDEFGHJKLMNPQRSTUV';

/** A view id with a square of its own for every tile, and the day. */
function toRealViewId(sceneId: string): string {
  const [prefix, tile, day = '', number = ''] = sceneId.split('_');
  let left = Number(tile);
  const take = (count: number): number => {
    const taken = left % count;
    left = Math.floor(left / count);
    return taken;
  };
  const zone = 1 + take(60);
  const column = (COLUMNS[zone % 3] ?? '').charAt(take(8));
  const [row, band] = [ROWS.charAt(take(20)), BANDS.charAt(take(20))];
  const date = [day.slice(0, 4), Number(day.slice(4, 6)), Number(day.slice(6))];
  return [prefix, zone, band, `${column}${row}`, ...date, Number.parseInt(number, 36) % 100].join('/');
}

/** Searches of a kind, the same for both sides. */
function makeQueries(kind: (typeof queryKinds)[number], scenes: number): () => SceneQuery {
  const random = makeRandom(42);
  return () => {
    for (;;) {
      const query = kind.make(random, scenes);
      const name = sceneIdOf(query);
      if (name === null || isSentinel2(name)) return query;
    }
  };
}

async function measure(
  side: Side,
  make: () => SceneQuery,
): Promise<{ readonly cpuMs: number; readonly items: number }> {
  const makeBatch = (): readonly StacSearch[] =>
    Array.from({ length: SEARCHES_A_LOOK }, () => {
      const query = make();
      return { body: toStacBody(query, LIMIT, toItem), isDeep: query.offset > 0 };
    });
  const isWarmMs = performance.now() + WARM_MS;
  while (performance.now() < isWarmMs)
    await askAll(
      side,
      makeBatch().map(({ body }) => body),
    );
  let [items, cpuS, asked, spentMs] = [0, 0, 0, 0];
  while (spentMs < MEASURED_MS) {
    const bodies: object[] = [];
    for (const { body, isDeep } of makeBatch()) bodies.push(isDeep ? await walk(side, body) : body);
    const [fromS, fromMs] = [side.readCpuS(), performance.now()];
    const pages = await askAll(side, bodies);
    cpuS += side.readCpuS() - fromS;
    spentMs += performance.now() - fromMs;
    asked += pages.length;
    items += pages.reduce((sum, page) => sum + parsePage(page).features.length, 0);
  }
  return { cpuMs: (cpuS / asked) * 1_000, items: items / asked };
}

/** Asks several searches at a time, each client the next one when it has its answer. */
async function askAll(side: Side, bodies: readonly object[]): Promise<readonly Uint8Array[]> {
  const rest = bodies.values();
  const pages: Uint8Array[] = [];
  const ask = async (): Promise<void> => {
    for (const body of rest) pages.push(await side.search(body));
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  return pages;
}

/** The body of a page some pages behind the first, or of the last one. */
async function walk(side: Side, body: object): Promise<object> {
  let asked = body;
  for (let page = 0; page < PAGES_BEFORE; page += 1) {
    const { links } = parsePage(await side.search(asked));
    const token = links.find(({ rel }) => rel === 'next')?.body?.token;
    if (token === undefined) return asked;
    asked = { ...body, token };
  }
  return asked;
}

const parsePage = (bytes: Uint8Array): Page => JSON.parse(Buffer.from(bytes).toString()) as Page;

async function postJson(url: string, body: object): Promise<Uint8Array> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  return new Uint8Array(await answer.arrayBuffer());
}
