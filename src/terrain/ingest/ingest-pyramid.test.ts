import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ingestDem } from './ingest-dem.ts';
import type { DemFolder } from './testing/make-dem-folder.ts';
import { onlyFile, toTileBytes, withDemFolder } from './testing/make-dem-folder.ts';
import { serveFiles } from './testing/serve-files.ts';

const HALF_SIDE_M = 20_037_508.342789244;

/** Writes tiles named `z/x/y`. */
async function writeTiles({ write }: DemFolder, below: string, names: readonly string[], width = 256) {
  const tile = await toTileBytes({ width });
  for (const name of names) await write(`${below}${name}.png`, tile);
}

const near = (values: readonly number[], wanted: readonly number[]) =>
  values.forEach((value, i) => {
    assert.ok(Math.abs(value - wanted[i]!) < 1e-4, `${values}, not ${wanted}`);
  });

test('tiles in a folder form one image of the Mercator square, with the bounds of the deepest zoom', () =>
  withDemFolder(async (folder) => {
    const { root, store, options } = folder;
    // The Alps: 2 × 1 tiles of zoom 6, and what is above them.
    await writeTiles(folder, 'tiles/', ['4/8/5', '5/16/11', '6/33/22', '6/34/22', '6/34/023', '6/x/y']);
    const from = join(root, 'tiles');
    const report = await ingestDem(options({ from, name: null }));
    assert.deepEqual([report.dem, report.totals.ingested], ['tiles', 1]);
    const { id, bounds, resolutionM, transform, ...rest } = onlyFile(store);
    assert.deepEqual(rest, {
      dem: 'tiles',
      overview: 0,
      format: 'terrarium',
      href: `${from}/{z}/{x}/{y}.png`,
      bandIndex: 0,
      epsg: 3857,
      width: 256 * 64,
      height: 256 * 64,
      levels: [
        { width: 256 * 32, height: 256 * 32 },
        { width: 256 * 16, height: 256 * 16 },
      ],
      nodata: null,
      scale: 1,
      offset: 0,
      stepM: 0,
      pyramid: { minZoom: 4, maxZoom: 6, tilePx: 256 },
      stamps: [],
    });
    assert.match(id, /^[0-9a-f]{32}$/);
    near([bounds.west, bounds.south, bounds.east, bounds.north], [5.625, 45.089, 16.875, 48.9225]);
    const pixelM = (2 * HALF_SIDE_M) / (256 * 64);
    near(transform, [-HALF_SIDE_M, pixelM, 0, HALF_SIDE_M, 0, -pixelM]);
    // Mercator stretches the ground by the inverse of the cosine of the latitude.
    const trueM = pixelM * Math.cos(((bounds.south + bounds.north) / 2) * (Math.PI / 180));
    assert.ok(Math.abs(resolutionM / trueM - 1) < 0.01, `${resolutionM}, not about ${trueM}`);

    store.takeWrites();
    const second = await ingestDem(options({ from, name: null }));
    assert.deepEqual([second.totals.unchanged, store.takeWrites()], [1, []]);
    await writeTiles(folder, 'tiles/', ['7/68/45']);
    await ingestDem(options({ from, name: null }));
    assert.equal(onlyFile(store).levels.length, 3);
  }));

test('a pyramid next to images is found, and its tiles are not listed one by one', () =>
  withDemFolder(async (folder) => {
    const { store, options, writeDem, write } = folder;
    await writeTiles(folder, 'terrarium/', ['0/0/0'], 512);
    await write('terrarium/0/0/tile.tif', 'not looked at');
    await writeDem('fine/a.tif');
    const report = await ingestDem(options());
    assert.deepEqual(
      report.files.map(({ file, outcome }) => [file, outcome]),
      [
        ['fine/a.tif', 'ingested'],
        ['terrarium', 'ingested'],
      ],
    );
    const pyramid = [...store.files.values()].find(({ format }) => format === 'terrarium');
    assert.deepEqual([pyramid?.width, pyramid?.levels], [512, []]);
    const { west, south, east, north } = pyramid!.bounds;
    near([west, south, east, north], [-180, -85.0511, 180, 85.0511]);
  }));

test('consecutive zoom levels count, from the deepest up', () =>
  withDemFolder(async (folder) => {
    await writeTiles(folder, '', ['0/0/0', '2/1/1', '3/2/2', '9/x/1']);
    await ingestDem(folder.options());
    const { width, levels } = onlyFile(folder.store);
    assert.deepEqual([width, levels.length], [256 * 8, 1]);
  }));

test('tiles that are not a PNG, have another size or other colours are refused by name', () =>
  withDemFolder(async ({ options, write }) => {
    for (const [content, code] of [
      ['not a PNG, but long enough for the head of one', 'not-a-png'],
      ['short', 'not-a-png'],
      [await toTileBytes({ width: 128 }), 'tile-size'],
      [await toTileBytes({ width: 256, height: 512 }), 'tile-size'],
      [await toTileBytes({ channels: 1 }), 'not-terrarium'],
    ] as const) {
      await write('0/0/0.png', content);
      const { files } = await ingestDem(options());
      assert.deepEqual([files[0]?.outcome, files[0]?.code], ['broken', code]);
    }
  }));

test('an address template is probed for its zoom levels along one path', async () => {
  const tile = await toTileBytes({ channels: 4 });
  // Below the tile at the equator and Greenwich only one of four has been made.
  const names = ['0/0/0', '1/1/1', '2/3/2', '2/0/0', '3/6/5'];
  await using server = await serveFiles(
    Object.fromEntries(names.map((name) => [`elevation/terrarium/${name}.png`, tile])),
  );
  await withDemFolder(
    async ({ store, options }) => {
      const from = `${server.base}/elevation/terrarium/{z}/{x}/{y}.png`;
      const report = await ingestDem(options({ from, name: null }));
      assert.deepEqual([report.dem, report.totals.ingested], ['terrarium', 1]);
      const { href, width, levels, bounds } = onlyFile(store);
      assert.deepEqual([href, width, levels.length], [from, 256 * 8, 3]);
      near([bounds.west, bounds.south, bounds.east, bounds.north], [-180, -85.0511, 180, 85.0511]);

      const part = { west: 100, south: -50, east: 120, north: -40 };
      await ingestDem(options({ from, name: null, bounds: part }));
      assert.deepEqual(onlyFile(store).bounds, part);
      const bucket = 's3://heights/elevation/terrarium/{z}/{x}/{y}.png';
      assert.equal((await ingestDem(options({ from: bucket, name: 'two' }))).totals.ingested, 1);
      const wrong = `${server.base}/elevation/{z}/{x}/{y}.png`;
      const none = await ingestDem(options({ from: wrong, name: 'three' }));
      assert.deepEqual([none.files[0]?.code, store.dems.has('three')], ['no-tiles', false]);
    },
    { network: server.network },
  );
});

test('a pyramid with a lowest zoom above 0 is found in the middle of its bounds', async () => {
  const tile = await toTileBytes();
  await using server = await serveFiles({ '5/17/11.png': tile, '6/34/22.png': tile });
  await withDemFolder(
    async ({ store, options }) => {
      const from = `${server.base}/{z}/{x}/{y}.png`;
      const bounds = { west: 12, south: 46, east: 13, north: 47 };
      const report = await ingestDem(options({ from, name: null, bounds }));
      assert.equal(report.dem, '127.0.0.1');
      const { width, levels } = onlyFile(store);
      assert.deepEqual([width, levels], [256 * 64, [{ width: 256 * 32, height: 256 * 32 }]]);
    },
    { network: server.network },
  );
});
