import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WindowRequest } from '../blocks/index.ts';
import { tileGrid } from '../geo/index.ts';
import { aTicket } from '../pool/testing/run-here.ts';
import { terrainReads } from './index.ts';
import { makeTerrainHere } from './testing/terrain-here.ts';

const here = makeTerrainHere();
after(here.remove);
here.addModel('first');
here.addModel('second');
/** Files of two lattices next to each other, and another model under both. */
const add = (dem: string, west: number, columns: number, step: number) =>
  here.addImage({
    dem,
    epsg: 4326,
    transform: [west, 1 / columns, 0, 50, 0, -step],
    width: columns,
    height: Math.round(1 / step),
    heightAt: (lon, lat) => 500 + 100 * Math.sin(lon * 40) * Math.cos(lat * 50),
  });
await add('first', 9, 300, 1 / 300);
await add('first', 10, 200, 1 / 300);
await add('second', 9.5, 600, 1 / 600);

const hillshade = {
  kind: 'hillshade',
  azimuthDeg: 315,
  altitudeDeg: 45,
  color: null,
  format: 'png',
} as const;
const ADDRESS = 'https://dems.example/';
const toText = ({ href, bandIndex, read, record }: WindowRequest): string =>
  JSON.stringify([href.replace(ADDRESS, ''), bandIndex, read, record]);

/** What the jobs since then said that they would read; drawing says so only of addresses. */
const listSaid = (): readonly string[] =>
  here.asked.splice(0).flatMap(({ kind, input }) => {
    if (kind !== 'terrain') return terrainReads[kind as 'heights']?.(input as never).map(toText) ?? [];
    const { planJson } = input as { planJson: string };
    assert.deepEqual(terrainReads.terrain?.({ planJson, grids: [] }), [], 'local files are not listed');
    const remote = planJson.replaceAll('"href":"', `"href":"${ADDRESS}`);
    return terrainReads.terrain?.({ planJson: remote, grids: [] }).map(toText) ?? [];
  });
const listRead = (): readonly string[] => here.reads.splice(0).map(toText);

test('jobs read exactly the windows that are listed for them', async () => {
  const [west, south, east, north] = [9.9, 49.5, 10.1, 49.6];
  // Edges from the lower to the higher end.
  const outline = Float64Array.of(west, south, west, north, east, south, east, north);
  const bounds = { west, south, east, north };
  const works = {
    tile: () =>
      here.draw({ grid: tileGrid({ z: 10, x: 540, y: 349 }), product: hillshade, isFiltered: true }),
    point: () => here.readElevation({ lat: 49.51, lon: 10.001 }, aTicket),
    area: () => here.readAreaStatistics({ outline, bounds, slopeBounds: [], isFiltered: false }, aTicket),
  };
  for (const [name, work] of Object.entries(works)) {
    await work();
    const [said, read] = [listSaid(), listRead()];
    assert.ok(read.length > 0, name);
    assert.deepEqual([...new Set(said)].sort(), [...new Set(read)].sort(), name);
  }
});
