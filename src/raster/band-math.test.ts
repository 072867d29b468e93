import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypedTree } from '../bandmath/index.ts';
import { interpretTree, parseExpressions } from '../bandmath/index.ts';
import type { BandPlane } from './band-math.ts';
import { makeComputeBands } from './band-math.ts';
import { loadKernels } from './kernels.ts';

const kernels = loadKernels();
const compute = makeComputeBands(kernels);
const names = {
  find: (name: string) => (/^B[1-9]$/.test(name) ? ({ kind: 'band', name, resolutionM: 10 } as const) : null),
  all: ['B1', 'B2', 'B3'],
};

/** Edge cases of arithmetic, and ordinary numbers. */
const hostile = [
  ...[0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 7, -7, 100, 811, 3123, 65535],
  ...[Number.NaN, Infinity, -Infinity, 1.401298464324817e-45, -1e-40, 1.1754943508222875e-38],
  ...[3.4028234663852886e38, -3.4028234663852886e38, 16777215, 16777216, 16777217, 1e10, -1e20, 1e-10],
  ...[0.1, -0.3, 0.7853982, 1.5707964, Math.PI, -Math.PI, 2 * Math.PI, 1e6, 1e7, 88.7, -103.9, 127.99, -149],
];
const pairs = hostile.flatMap((a) => hostile.map((b) => [a, b] as const));
const bands = [
  Float32Array.from(pairs, ([a]) => a),
  Float32Array.from(pairs, ([, b]) => b),
  Float32Array.from(pairs, (_, i) => hostile[(i * 7 + 3) % hostile.length] as number),
];
const count = pairs.length;

interface Computed {
  readonly values: Float32Array;
  readonly mask: Uint8Array;
}

function run(
  tree: TypedTree,
  masks: readonly (Uint8Array | null)[] = [],
  plain: Partial<BandPlane> = {},
): readonly Computed[] {
  const allocate = kernels.begin();
  const inputs = tree.inputs.map(({ band }): BandPlane => {
    const index = Number(band.slice(1)) - 1;
    const values = bands[index] as Float32Array;
    const valuesAt = allocate(4 * count);
    new Float32Array(kernels.buffer(), valuesAt, count).set(values);
    const mask = masks[index] ?? null;
    const maskAt = mask === null ? 0 : allocate(count);
    if (mask !== null) new Uint8Array(kernels.buffer(), maskAt, count).set(mask);
    return { valuesAt, maskAt, rule: 'plain', parameters: [], secondAt: 0, ...plain };
  });
  const results = compute(allocate, { tree, inputs, count });
  return results.map(({ valuesAt, maskAt }) => ({
    values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
    mask: new Uint8Array(kernels.buffer(), maskAt, count).slice(),
  }));
}

/** Steps between two float32, counted over the zeros: −0 and +0 are the same. */
function ulps(a: number, b: number): number {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const [x, y] = new Int32Array(Float32Array.of(a, b).buffer) as unknown as [number, number];
  const order = (bits: number): number => (bits < 0 ? -(bits & 0x7fffffff) : bits);
  return Math.abs(order(x) - order(y));
}

function compare(text: string, tolerance: number): void {
  const tree = parseExpressions(text, names);
  const window = {
    width: count,
    height: 1,
    bands: tree.inputs.map(({ band }) => bands[Number(band.slice(1)) - 1]!),
  };
  const expected = interpretTree(tree, { ...window, masks: tree.inputs.map(() => null) });
  for (const [i, { values, mask }] of run(tree).entries()) {
    const right = expected[i] as Computed;
    for (let pixel = 0; pixel < count; pixel++) {
      assert.equal(mask[pixel], right.mask[pixel], `${text} of ${pairs[pixel]}: mask`);
      if (mask[pixel] === 0) continue;
      const [got, want] = [values[pixel] as number, right.values[pixel] as number];
      const isRight = tolerance === 0 ? Object.is(got, want) : ulps(got, want) <= tolerance;
      assert.ok(isRight, `${text} of ${pairs[pixel]}: ${got} instead of ${want}`);
    }
  }
}

test('operations that IEEE 754 defines are the same to the last bit', () => {
  for (const text of [
    ...['B1+B2', 'B1-B2', 'B1*B2', 'B1/B2', '-B1', 'abs(B1)', 'sqrt(B1)', 'square(B1)', 'reciprocal(B1)'],
    ...[
      'floor(B1)',
      'ceil(B1)',
      'trunc(B1)',
      'rint(B1)',
      'around(B1,2)',
      'around(B1,-2)',
      'modf(B1)',
      'sign(B1)',
    ],
    ...[
      'minimum(B1,B2)',
      'maximum(B1,B2)',
      'fmin(B1,B2)',
      'fmax(B1,B2)',
      'copysign(B1,B2)',
      'heaviside(B1,B2)',
    ],
    ...[
      'nextafter(B1,B2)',
      'ldexp(B1,B2)',
      'fmod(B1,B2)',
      'mod(B1,B2)',
      'floor_divide(B1,B2)',
      'clip(B1,-2,B2)',
    ],
    ...['less(B1,B2)', 'less_equal(B1,B2)', 'greater(B1,B2)', 'equal(B1,B2)', 'not_equal(B1,B2)'],
    ...['logical_and(B1,B2)', 'logical_or(B1,B2)', 'logical_xor(B1,B2)', 'logical_not(B1)', 'isclose(B1,B2)'],
    ...[
      'where(greater(B1,B2),B3,B1)',
      'where(less(B1,0),greater(B1,B2),equal(B2,B3))',
      'where(less(B1,0),greater(B1,B2),B3)',
    ],
    ...['(B2-B1)/(B2+B1)', '1/2*B1', 'B1*1/2', 'less(B1,B2)+less(B2,B3)', 'where(less(B1,1),NODATA,B2)'],
  ]) {
    compare(text, 0);
  }
});

test('our own functions agree with those of JavaScript within 2 steps of a float32', () => {
  for (const name of [
    ...[
      'sin',
      'cos',
      'tan',
      'arcsin',
      'arccos',
      'arctan',
      'sinh',
      'cosh',
      'tanh',
      'arcsinh',
      'arccosh',
      'arctanh',
    ],
    ...['exp', 'expm1', 'exp2', 'log', 'log10', 'log2', 'log1p', 'cbrt'],
  ]) {
    compare(`${name}(B1)`, 2);
  }
  for (const name of ['power', 'hypot', 'arctan2', 'logaddexp', 'logaddexp2']) compare(`${name}(B1,B2)`, 2);
});

test('a pixel has data exactly where every band in the expression has', () => {
  const masks = [0, 1].map((band) => Uint8Array.from(pairs, (_, i) => Number(i % (band + 2) !== 0)));
  const [sum, first] = run(parseExpressions('B1*0+B2*0+1,B1*0+1', names), masks);
  const isNumber = (band: number, pixel: number): boolean => Number.isFinite(bands[band]?.[pixel]);
  for (let i = 0; i < count; i++) {
    const [one, two] = masks.map((mask, band) => mask[i] === 1 && isNumber(band, i));
    assert.equal(first?.mask[i], Number(one), `pixel ${i}`);
    assert.equal(sum?.mask[i], Number(one && two), `pixel ${i}`);
  }
});

test('bands are calibrated when they are loaded', () => {
  const tree = parseExpressions('B1', names);
  const at = (value: number): number => bands[0]!.indexOf(value);
  const [linear] = run(tree, [], { rule: 'linear', parameters: [-811, 2e-5] });
  assert.equal(linear?.values[at(3123)], Math.fround((3123 - 811) * Math.fround(2e-5)));
  assert.equal(linear?.values[at(811)], 0);
  const [shifted] = run(tree, [], { rule: 'shifted', parameters: [-1000] });
  assert.deepEqual([shifted?.values[at(3123)], shifted?.values[at(811)]], [2123, 1]);
  const thermal = { rule: 'thermal', parameters: [3.342e-4, 0.1, 774.8853, 1321.0789] } as const;
  const [kelvin] = run(tree, [], thermal);
  assert.ok(
    Math.abs(
      (kelvin?.values[at(65535)] ?? 0) - 1321.0789 / Math.log(774.8853 / (65535 * 3.342e-4 + 0.1) + 1),
    ) < 1e-3,
  );
});

test('more expressions than are cached still compute', () => {
  for (let i = 0; i < 300; i++) {
    const [plane] = run(parseExpressions(`B1+${i}`, names));
    assert.equal(plane?.values[bands[0]!.indexOf(811)], 811 + i);
  }
});
