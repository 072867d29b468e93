import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapContent } from '../../src/color/index.ts';
import { parseColormap } from '../../src/color/index.ts';
import { makeColormaps } from '../../src/library/index.ts';
import { unlimitedColormaps } from '../../src/library/testing/memory-library.ts';
import type { OpenStore } from './store-contract.ts';

const idOf = (n: number): string => n.toString(16).padStart(32, '0');
const shade = (n: number) => ({ colors: ['#000000', `#${n.toString(16).padStart(6, '0')}`] });

/** What every ColormapStore promises. */
export function colormapStoreContract(name: string, open: OpenStore): void {
  test(`${name} colormaps: a stored colormap is found complete, also after a restart, others are absent`, async () => {
    const store = await open();
    const sent: ColormapContent = parseColormap({
      colors: [
        [-0.1, [0.1, 1e-7, 1]],
        [0.30000000000000004, '#ABCDEF'],
        [1e21, '#000000'],
      ],
      type: 'discrete',
      thresholds_type: 'absolute',
      labels: ["Föld '; --", 'a\u0000b \ud800', '\u{1F6F0}'],
    });
    assert.equal(await store.colormaps.find(idOf(1)), null);
    await store.colormaps.put({ id: idOf(1), content: sent, owner: 'key 1' }, 10);
    const again = await store.reopen();
    assert.deepEqual(await again.colormaps.find(idOf(1)), sent);
    for (const other of ['', idOf(2), idOf(10).toUpperCase(), "' OR 1=1 --", 'a\u0000b']) {
      assert.equal(await again.colormaps.find(other), null, other);
    }
    await again.close();
  });

  test(`${name} colormaps: the first content of an id is kept`, async () => {
    const store = await open();
    const [first, second] = [parseColormap(shade(1)), parseColormap(shade(2))];
    await store.colormaps.put({ id: idOf(1), content: first, owner: 'key 1' }, 10);
    await store.colormaps.put({ id: idOf(1), content: second, owner: 'key 2' }, 10);
    assert.deepEqual(await store.colormaps.find(idOf(1)), first);
    await store.close();
  });

  test(`${name} colormaps: concurrent puts, the same from several services, are stored once each`, async () => {
    const store = await open();
    const services = [
      makeColormaps({ ...unlimitedColormaps, store: store.colormaps }),
      makeColormaps({ ...unlimitedColormaps, store: store.colormaps }),
    ];
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        services[i % 2]!.create({ ...shade(i % 4), name: i }, `key ${i % 3}`),
      ),
    );
    assert.equal(new Set(ids).size, 4);
    for (const [i, id] of ids.entries()) {
      assert.equal(id, ids[i % 4]);
      assert.deepEqual((await services[1]!.find(id))?.colors, shade(i % 4).colors);
    }
    await store.close();
  });

  test(`${name} colormaps: the largest possible one is stored to the last digit`, async () => {
    const store = await open();
    const content = parseColormap({
      colors: Array.from({ length: 256 }, (_, i) => [i / 3, [i / 257, i / 263, i / 269]]),
      type: 'discrete',
      thresholds_type: 'absolute',
      labels: Array.from({ length: 256 }, () => '\u0001'.repeat(200)),
    });
    await store.colormaps.put({ id: idOf(3), content: content, owner: 'key 1' }, 10);
    const again = await store.reopen();
    assert.deepEqual(await again.colormaps.find(idOf(3)), content);
    await again.close();
  });

  const own = (n: number, owner: string) => ({ id: idOf(n), content: parseColormap(shade(n)), owner });

  test(`${name} colormaps: an owner cannot exceed its limit, shared ones count too`, async () => {
    const store = await open();
    assert.equal(await store.colormaps.put(own(1, 'key 1'), 2), null);
    assert.equal(await store.colormaps.put(own(2, 'key 1'), 2), null);
    const bytes = JSON.stringify(own(1, '').content).length;
    assert.deepEqual(await store.colormaps.put(own(3, 'key 1'), 2), { colormaps: 2, bytes: 2 * bytes });
    assert.equal(await store.colormaps.find(idOf(3)), null);
    assert.equal(await store.colormaps.put(own(1, 'key 1'), 2), null, 'what is there already');
    assert.equal(await store.colormaps.put(own(1, 'key 2'), 2), null);
    const again = await store.reopen();
    assert.deepEqual(
      await again.colormaps.usage(),
      new Map([
        ['key 1', { colormaps: 2, bytes: 2 * bytes }],
        ['key 2', { colormaps: 1, bytes }],
      ]),
    );
    await again.close();
  });

  test(`${name} colormaps: concurrent writers do not exceed the limit together`, async () => {
    const store = await open();
    const puts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => store.colormaps.put(own(i, `key ${i % 2}`), 7)),
    );
    assert.equal(puts.filter((used) => used === null).length, 14);
    const usage = await store.colormaps.usage();
    assert.deepEqual([usage.get('key 0')?.colormaps, usage.get('key 1')?.colormaps], [7, 7]);
    await store.close();
  });

  test(`${name} colormaps: one is removed with its last owner`, async () => {
    const store = await open();
    await store.colormaps.put(own(1, 'key 1'), 9);
    await store.colormaps.put(own(1, 'key 2'), 9);
    assert.equal(await store.colormaps.remove(idOf(1), 'key 3'), false);
    assert.equal(await store.colormaps.remove(idOf(2), 'key 1'), false);
    assert.equal(await store.colormaps.remove('a\u0000b', 'key 1'), false);
    assert.equal(await store.colormaps.remove(idOf(1), 'key 1'), true);
    assert.equal(await store.colormaps.remove(idOf(1), 'key 1'), false);
    assert.ok(await store.colormaps.find(idOf(1)), 'key 2 still has it');
    assert.equal(await store.colormaps.remove(idOf(1), 'key 2'), true);
    assert.equal(await store.colormaps.find(idOf(1)), null);
    assert.equal(await store.colormaps.put(own(1, 'key 1'), 9), null);
    assert.ok(await store.colormaps.find(idOf(1)));
    await store.close();
  });

  test(`${name} colormaps: all of an owner are removed, except those that others share`, async () => {
    const store = await open();
    for (const n of [1, 2, 3]) await store.colormaps.put(own(n, 'key 1'), 9);
    await store.colormaps.put(own(2, 'key 2'), 9);
    assert.equal(await store.colormaps.removeAll('key 1'), 3);
    assert.equal(await store.colormaps.removeAll('key 1'), 0);
    const found = await Promise.all([1, 2, 3].map((n) => store.colormaps.find(idOf(n))));
    assert.deepEqual(
      found.map((content) => content !== null),
      [false, true, false],
    );
    await store.close();
  });

  test(`${name} colormaps: an owner can read its colormap while other owners are added and removed`, async () => {
    const store = await open();
    const comeAndGo = async (owner: string): Promise<void> => {
      for (let i = 0; i < 15; i++) {
        await store.colormaps.put(own(1, owner), 9);
        assert.ok(await store.colormaps.find(idOf(1)), `${owner} has it`);
        assert.equal(await store.colormaps.remove(idOf(1), owner), true);
      }
    };
    await Promise.all(['key 1', 'key 2', 'key 3'].map(comeAndGo));
    assert.equal(await store.colormaps.find(idOf(1)), null);
    assert.equal((await store.colormaps.usage()).size, 0);
    await store.close();
  });
}
