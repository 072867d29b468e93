import { tileAt } from '../../src/geo/index.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { demand, printRow } from '../exports/report.ts';
import { median } from '../exports/spent.ts';
import type { FarCatalog } from './catalog.ts';
import { listDays, startFarCatalog, toSquare, toViewId } from './catalog.ts';
import { TEXTURE_M, TILE } from './make-bands.ts';
import { askSearch, askTile, startEarthService } from './service.ts';

/** Medians at one distance, in milliseconds. */
interface Latency {
  readonly delayMs: number;
  readonly search: number;
  /** The same question to the catalog itself, without Swath: what its own work takes besides the round trip. */
  readonly direct: number;
  readonly firstTile: number;
  readonly secondTile: number;
}

/** Zoom of the tiles: the next finer overview has pixels of 10 m. */
const ZOOM = 13;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Searches, and tiles of scenes that the service has never heard of. */
async function measureAt(delayMs: number, bands: string, rounds: number): Promise<Latency> {
  // Some scenes in addition compile code.
  const days = listDays(100, 7);
  const warmUps = 3;
  await using catalog = await startFarCatalog(bands, days, delayMs);
  await using service = await startEarthService(catalog);
  const tiles = listTiles();
  const [search, direct, firstTile, secondTile]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = -warmUps; round < rounds; round += 1) {
    const number = round + warmUps;
    // Each one is different, and its hits are scenes of which no tile was asked for.
    const searched = await timed(() =>
      askSearch(service.url, {
        shape: toSquare(1_000 + number * 100, 2_000, 1_000),
        date: { from: days.at(-1), to: days[rounds + warmUps + number] },
        cloudCoverage: { to: 20 + number },
      }),
    );
    const directly = await timed(() => askCatalog(catalog));
    const viewId = toViewId(days[number] as string);
    const [first, second] = [tiles[number % tiles.length], tiles[(number + 1) % tiles.length]];
    if (first === undefined || second === undefined) throw new Error('no tiles');
    const [firstMs, secondMs] = [
      await timed(() => askTile(service.url, viewId, first)),
      await timed(() => askTile(service.url, viewId, second)),
    ];
    if (round < 0) continue;
    search.push(searched);
    direct.push(directly);
    firstTile.push(firstMs);
    secondTile.push(secondMs);
  }
  return {
    delayMs,
    search: median(search),
    direct: median(direct),
    firstTile: median(firstTile),
    secondTile: median(secondTile),
  };
}

/** Asks what the catalog was asked last. */
async function askCatalog({ stac }: FarCatalog): Promise<void> {
  const last = stac.calls.findLast(({ kind }) => kind === 'search');
  const answer = await fetch(`${stac.url}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(last?.body),
  });
  await answer.json();
}

/** Tiles inside the part of the image that has texture, no two of them next to each other. */
function listTiles(): readonly { readonly z: number; readonly x: number; readonly y: number }[] {
  const toMap = makeProjection(TILE.epsg, 3857).forward;
  const at = (eastM: number, southM: number) =>
    tileAt(ZOOM, ...toMap(TILE.west + eastM, TILE.north - southM));
  const [first, last] = [at(6_000, 6_000), at(TEXTURE_M - 6_000, TEXTURE_M - 6_000)];
  const tiles = [];
  for (let y = first.y; y <= last.y; y += 2)
    for (let x = first.x; x <= last.x; x += 2) tiles.push({ z: ZOOM, x, y });
  return tiles;
}

/** Measures at two distances and prints how many round trips each answer takes, and how much besides. */
export async function measureLatency(
  delaysMs: readonly [near: number, far: number],
  { bands, rounds }: { readonly bands: string; readonly rounds: number },
): Promise<void> {
  const [near, far] = [
    await measureAt(delaysMs[0], bands, rounds),
    await measureAt(delaysMs[1], bands, rounds),
  ];
  printRow('', `${near.delayMs} ms`, `${far.delayMs} ms`, 'trips', 'besides');
  const row = (name: string, read: (latency: Latency) => number): void => {
    const trips = (read(far) - read(near)) / (far.delayMs - near.delayMs);
    const besides = read(near) - trips * near.delayMs;
    printRow(
      name,
      ...[read(near), read(far)].map((ms) => ms.toFixed(0)),
      trips.toFixed(1),
      `${besides.toFixed(0)} ms`,
    );
  };
  row('search', ({ search }) => search);
  row('  its question to the catalog, without Swath', ({ direct }) => direct);
  for (const one of [near, far])
    demand(`at ${one.delayMs} ms: one round trip to the catalog and 20 ms`, one.search <= one.delayMs + 20);
  row('first tile of a scene', ({ firstTile }) => firstTile);
  for (const one of [near, far])
    demand(`at ${one.delayMs} ms: five round trips and 150 ms`, one.firstTile <= 5 * one.delayMs + 150);
  row('second tile of the scene', ({ secondTile }) => secondTile);
}
