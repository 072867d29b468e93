import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.ts';
import type { NewScene } from './scene.ts';
import { makeKeyOrders, toCanonicalEntries, toScene } from './scene-version.ts';
import { makeScene } from './testing/make-scene.ts';

/** The expected text of a value, computed in the simple way. Keys are letters only: see `anyValue`. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  const record = value as Readonly<Record<string, unknown>>;
  return `{${names.map((name) => `${JSON.stringify(name)}:${toText(record[name])}`).join(',')}}`;
}

/** The same with the keys of all objects in reverse order. */
function turn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turn);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, own]) => [name, turn(own)]),
  );
}

// Few letters, so that objects with the same keys in other orders are common; lists mix objects and plain values.
const { anyValue } = fc.letrec((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(anyText(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('anyValue'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 2 }), tie('anyValue'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}));
const withValue = (value: unknown): NewScene => makeScene(1, { fields: value as NewScene['fields'] });

test('property: the JSON of a record has all keys in order, whatever their original order and earlier records', () => {
  const orders = makeKeyOrders();
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = `"fields":${toText(value)}`;
      for (const given of [value, turn(value)]) {
        const entries = new Map(toCanonicalEntries(withValue(given), orders));
        assert.equal(entries.get('fields'), text);
      }
      assert.equal(toScene(withValue(turn(value))).version, toScene(withValue(value)).version);
    }),
  );
});

test('giving a record a version does not change its content', () => {
  const scene = makeScene(2);
  const before = JSON.stringify(scene);
  toScene(scene);
  assert.equal(JSON.stringify(scene), before);
});

test('the version does not depend on itself or the time of indexing, and undefined is the same as absent', () => {
  const scene = makeScene(3);
  const { version } = toScene(scene);
  assert.match(version, /^[0-9a-f]{16}$/);
  const same: object = { ...scene, version: 'other', productId: undefined };
  assert.equal(toScene(same as NewScene).version, version);
  assert.notEqual(toScene({ ...scene, sunElevationDeg: 64 }).version, version);
  assert.equal(toScene({ ...scene, indexedAt: '2026-06-22T00:00:00.000Z' }).version, version);
});

test('more kinds of objects than are remembered are still sorted', () => {
  const orders = makeKeyOrders();
  for (let i = 0; i < 100; i += 1) {
    const names = [`z${i}`, 'm', `a${i}`];
    const record = Object.fromEntries(names.map((name) => [name, 0]));
    const { sorted, isSorted } = orders(record);
    assert.deepEqual(sorted, [`a${i}`, 'm', `z${i}`]);
    assert.equal(isSorted, false);
  }
  assert.equal(orders({ a: 1, b: 2 }).isSorted, true);
});
