import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretTree } from './interpret-tree.ts';
import { compute, parse } from './testing/compute.ts';

test('masked pixels are ignored when windows are compared', () => {
  const rows = { B4: [1, 2, 9], B5: [1, 2, 3] };
  const numberOf = (text: string, masks = {}) => compute(text, rows, masks)[0]!.values[0];
  for (const text of ['allclose(B4,B5)', 'array_equal(B4,B5)', 'array_equiv(B4,B5)']) {
    assert.equal(numberOf(text), 0, text);
    assert.equal(numberOf(text, { B4: [1, 1, 0] }), 1, text);
    assert.equal(numberOf(text, { B5: [1, 0, 1] }), 0, text);
    assert.equal(numberOf(text, { B5: [0, 0, 0] }), 1, 'nothing to compare, so nothing differs');
  }
});

test('a masked pixel ends a run of phases, and each row is a separate run', () => {
  const tree = parse('unwrap(B4)');
  const phases = Float32Array.of(0, 3, 6, 9, 0, 3, 6, 9);
  const [free] = interpretTree(tree, { width: 8, height: 1, bands: [phases], masks: [null] });
  // 0 3 6 9 have no jumps; from 9 back to 0 it is 1.4 turns, of which one is removed
  assert.ok(Math.abs(free!.values[4]! - 2 * Math.PI) < 1e-5, `${free!.values[4]}`);
  const [rows] = interpretTree(tree, { width: 4, height: 2, bands: [phases], masks: [null] });
  assert.deepEqual([...rows!.values.subarray(4)], [...rows!.values.subarray(0, 4)]);
  assert.notDeepEqual([...free!.values.subarray(4)], [...rows!.values.subarray(4)]);
  const mask = Uint8Array.of(1, 1, 1, 0, 1, 1, 1, 1);
  const [cut] = interpretTree(tree, { width: 8, height: 1, bands: [phases], masks: [mask] });
  assert.equal(cut!.values[4], 0);
  assert.deepEqual([...cut!.mask], [...mask]);
});

test('where NODATA is chosen, a run of phases ends as well', () => {
  const rows = { B4: [0, 3, 6.5, 9.5], B5: [1, 0, 1, 1] };
  const [plane] = compute('unwrap(where(B5,B4,NODATA))', rows);
  assert.deepEqual([...plane!.mask], [1, 0, 1, 1]);
  assert.equal(plane!.values[2], 6.5);
});

test('bands are not written to, and outputs that are a band are copies', () => {
  const tree = parse('B4,B4');
  const band = Float32Array.of(1, 2);
  const planes = interpretTree(tree, { width: 2, height: 1, bands: [band], masks: [null] });
  planes[0]!.values[0] = 9;
  assert.deepEqual([...band], [1, 2]);
  assert.equal(planes[1]!.values[0], 1);
});

test('a long chain needs no more planes than are live', () => {
  const text = Array.from({ length: 60 }, (_, index) => `B4*${index}.5`).join('+');
  const expected = Array.from({ length: 60 }, (_, index) => Math.fround(2 * (index + 0.5))).reduce(
    (a, b) => a + b,
  );
  assert.equal(compute(text, { B4: [2, 2] })[0]!.values[1], expected);
});

test('bands of another size are reported as a bug', () => {
  const tree = parse('B4+B5');
  const window = { width: 2, height: 1, masks: [null, null] };
  const band = Float32Array.of(1, 2);
  assert.throws(() => interpretTree(tree, { ...window, bands: [band] }), { tag: 'internal' });
  assert.throws(() => interpretTree(tree, { ...window, bands: [band, Float32Array.of(1)] }), {
    tag: 'internal',
  });
});
