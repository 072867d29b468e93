import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byQuantiles, classify, fillNearest, takeMajority } from './classify.ts';

/** Rows of digits; a dot is 0, or NaN in values. */
const toBytes = (...rows: readonly string[]): Uint8Array =>
  Uint8Array.from(rows.join('').replaceAll('.', '0'), Number);
const toField = (...rows: readonly string[]) => ({
  width: rows[0]!.length,
  height: rows.length,
  inside: toBytes(...rows),
});
const toRows = (labels: Uint8Array, width: number): readonly string[] =>
  Array.from({ length: labels.length / width }, (_, row) =>
    [...labels.subarray(row * width, (row + 1) * width)].join(''),
  );
const plain = { smoothing: 0, minPixels: 0 };

test('quantiles make zones of equal area, and values on a bound belong to the lower one', () => {
  const scores = Float32Array.of(5, 1, 2, 6, 3, 4, Number.NaN);
  assert.deepEqual([...byQuantiles(scores, 3)], [3, 1, 1, 3, 2, 2, 0]);
  assert.deepEqual([...byQuantiles(Float32Array.of(1, 1, 1, 1), 4)], [1, 1, 1, 1]);
});

test('clusters group similar values', () => {
  const field = toField('111111');
  const scores = Float32Array.of(0.1, 0.11, 0.91, 0.5, 0.9, 0.52);
  const rules = { count: 3, method: 'kmeans', ...plain } as const;
  assert.deepEqual([...classify(scores, field, rules)], [1, 1, 3, 2, 3, 2]);
});

test('pixels without a value get the zone of the nearest, and nothing grows out of the field', () => {
  const field = toField('11110', '11110');
  assert.deepEqual(toRows(fillNearest(toBytes('1...3', '...2.'), field), 5), ['11120', '11220']);
});

test('single pixels get the zone around them; ties keep their own', () => {
  const field = toField('11111', '11111', '11111');
  assert.deepEqual(toRows(takeMajority(toBytes('11122', '12122', '11122'), field), 5), [
    '11122',
    '11122',
    '11122',
  ]);
  assert.deepEqual(toRows(takeMajority(toBytes('12'), toField('11')), 2), ['12']);
});

test('patches below the minimum size join their neighbours', () => {
  const field = toField('11111111', '11111111');
  const scores = Float32Array.from('0000900000000999', Number);
  const rules = { count: 2, method: 'kmeans', smoothing: 0, minPixels: 3 } as const;
  assert.deepEqual(toRows(classify(scores, field, rules), 8), ['11111111', '11111222']);
});

test('a field without any value has no zone', () => {
  const scores = new Float32Array(4).fill(Number.NaN);
  for (const method of ['kmeans', 'quantiles'] as const)
    assert.deepEqual(
      [...classify(scores, toField('11', '11'), { count: 2, method, ...plain })],
      [0, 0, 0, 0],
    );
});
