import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LonLatBounds } from '../../src/geo/index.ts';
import { makeDem, makeDemFile } from '../../src/terrain/testing/fake-dem-store.ts';
import { ALL, box, collect, idsOf, layer, WORLD } from './dem-reads.ts';
import type { OpenStore } from './store-contract.ts';

/** What every DemStore promises of the search for files. */
export function demSearchContract(name: string, open: OpenStore): void {
  test(`${name} dems: files are found by bounds that touch, including edges and corners`, async () => {
    const store = await open();
    await store.dems.putDem(makeDem('a'));
    // Numbers that 32 bits cannot hold.
    const file = makeDemFile('a', 10.1, 50.3);
    await store.dems.putFiles([file]);
    const { west, south, east, north } = file.bounds;
    const meeting = [
      file.bounds,
      WORLD,
      box(west + 0.1, south + 0.1, west + 0.2, south + 0.2),
      box(east, south, east + 1, north),
      box(west - 1, south, west, north),
      box(west, north, east, north + 1),
      box(west, south - 1, east, south),
      box(east, north, east, north),
      box(west, south, west, south),
      box(-1000, -1000, 1000, 1000),
    ];
    for (const bounds of meeting) {
      assert.deepEqual(await idsOf(store.dems, [layer('a')], bounds), [file.id], JSON.stringify(bounds));
    }
    const step = 1e-9;
    const missing = [
      box(east + step, south, east + 1, north),
      box(west - 1, south, west - step, north),
      box(west, north + step, east, north + 1),
      box(west, south - 1, east, south - step),
      box(-180, 80, 180, 90),
      box(west, 95, east, 900),
    ];
    for (const bounds of missing) {
      assert.deepEqual(await idsOf(store.dems, [layer('a')], bounds), [], JSON.stringify(bounds));
    }
    await store.close();
  });

  test(`${name} dems: files are found across the antimeridian, in any notation of longitudes`, async () => {
    const store = await open();
    await store.dems.putDem(makeDem('a'));
    const put = (id: string, west: number, east: number) =>
      makeDemFile('a', west, 0, { id, bounds: box(west, 0, east, 1) });
    await store.dems.putFiles([
      put('across', 179.5, 180.5),
      put('east', 178, 179),
      put('from 180', 180, 181),
      put('west', -180, -179),
      put('world', -180, 180),
    ]);
    const find = (west: number, east: number) => idsOf(store.dems, [layer('a')], box(west, 0.2, east, 0.8));
    const turns = [-1080, -360, 0, 360, 1080];
    for (const turn of turns) {
      const beyond = await find(-179.9 + turn, -179.8 + turn);
      assert.deepEqual(beyond, ['across', 'from 180', 'west', 'world'], `${turn}`);
      assert.deepEqual(await find(179.6 + turn, 179.7 + turn), ['across', 'world'], `${turn}`);
      assert.deepEqual(await find(178.9 + turn, 179.6 + turn), ['across', 'east', 'world'], `${turn}`);
      assert.deepEqual(await find(-181 + turn, -180.75 + turn), ['east', 'world'], `${turn}`);
      assert.deepEqual(await find(10 + turn, 20 + turn), ['world'], `${turn}`);
      // The antimeridian itself.
      assert.deepEqual(
        await find(180 + turn, 180 + turn),
        ['across', 'from 180', 'west', 'world'],
        `${turn}`,
      );
    }
    assert.equal((await find(-181, 179)).length, 5);
    assert.equal((await find(0, 360)).length, 5);
    assert.equal((await find(-500, 500)).length, 5);
    await store.close();
  });

  test(`${name} dems: only files of the requested layers are found`, async () => {
    const store = await open();
    for (const dem of ['a', 'b', 'c']) await store.dems.putDem(makeDem(dem));
    const files = ['c', 'a', 'b'].flatMap((dem) => [
      makeDemFile(dem, 0, 89, { bounds: box(0, 89, 1, 90) }),
      makeDemFile(dem, 0, -90, { overview: 1 }),
      makeDemFile(dem, 0, 0, { overview: 2 }),
    ]);
    await store.dems.putFiles(files);
    const find = (...layers: readonly { dem: string; overview: number }[]) =>
      idsOf(store.dems, layers, WORLD);
    assert.deepEqual(await find(), []);
    assert.deepEqual(await find(layer('a')), ['a 0 0 89']);
    assert.deepEqual(await find(layer('a', 1)), ['a 1 0 -90']);
    assert.deepEqual(await find(layer('a', 3)), []);
    assert.deepEqual(await find(layer('d'), layer('b')), ['b 0 0 89']);
    assert.deepEqual(await find(layer('c', 2), layer('a', 1), layer('a', 1), layer('b')), [
      'a 1 0 -90',
      'b 0 0 89',
      'c 2 0 0',
    ]);
    await store.close();
  });

  test(`${name} dems: files are returned in id order up to a limit, however many there are`, async () => {
    const store = await open();
    for (const dem of ['a', 'b']) await store.dems.putDem(makeDem(dem));
    const files = Array.from({ length: 1_300 }, (_, i) =>
      makeDemFile(i % 13 === 0 ? 'b' : 'a', (i % 36) * 10 - 180, Math.floor(i / 36), {
        // Spread over the world, with texts that are ordered otherwise by UTF-16.
        id: `${(i * 7919) % 1_300} ${i % 2 === 0 ? '\uFF5E' : '\u{1F5FB}'}`,
      }),
    );
    await store.dems.putFiles(files);
    const sorted = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
    const expected = sorted.map(({ id }) => id);
    const both = [layer('b'), layer('a')];
    assert.deepEqual(await idsOf(store.dems, both, WORLD), expected);
    for (const limit of [0, 1, 7, 400, 1_299, 1_300]) {
      assert.deepEqual(await idsOf(store.dems, both, WORLD, limit), expected.slice(0, limit), `${limit}`);
    }
    const meeting = ({ west, south, east, north }: LonLatBounds) =>
      sorted
        .filter(({ bounds }) => bounds.west <= east && bounds.east >= west)
        .filter(({ bounds }) => bounds.south <= north && bounds.north >= south)
        .map(({ id }) => id);
    const [few, many] = [box(-180, 0, -120, 3), box(-105, 5, 100, 30)];
    assert.ok(meeting(few).length > 20 && meeting(few).length < 60, `${meeting(few).length}`);
    assert.ok(meeting(many).length > 400 && meeting(many).length < 800, `${meeting(many).length}`);
    for (const bounds of [few, many]) {
      for (const limit of [5, 50, ALL]) {
        assert.deepEqual(await idsOf(store.dems, both, bounds, limit), meeting(bounds).slice(0, limit));
      }
    }
    // Across pages.
    assert.deepEqual(
      await collect(store.dems, 'a'),
      sorted.filter(({ dem }) => dem === 'a'),
    );
    assert.deepEqual(await collect(store.dems, 'a', 1), []);
    await store.close();
  });
}
