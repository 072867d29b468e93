import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemFile } from '../../src/terrain/index.ts';
import { makeDem, makeDemFile } from '../../src/terrain/testing/fake-dem-store.ts';
import { ALL, box, collect, idsOf, layer, WORLD } from './dem-reads.ts';
import type { OpenStore } from './store-contract.ts';

/** Texts and numbers that a database might change. */
const demanding: DemFile = makeDemFile('a', 10, 50, {
  id: 'demanding',
  href: "folder/Föld '; -- \u{1F6F0} \u0000.tif",
  epsg: 0,
  proj: '+proj=laea +lat_0=52 +lon_0=10',
  nodata: -3.4028234663852886e38,
  scale: 0.30000000000000004,
  offset: -1e-7,
  sidecars: ['.ovr'],
  stamps: ['a', ''],
});

/** What every DemStore promises. */
export function demStoreContract(name: string, open: OpenStore): void {
  test(`${name} dems: models and files read back unchanged, also after a restart`, async () => {
    const store = await open();
    const dem = makeDem('a', {
      order: -1.5,
      gaps: 'sea',
      attribution: '© "Föld" \u0000 \u{1F6F0}',
      overviews: [{ pixelDeg: 0.1 }, { pixelDeg: 0.30000000000000004 }],
    });
    await store.dems.putDem(dem);
    await store.dems.putFiles([demanding]);
    const again = await store.reopen();
    assert.deepEqual(await again.dems.find('a'), dem);
    assert.deepEqual(await again.dems.findFiles([layer('a')], WORLD, ALL), [demanding]);
    assert.deepEqual(await collect(again.dems, 'a'), [demanding]);
    const { west, south, east, north } = demanding.bounds;
    assert.deepEqual(await again.dems.list(), [
      { ...dem, fileCount: 1, finestM: 30, coarsestM: 30, bounds: { west, south, east, north } },
    ]);
    await again.close();
  });

  test(`${name} dems: the void value may be any number or none`, async () => {
    const store = await open();
    await store.dems.putDem(makeDem('a'));
    const values = [null, 0, Number.NaN, Infinity, -Infinity, -9999];
    await store.dems.putFiles(values.map((nodata, i) => makeDemFile('a', i, 0, { id: String(i), nodata })));
    const found = await store.dems.findFiles([layer('a')], WORLD, ALL);
    assert.deepEqual(
      found.map(({ nodata }) => nodata),
      values,
    );
    assert.deepEqual(
      (await collect(store.dems, 'a')).map(({ nodata }) => nodata),
      values,
    );
    await store.close();
  });

  test(`${name} dems: names are compared byte by byte, and an unknown one has nothing`, async () => {
    const store = await open();
    for (const dem of ['a', 'A', 'ä', 'a ', "a'; --", '高程', '\u{1F5FB}']) {
      await store.dems.putDem(makeDem(dem));
      await store.dems.putFiles([makeDemFile(dem, 0, 0)]);
    }
    for (const dem of ['a', 'A', 'ä', 'a ', "a'; --", '高程', '\u{1F5FB}']) {
      assert.equal((await store.dems.find(dem))?.name, dem);
      assert.deepEqual(await idsOf(store.dems, [layer(dem)], WORLD), [makeDemFile(dem, 0, 0).id]);
      assert.equal((await collect(store.dems, dem)).length, 1);
    }
    for (const dem of ['', 'Ä', ' a', 'a\u0000', "' OR 1=1 --", 'a\u0308']) {
      assert.equal(await store.dems.find(dem), null, JSON.stringify(dem));
      assert.deepEqual(await idsOf(store.dems, [layer(dem)], WORLD), []);
      assert.deepEqual(await collect(store.dems, dem), []);
      assert.equal(await store.dems.removeDem(dem), null);
    }
    assert.equal((await store.dems.list()).length, 7);
    await store.close();
  });

  test(`${name} dems: putting a model again replaces it, and its files stay`, async () => {
    const store = await open();
    await store.dems.putDem(makeDem('a', { order: 1 }));
    await store.dems.putFiles([makeDemFile('a', 1, 1), makeDemFile('a', 0, 0, { overview: 1 })]);
    const changed = makeDem('a', { order: 2, gaps: 'sea', overviews: [{ pixelDeg: 1 }] });
    await store.dems.putDem(changed);
    assert.deepEqual(await store.dems.find('a'), changed);
    assert.deepEqual(
      (await store.dems.list()).map(({ order, fileCount }) => ({ order, fileCount })),
      [{ order: 2, fileCount: 1 }],
    );
    assert.equal((await store.dems.findFiles([layer('a'), layer('a', 1)], WORLD, ALL)).length, 2);
    await store.close();
  });

  test(`${name} dems: models are sorted by the operator's order, then the finest first, then by name`, async () => {
    const store = await open();
    const put = async (dem: string, order: number, ...resolutions: number[]) => {
      await store.dems.putDem(makeDem(dem, { order }));
      await store.dems.putFiles(resolutions.map((resolutionM, i) => makeDemFile(dem, i, 0, { resolutionM })));
    };
    await put('z', 0, 30);
    await put('B', 0, 30);
    await put('a', 0, 30);
    // By UTF-16 the second of these would come first.
    await put('\uFF5E', 0, 30);
    await put('\u{1F5FB}', 0, 30);
    await put('coarse', 0, 90);
    await put('mixed', 0, 500, 29.5);
    await put('last', 10, 1);
    await put('second', -2, 900);
    await put('first', -10, 900);
    await put('empty', -20);
    await store.dems.putDem(makeDem('only overviews', { order: -20 }));
    await store.dems.putFiles([makeDemFile('only overviews', 0, 0, { overview: 1 })]);
    const listed = await store.dems.list();
    assert.deepEqual(
      listed.map((dem) => dem.name),
      ['first', 'second', 'mixed', 'B', 'a', 'z', '\uFF5E', '\u{1F5FB}', 'coarse', 'last'],
    );
    const mixed = listed.find((dem) => dem.name === 'mixed');
    assert.deepEqual([mixed?.fileCount, mixed?.finestM, mixed?.coarsestM], [2, 29.5, 500]);
    await store.close();
  });

  test(`${name} dems: a list shows each change of the ingested files, and of no others`, async () => {
    const store = await open();
    const describe = async () => {
      const [dem] = await store.dems.list();
      return dem === undefined ? null : [dem.fileCount, dem.finestM, dem.coarsestM, dem.bounds];
    };
    await store.dems.putDem(makeDem('a'));
    assert.equal(await describe(), null);
    await store.dems.putFiles([makeDemFile('a', 5, 5)]);
    assert.deepEqual(await describe(), [1, 30, 30, box(5, 5, 6, 6)]);
    await store.dems.putFiles([makeDemFile('a', 0, 0, { overview: 1, resolutionM: 1 })]);
    assert.deepEqual(await describe(), [1, 30, 30, box(5, 5, 6, 6)]);
    await store.dems.putFiles([makeDemFile('a', 7, 4, { id: 'more', resolutionM: 90 })]);
    assert.deepEqual(await describe(), [2, 30, 90, box(5, 4, 8, 6)]);
    await store.dems.putFiles([makeDemFile('a', 7, 4, { id: 'more', resolutionM: 10 })]);
    assert.deepEqual(await describe(), [2, 10, 30, box(5, 4, 8, 6)]);
    await store.dems.putFiles([makeDemFile('a', 7, 4, { id: 'more', overview: 2 })]);
    assert.deepEqual(await describe(), [1, 30, 30, box(5, 5, 6, 6)], 'it has left the layer');
    await store.dems.removeFiles([makeDemFile('a', 5, 5).id]);
    assert.equal(await describe(), null);
    await store.dems.removeDem('a');
    await store.dems.putDem(makeDem('a'));
    await store.dems.putFiles([makeDemFile('a', 1, 1)]);
    assert.deepEqual(await describe(), [1, 30, 30, box(1, 1, 2, 2)], 'nothing is left of its past');
    await store.close();
  });

  test(`${name} dems: the hull of a model may cross the antimeridian`, async () => {
    const store = await open();
    const hullOf = async (...spans: readonly (readonly [number, number])[]) => {
      await store.dems.removeDem('a');
      await store.dems.putDem(makeDem('a'));
      await store.dems.putFiles(
        spans.map(([west, east], i) =>
          makeDemFile('a', west, 0, { id: String(i), bounds: box(west, -i, east, i + 1) }),
        ),
      );
      const [dem] = await store.dems.list();
      return [dem?.bounds.west, dem?.bounds.east];
    };
    assert.deepEqual(await hullOf([-10, 10], [20, 30]), [-10, 30]);
    assert.deepEqual(await hullOf([-150, -140], [20, 20.5]), [-150, 20.5]);
    assert.deepEqual(await hullOf([179, 181]), [179, 181]);
    assert.deepEqual(await hullOf([178, 179], [-180, -178]), [178, 182]);
    assert.deepEqual(await hullOf([179, 181], [-179, -178]), [179, 182]);
    assert.deepEqual(await hullOf([170, 175], [-160, -150]), [170, 210]);
    // As plain longitudes, although the other way round is no wider.
    assert.deepEqual(await hullOf([-180, 180]), [-180, 180]);
    assert.deepEqual(await hullOf([-180, 0], [0, 180]), [-180, 180]);
    assert.deepEqual(await hullOf([-179.5, -0.5], [-0.5, 0.5], [0.5, 179.5], [179.5, 180.5]), [-180, 180]);
    await store.close();
  });

  test(`${name} dems: putting a file again replaces it, also at another place`, async () => {
    const store = await open();
    for (const dem of ['a', 'b']) await store.dems.putDem(makeDem(dem));
    await store.dems.putFiles([makeDemFile('a', 0, 0, { id: 'x' }), makeDemFile('a', 5, 5)]);
    const moved = makeDemFile('b', 20, 20, { id: 'x', overview: 1, stamps: ['new'] });
    await store.dems.putFiles([moved]);
    assert.deepEqual(await idsOf(store.dems, [layer('a')], WORLD), ['a 0 5 5']);
    assert.deepEqual(await idsOf(store.dems, [layer('b', 1)], box(0, 0, 1, 1)), []);
    assert.deepEqual(await store.dems.findFiles([layer('b', 1)], box(20, 20, 21, 21), ALL), [moved]);
    // Twice in one call: the last one stays.
    const last = { ...moved, stamps: ['last'] };
    await store.dems.putFiles([{ ...moved, dem: 'a', overview: 0 }, makeDemFile('a', 7, 7), last]);
    assert.deepEqual(await store.dems.findFiles([layer('b', 1)], WORLD, ALL), [last]);
    assert.deepEqual(await idsOf(store.dems, [layer('a')], WORLD), ['a 0 5 5', 'a 0 7 7']);
    await store.close();
  });

  test(`${name} dems: files of an unknown model are refused, and the whole batch with them`, async () => {
    const store = await open();
    await store.dems.putFiles([]);
    await store.dems.putDem(makeDem('a'));
    const refused = { name: 'SwathError', tag: 'conflict', code: 'unknown-dem' };
    for (const dem of ['b', 'A', 'a\u0000']) {
      await assert.rejects(
        store.dems.putFiles([makeDemFile('a', 0, 0), makeDemFile(dem, 1, 1), makeDemFile('a', 2, 2)]),
        refused,
        JSON.stringify(dem),
      );
    }
    const broken = makeDemFile('a', 1, 1, { bounds: { ...WORLD, west: null as unknown as number } });
    await assert.rejects(store.dems.putFiles([makeDemFile('a', 0, 0), broken]));
    assert.deepEqual(await collect(store.dems, 'a'), []);
    assert.deepEqual(await store.dems.list(), []);
    await store.dems.putFiles([makeDemFile('a', 0, 0)]);
    assert.equal((await collect(store.dems, 'a')).length, 1, 'the store goes on working');
    await store.close();
  });

  test(`${name} dems: files are removed by their ids, and unknown ids are ignored`, async () => {
    const store = await open();
    await store.dems.putDem(makeDem('a'));
    await store.dems.putFiles([makeDemFile('a', 0, 0), makeDemFile('a', 1, 1), makeDemFile('a', 2, 2)]);
    await store.dems.removeFiles([]);
    await store.dems.removeFiles(['no such id', 'a\u0000', 'a 0 0 0', 'a 0 2 2', 'a 0 0 0']);
    const again = await store.reopen();
    assert.deepEqual(await idsOf(again.dems, [layer('a')], WORLD), ['a 0 1 1']);
    assert.equal((await collect(again.dems, 'a')).length, 1);
    await again.dems.putFiles([makeDemFile('a', 2, 2)]);
    assert.deepEqual(await idsOf(again.dems, [layer('a')], box(2, 2, 3, 3)), ['a 0 1 1', 'a 0 2 2']);
    await again.close();
  });

  test(`${name} dems: a model is removed with all its files, and no others`, async () => {
    const store = await open();
    for (const dem of ['a', 'b', 'empty']) await store.dems.putDem(makeDem(dem));
    await store.dems.putFiles(
      ['a', 'b'].flatMap((dem) => [
        makeDemFile(dem, 0, 0),
        makeDemFile(dem, 1, 0),
        makeDemFile(dem, 0, 0, { overview: 1 }),
        makeDemFile(dem, 0, 0, { overview: 2 }),
      ]),
    );
    assert.equal(await store.dems.removeDem('c'), null);
    assert.equal(await store.dems.removeDem('empty'), 0);
    assert.equal(await store.dems.removeDem('a'), 2);
    assert.equal(await store.dems.removeDem('a'), null);
    assert.equal(await store.dems.find('a'), null);
    const layers = [0, 1, 2].flatMap((overview) => [layer('a', overview), layer('b', overview)]);
    assert.deepEqual(await idsOf(store.dems, layers, WORLD), ['b 0 0 0', 'b 0 1 0', 'b 1 0 0', 'b 2 0 0']);
    await store.dems.putDem(makeDem('a'));
    for (const overview of [0, 1, 2]) assert.deepEqual(await collect(store.dems, 'a', overview), []);
    await store.dems.putFiles([makeDemFile('a', 1, 0)]);
    const again = await store.reopen();
    assert.deepEqual(await idsOf(again.dems, [layer('a')], WORLD), ['a 0 1 0']);
    assert.equal((await again.dems.list()).length, 2);
    await again.close();
  });

  test(`${name} dems: concurrent writers lose nothing and do not lock each other out`, async () => {
    const store = await open();
    for (const dem of ['a', 'b']) await store.dems.putDem(makeDem(dem));
    const files = Array.from({ length: 60 }, (_, i) => makeDemFile(i % 2 === 0 ? 'a' : 'b', i, 0));
    // All write the same files, each in an order of its own.
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        store.dems.putFiles([...files.slice(i * 5), ...files.slice(0, i * 5)]),
      ),
    );
    assert.deepEqual(
      (await store.dems.list()).map((dem) => [dem.name, dem.fileCount]),
      [
        ['a', 30],
        ['b', 30],
      ],
    );
    // Either the model is removed with its files, or they come too late and are refused.
    const outcomes = await Promise.allSettled([
      ...files.slice(0, 10).map((file) => store.dems.putFiles([{ ...file, dem: 'a' }])),
      store.dems.removeDem('a'),
      ...files.slice(0, 10).map((file) => store.dems.putFiles([{ ...file, id: `${file.id} new`, dem: 'a' }])),
      store.dems.removeFiles(files.map(({ id }) => id)),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'unknown-dem');
    }
    assert.deepEqual(await collect(store.dems, 'a'), []);
    assert.deepEqual(await store.dems.list(), []);
    await store.close();
  });
}
