import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compute, numberOf, parse } from './testing/compute.ts';

const typeOf = (text: string) => parse(text).outputs[0]!.type;

test('whole numbers alone behave as in Python 2', () => {
  const cases: readonly (readonly [text: string, value: number])[] = [
    ['1/2', 0],
    ['-1/2', -1],
    ['7/-2', -4],
    ['-7/2', -4],
    ['-7/-2', 3],
    ['10/4*4', 8],
    ['3/2*1.0', 1],
    ['2^-1', 0.5],
    ['-2^2', -4],
    ['(-2)^2', 4],
    ['2^3^2', 512],
    ['2**3**2', 512],
    ['9^(1/2)', 1],
    ['2^-2^2', 2 ** -4],
    ['0^0', 1],
    ['(-1)^1000000', 1],
    ['(-1)^1000001', -1],
    ['1^1000000000', 1],
    ['100000000000000000000000/10000000000000000000000', 10],
    ['2^1000/2^990', 1_024],
    ['007', 7],
    ['- - -3', -3],
    ['+3-+2', 1],
    ['2--1', 3],
    ['2*-3', -6],
    ['true_divide(1,2)', 0.5],
    ['reciprocal(2)', 0],
    ['reciprocal(-2)', 0],
    ['reciprocal(-1)', -1],
    ['divide(1,2)', 0],
    ['divide(1,2.0)', 0.5],
    ['greater(2,1)/2', 0],
    ['rint(3)/2', 1.5],
    ['floor(3)/2', 1],
    ['round(1350,-2)/1000', 1],
    ['around(1250,-2)', 1_200],
    ['around(1350,-2)', 1_400],
    ['around(-1350,-2)', -1_400],
    ['around(-1250,-2)', -1_200],
    ['around(1251,-2)', 1_300],
    ['around(7,3)', 7],
    ['fmod(-7,3)', -1],
    ['mod(-7,3)', 2],
    ['mod(7,-3)', -2],
    ['mod(6,-3)', 0],
    ['fabs(-3)/2', 1.5],
    ['abs(-3)/2', 1],
    ['where(1,2,3)/4', 0],
    ['where(1,2,3.0)/4', 0.5],
    ['clip(7,1,3)/2', 1],
    ['minimum(3,2)/4', 0],
    ['logical_xor(2,0)', 1],
    ['ldexp(3,2)', 12],
    ['degrees(pi)', 180],
    ['where(0,2,3)', 3],
    ['sign(-2.5)', -1],
    ['nextafter(1,2)', 1 + 2 ** -23],
    ['array_equal(2,2)+array_equiv(2,2.0)+allclose(1,1)', 3],
  ];
  for (const [text, value] of cases) assert.equal(numberOf(text), value, text);
});

test('whole numbers become floats once they are combined with a band (B4 = 811, B5 = 3123)', () => {
  const cases: readonly (readonly [text: string, value: number])[] = [
    ['B4^(1/2)', 1],
    ['B4^(1.0/2)', 28.47806167602539],
    ['1/2*B4', 0],
    ['B4*1/2', 405.5],
    ['B4/2', 405.5],
    ['2^-1*B4', 405.5],
    ['3/2*B4', 811],
    ['B4*3/2', 1_216.5],
    ['B4-1/3', 811],
    ['B4-1.0/3', 810.6666870117188],
    ['(B5-B4)/(B5+B4)', 0.5876970291137695],
    ['-B4^2', -657_721],
    ['NDVI', 0.5876970291137695],
    ['ndvi', 0.5876970291137695],
    ['1-NDVI', 1 - 0.5876970291137695],
    ['2*NDVI', 2 * 0.5876970291137695],
    ['B04/nir', Math.fround(811 / 3_123)],
    ['pi', Math.fround(Math.PI)],
    ['B4*0+pi', Math.fround(Math.PI)],
    ['.5+B4', 811.5],
    ['5.+B4', 816],
    ['1e2 + B4\t', 911],
    ['1E-2*B4', Math.fround(811 * Math.fround(0.01))],
  ];
  for (const [text, value] of cases) assert.equal(numberOf(text), Math.fround(value), text);
});

test('every operation on bands rounds to float32, constants combined with constants do not', () => {
  assert.equal(compute('equal(B4*0.1,0.3)', { B4: [3] })[0]!.values[0], 1);
  // 0.1 + 0.2 is not 0.3 in float64, and rounding both to float32 makes them the same
  assert.equal(numberOf('equal(0.1+0.2,0.3)'), 0);
  assert.equal(numberOf('equal(B4*0+(0.1+0.2),0.3)'), 1);
  assert.equal(numberOf('B4*1e300'), Infinity);
  assert.equal(numberOf('1e300*1e-300*B4'), 811);
  assert.equal(numberOf('16777217+B4*0'), 16_777_216);
  assert.equal(numberOf('16777217-16777216+B4*0'), 1);
});

test('decimals divide by zero like floats', () => {
  assert.equal(numberOf('1.0/0'), Infinity);
  assert.equal(numberOf('-1/0.0'), -Infinity);
  assert.ok(Number.isNaN(numberOf('0.0/0')));
  assert.equal(numberOf('B4/0'), Infinity);
  assert.ok(Number.isNaN(numberOf('B4*0/0')));
  assert.ok(Number.isNaN(numberOf('(-8.0)^(1.0/3)')));
  assert.equal(numberOf('true_divide(1,0)'), Infinity);
});

test('the type of an expression follows from its operands', () => {
  assert.equal(typeOf('1/2'), 'int');
  assert.equal(typeOf('greater(1,2)'), 'int');
  assert.equal(typeOf('1/2.0'), 'float');
  assert.equal(typeOf('sqrt(4)'), 'float');
  assert.equal(typeOf('2^-1'), 'float');
  assert.equal(typeOf('NODATA'), 'float');
  assert.equal(typeOf('B4'), 'band');
  assert.equal(typeOf('B4^0'), 'band');
  assert.equal(typeOf('less(B4,1)'), 'boolean');
  assert.equal(typeOf('less(B4,1)+0'), 'band');
  assert.equal(typeOf('allclose(B4,B5)'), 'boolean');
});

test('commas separate expressions only outside parentheses', () => {
  const planes = compute('minimum(B4,B5),(B5),B4+1', { B4: [811], B5: [3_123] });
  assert.deepEqual(
    planes.map(({ values }) => values[0]),
    [811, 3_123, 812],
  );
});

test('a composite stands for its expressions, and a change for two scenes', () => {
  const stack = parse('ISTACK');
  assert.equal(stack.outputs.length, 3);
  assert.equal(stack.outputs[0]!.value, stack.outputs[2]!.value);
  const change = parse('pr_fd');
  const told = change.inputs.map(({ band, calibrated, scene }) => `${band} ${calibrated} ${scene}`);
  assert.deepEqual(told.sort(), [
    'B5 true earlier',
    'B5 true this',
    'B7 true earlier',
    'B7 true this',
    'B9 true earlier',
    'B9 true this',
  ]);
  assert.deepEqual(change.outputs[0]!.uses, [0, 1, 2, 3, 4, 5]);
});

test('a change has no data where a condition is not met, and each condition applies to its own scene', () => {
  const { inputs } = parse('FILTERED');
  const scenesOf = (name: string) =>
    inputs.filter(({ band }) => band === name).map(({ scene, calibrated }) => `${scene} ${calibrated}`);
  assert.deepEqual(scenesOf('B4'), ['earlier true']);
  assert.deepEqual(scenesOf('B1'), ['this true']);
  const rows = { B1: [1, 3, 1, 3], B4: [1, 1, 2, 2], B5: [9, 9, 3, 3] };
  assert.deepEqual([...compute('FILTERED', rows)[0]!.mask], [1, 0, 0, 0]);
  assert.deepEqual([...compute('where(less(B5,5),7,FILTERED)', rows)[0]!.mask], [1, 0, 1, 1]);
});

test('bands of an alias with additive constants are read calibrated, the same bands outside it are not', () => {
  const { inputs, outputs } = parse('EVI+B4');
  const told = inputs.map(({ band, calibrated }) => `${band}${calibrated ? '!' : ''}`).sort();
  assert.deepEqual(told, ['B2!', 'B4', 'B4!', 'B5!']);
  assert.equal(outputs[0]!.uses.length, 4);
});
