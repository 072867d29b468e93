import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compute, parse } from './testing/compute.ts';

test('expressions with equal meaning have equal keys', () => {
  const groups = [
    ['(B5-B4)/(B5+B4)', 'NDVI', 'ndvi', ' ( NIR - B04 ) / (B04 + NIR)', 'divide(subtract(B5,B4),add(B4,B5))'],
    ['B4^2', 'B4**2', 'B4*B4', 'power(B4,2.0)', 'square(B4)', '+B4^(4/2)'],
    ['B4/2', 'B4*1/2', 'divide(B4,2.0)', 'B4/(1+1)'],
    ['greater(B4,B5)', 'less(B5,B4)', 'logical_not(logical_not(less(B5,B4)))'],
    ['where(greater(B4,1),NODATA,B5)', 'where(logical_not(greater(B4,1)),B5,NODATA)'],
    ['abs(B4)', 'absolute(B4)', 'fabs(B4)'],
    ['B4^(1.0/2)', 'sqrt(B4)', 'B4**0.5'],
    ['B4+0.1', 'B4+0.1000000000000000001', '(0.05+0.05)+B4'],
    ['B4', 'B4/1', '1*B4', 'B4^1', 'where(less(B4,3),B4,B4)', 'where(1,B4,B4)', 'where(0,NODATA,B4)'],
    ['where(B4,less(B5,1),less(B6,1))', 'where(not_equal(0,B4),greater(1,B5),greater(1,B6))'],
    ['where(less(B4,1),less(B5,1),equal(B4,B4))', 'where(greater(1,B4),less(B5,1),equal(B4,B4))'],
    ['B4+B5^0*B6^0', 'B6^0*B5^0+B4'],
    ['mod(B4,3)', 'remainder(B4,3.0)'],
    ['around(B4)', 'rint(B4)', 'round(B4,0)'],
  ];
  const keys = groups.map((group) => {
    const [first, ...others] = group.map((text) => parse(text).key);
    for (const [index, other] of others.entries()) assert.equal(other, first, group[index + 1]);
    return first;
  });
  assert.equal(new Set(keys).size, groups.length);
});

test('expressions with different meaning have different keys', () => {
  const texts = [
    ...[
      'B4-B5',
      'B5-B4',
      'B4/B5',
      'B4',
      'B5',
      'B4,B5',
      'B5,B4',
      'B4+0.0',
      'B4+(-0.0)',
      'B4*0',
      'B4^0',
      'B5^0',
      '1',
    ],
    ...[
      'EVI',
      '2.5*(B5-B4)/(B5+6.0*B4-7.5*B2+1.0)',
      'FIDET',
      'PR_FD',
      'unwrap(B4)',
      'fmod(B4,3)',
      'mod(B4,3)',
    ],
    ...['where(B4,NODATA,B5)', 'where(B4,B5,NODATA)', 'where(B4,0.0/0,B5)', 'fmin(B4,B5)', 'minimum(B4,B5)'],
  ];
  assert.equal(new Set(texts.map((text) => parse(text).key)).size, texts.length);
});

test('common parts of expressions are computed once', () => {
  const one = parse('(B5-B4)/(B5+B4)').nodes.length;
  assert.equal(one, 5);
  assert.equal(parse('NDVI,NDVI,ndvi').nodes.length, one);
  assert.equal(parse('(B5-B4)/(B5+B4),B5-B4,B4+B5').nodes.length, one);
  assert.equal(parse('NDVI*NDVI').nodes.length, one + 1);
  assert.equal(parse('where(greater(NDVI,0.5),NODATA,NDVI)').nodes.length, one + 4);
});

test('operands precede their operation, and no unused node is left', () => {
  const { nodes, outputs } = parse('where(B4^0-1,B5,B6),NODATA+B7,3/2*B8');
  const needed = new Set(
    outputs.flatMap(({ value, absent }) => (absent === null ? [value] : [value, absent])),
  );
  nodes.forEach((node, id) => {
    if (!('args' in node)) return;
    for (const arg of node.args) {
      assert.ok(arg < id);
      needed.add(arg);
    }
  });
  assert.equal(needed.size, nodes.length);
  // the condition is always false, so B5 is not read for its value, but its masked pixels still count
  assert.deepEqual(outputs[0]!.uses.length, 3);
});

test('an output is masked where any band it names is, where NODATA is chosen, and where it is NaN', () => {
  const rows = { B4: [1, 2, 3, 4], B5: [0, 0, 5, 5] };
  const masks = { B5: [1, 1, 1, 0] };
  const maskOf = (text: string) => [...compute(text, rows, masks)[0]!.mask];
  assert.deepEqual(maskOf('B4'), [1, 1, 1, 1]);
  assert.deepEqual(maskOf('B4+B5'), [1, 1, 1, 0]);
  assert.deepEqual(maskOf('B4+B5^0'), [1, 1, 1, 0]);
  assert.deepEqual(maskOf('where(1,B4,B5)'), [1, 1, 1, 0]);
  assert.deepEqual(maskOf('B5/B5'), [0, 0, 1, 0]);
  assert.deepEqual(maskOf('B4/B5'), [1, 1, 1, 0]); // infinity is data
  assert.deepEqual(maskOf('NODATA'), [0, 0, 0, 0]);
  assert.deepEqual(maskOf('nodata*B4'), [0, 0, 0, 0]);
  assert.deepEqual(maskOf('where(greater(B4,2),NODATA,B4)'), [1, 1, 0, 0]);
  assert.deepEqual(maskOf('where(greater(B4,2),B4,NODATA)'), [0, 0, 1, 1]);
  assert.deepEqual(maskOf('where(greater(B4,2),NODATA,B4)*0+1'), [1, 1, 0, 0]);
  assert.deepEqual(maskOf('where(greater(B4,3),NODATA,1)+where(less(B4,2),NODATA,1)'), [0, 1, 1, 0]);
});

test('NODATA survives functions that ignore NaN, but a comparison with it has an answer', () => {
  const rows = { B4: [1, 2] };
  const chosen = 'where(less(B4,2),NODATA,B4)';
  const maskOf = (text: string) => [...compute(text, rows)[0]!.mask];
  for (const text of [
    `fmin(${chosen},5)`,
    `${chosen}^0`,
    `hypot(1e999,${chosen})`,
    `logical_not(${chosen})`,
  ]) {
    assert.deepEqual(maskOf(text), [0, 1], text);
  }
  assert.deepEqual(maskOf(`where(${chosen},1,2)`), [0, 1]);
  for (const text of [`greater(${chosen},0)`, `isclose(${chosen},2)`, `allclose(${chosen},2)`]) {
    assert.deepEqual(maskOf(text), [1, 1], text);
  }
  const valuesOf = (text: string) => [...compute(text, rows)[0]!.values];
  assert.deepEqual(valuesOf(`greater(${chosen},0)`), [0, 1]);
  assert.deepEqual(valuesOf('equal(B4,NODATA)'), [0, 0]);
  assert.deepEqual(valuesOf(`allclose(${chosen},2)`), [1, 1], 'absent pixels are ignored');
});

test('a tree knows whether it needs the whole window', () => {
  assert.equal(parse('NDVI').needsWindow, false);
  assert.equal(parse('B4+unwrap(B5)').needsWindow, true);
  assert.equal(parse('array_equal(B4,B5)').needsWindow, true);
  assert.equal(parse('array_equal(1,2)').needsWindow, false);
});

test('cost grows with the work', () => {
  const costOf = (text: string): number => parse(text).costPerPixel;
  assert.ok(costOf('B4') < costOf('B4+B5'));
  assert.ok(costOf('B4+B5') < costOf('sin(B4)'));
  assert.equal(costOf('sin(B4)+1'), costOf('1+sin(B4)'));
});
