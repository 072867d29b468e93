import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SceneReadings } from './judge.ts';
import { judge, listPastDays } from './judge.ts';
import { openReadings, packReadings } from './readings.ts';
import type { Condition } from './subscription.ts';

const idOf = (n: number): string => n.toString(16).padStart(16, '0');

/** Values of the fields 1, 2, 3… on a day; undefined for a field that was cloudy. */
const on = (day: string, ...values: readonly (number | undefined)[]): SceneReadings => ({
  day,
  readings: packReadings(
    values.flatMap((value, n) => (value === undefined ? [] : [{ fieldId: idOf(n + 1), value }])),
  ),
});

/** Numbers of the fields that fire, with what they were compared with. */
const fire = (condition: Condition, scene: SceneReadings, past: readonly SceneReadings[] = []) =>
  judge(condition, scene, past).map(({ fieldId, compared }) => [Number.parseInt(fieldId, 16), compared]);

test('packed readings unpack unchanged, in the order of ids', () => {
  const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => n.toString(16).padStart(16, '0'));
  const readings = fc.uniqueArray(fc.record({ fieldId: id, value: fc.float({ noNaN: true }) }), {
    selector: ({ fieldId }) => fieldId,
  });
  fc.assert(
    fc.property(readings, readings, (some, others) => {
      const opened = openReadings(packReadings(some));
      const list = Array.from({ length: opened.count }, (_, i) => [opened.idAt(i), opened.valueAt(i)]);
      assert.deepEqual(
        list,
        some
          .toSorted((a, b) => (a.fieldId < b.fieldId ? -1 : 1))
          .map(({ fieldId, value }) => [fieldId, value]),
      );
      const second = openReadings(packReadings([...others, ...some]));
      const values = new Map([...some, ...others].map(({ fieldId, value }) => [fieldId, value]));
      for (let i = 0; i < second.count; i += 1) {
        const expected = some.some(({ fieldId }) => fieldId === second.idAt(i));
        const found = opened.findSame(second, i);
        assert.equal(found !== null, expected);
        if (!others.some(({ fieldId }) => fieldId === second.idAt(i)))
          assert.equal(found, values.get(second.idAt(i)));
      }
    }),
  );
});

test('every value fires when there is no other condition', () => {
  assert.deepEqual(fire({ kind: 'every' }, on('2026-07-05', 0.5, undefined, 0.25)), [
    [1, null],
    [3, null],
  ]);
});

test('a limit fires when it is crossed, and while it stays crossed only if it repeats', () => {
  const below: Condition = { kind: 'below', limit: 0.5, repeats: false };
  const past = [on('2026-06-20', 0.75, 0.25, 0.25), on('2026-06-25', undefined, 0.75, 0.25)];
  const scene = on('2026-07-05', 0.25, 0.25, 0.25, 0.25, 0.5);
  // The third was below already; the fourth has no past; the fifth is not below.
  assert.deepEqual(fire(below, scene, past), [
    [1, 0.5],
    [2, 0.5],
    [4, 0.5],
  ]);
  assert.deepEqual(
    fire({ ...below, repeats: true }, scene, past).map(([n]) => n),
    [1, 2, 3, 4],
  );
  assert.deepEqual(fire({ kind: 'above', limit: 0.4, repeats: false }, scene, past), [[5, 0.4]]);
});

test('an old value does not prove that a limit was crossed', () => {
  const past = [on('2025-07-05', 0.25)];
  assert.deepEqual(fire({ kind: 'below', limit: 0.5, repeats: false }, on('2026-07-05', 0.25), past), [
    [1, 0.5],
  ]);
});

test('a drop against the last value compares with the last clear one, not too far back', () => {
  const drop: Condition = { kind: 'drop', by: 0.25, against: { kind: 'last', withinDays: 30 } };
  const past = [
    on('2026-06-20', 0.75, 0.75),
    on('2026-06-30', 0.25, undefined, 0.5),
    on('2026-05-01', 1, 1, 1, 1),
  ];
  const scene = on('2026-07-05', 0.25, 0.25, 0.25, 0.25);
  assert.deepEqual(fire(drop, scene, past), [
    [2, 0.75],
    [3, 0.5],
  ]);
  assert.deepEqual(fire({ ...drop, kind: 'rise' }, on('2026-07-05', 0.5), past), [[1, 0.25]]);
  // Scenes that came in later are not the past.
  assert.deepEqual(fire(drop, on('2026-06-25', 0.75), [on('2026-06-26', 2)]), []);
});

test('a drop against the normal uses the median of earlier years around that day', () => {
  const drop: Condition = { kind: 'drop', by: 0.25, against: { kind: 'normal', years: 2, aroundDays: 10 } };
  const past = [
    on('2025-06-28', 0.5, 0.5),
    on('2025-07-10', 0.75, 0.75),
    on('2024-07-05', 0.625),
    // Another season, and this year.
    on('2025-08-01', 5, 5),
    on('2026-06-28', 5, 5),
    on('2023-07-05', 5, 5),
  ];
  assert.deepEqual(
    fire(drop, on('2026-07-05', 0.375, 0.25), past),
    [[1, 0.625]],
    'two values are not a normal',
  );
  assert.deepEqual(fire(drop, on('2026-07-05', 0.5, 0.25), past), []);
});

test('a drop against the group uses the median of the scene, if the group has five fields', () => {
  const drop: Condition = { kind: 'drop', by: 0.25, against: { kind: 'group' } };
  assert.deepEqual(fire(drop, on('2026-07-05', 0.75, 0.75, 0.25, 0.5, 0.75)), [
    [3, 0.75],
    [4, 0.75],
  ]);
  assert.deepEqual(fire(drop, on('2026-07-05', 0.75, 0.75, 0.25, 0.75)), []);
});

test('the past days are those that a condition needs', () => {
  const listed = (condition: Condition, day = '2026-03-01') => listPastDays(condition, day);
  assert.deepEqual(listed({ kind: 'every' }), []);
  assert.deepEqual(listed({ kind: 'below', limit: 0, repeats: true }), []);
  assert.deepEqual(listed({ kind: 'above', limit: 0, repeats: false }), [
    { from: '2025-11-01', to: '2026-02-28' },
  ]);
  assert.deepEqual(listed({ kind: 'drop', by: 1, against: { kind: 'last', withinDays: 2 } }), [
    { from: '2026-02-27', to: '2026-02-28' },
  ]);
  assert.deepEqual(listed({ kind: 'drop', by: 1, against: { kind: 'group' } }), []);
  const normal: Condition = { kind: 'rise', by: 1, against: { kind: 'normal', years: 2, aroundDays: 3 } };
  assert.deepEqual(listed(normal, '2024-02-29'), [
    { from: '2023-02-25', to: '2023-03-03' },
    { from: '2022-02-25', to: '2022-03-03' },
  ]);
});
