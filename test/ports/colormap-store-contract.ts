import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapContent } from '../../src/color/index.ts';
import { parseColormap } from '../../src/color/index.ts';
import { makeColormaps } from '../../src/colormaps/index.ts';
import type { OpenStore } from './store-contract.ts';

const idOf = (n: number): string => n.toString(16).padStart(32, '0');
const shade = (n: number) => ({ colors: ['#000000', `#${n.toString(16).padStart(6, '0')}`] });

/** What every ColormapStore promises. */
export function colormapStoreContract(name: string, open: OpenStore): void {
  test(`${name} colormaps: what was put is found whole, also after a restart, others are absent`, async () => {
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
    await store.colormaps.put(idOf(1), sent);
    const again = await store.reopen();
    assert.deepEqual(await again.colormaps.find(idOf(1)), sent);
    for (const other of ['', idOf(2), idOf(10).toUpperCase(), "' OR 1=1 --", 'a\u0000b']) {
      assert.equal(await again.colormaps.find(other), null, other);
    }
    await again.close();
  });

  test(`${name} colormaps: the first content of an id stays`, async () => {
    const store = await open();
    const [first, second] = [parseColormap(shade(1)), parseColormap(shade(2))];
    await store.colormaps.put(idOf(1), first);
    await store.colormaps.put(idOf(1), second);
    assert.deepEqual(await store.colormaps.find(idOf(1)), first);
    await store.close();
  });

  test(`${name} colormaps: many at once, the same ones from several services, are kept once each`, async () => {
    const store = await open();
    const services = [makeColormaps({ store: store.colormaps }), makeColormaps({ store: store.colormaps })];
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, i) => services[i % 2]!.create({ ...shade(i % 4), name: i })),
    );
    assert.equal(new Set(ids).size, 4);
    for (const [i, id] of ids.entries()) {
      assert.equal(id, ids[i % 4]);
      assert.deepEqual((await services[1]!.find(id))?.colors, shade(i % 4).colors);
    }
    await store.close();
  });

  test(`${name} colormaps: the largest there may be is kept to the last digit`, async () => {
    const store = await open();
    const content = parseColormap({
      colors: Array.from({ length: 256 }, (_, i) => [i / 3, [i / 257, i / 263, i / 269]]),
      type: 'discrete',
      thresholds_type: 'absolute',
      labels: Array.from({ length: 256 }, () => '\u0001'.repeat(200)),
    });
    await store.colormaps.put(idOf(3), content);
    const again = await store.reopen();
    assert.deepEqual(await again.colormaps.find(idOf(3)), content);
    await again.close();
  });
}
