import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../errors.ts';
import { casesOf } from '../testing/test-size.ts';
import type { ColormapCache, ColorRequest, DefaultPalette } from './index.ts';
import { parseColorsLimit, planColor } from './index.ts';

const plain: ColorRequest = {
  minMax: null,
  channels: 1,
  hasBits: false,
  hasWholeValues: true,
  defaultPalette: null,
  alias: null,
};
const plan = (request: Partial<ColorRequest>) => planColor({ ...plain, ...request });
const viridis = { kind: 'named', name: 'viridis', isReversed: false } as const;
const palette = '{"1":"#ff0000"}';
const range = { colors: 'ff0000,00ff00', thresholds: '0.5' };

test('a palette overrides a colormap, which overrides range colours', () => {
  assert.equal(plan({ palette, colormap: viridis, ...range })?.kind, 'values');
  assert.equal(plan({ colormap: viridis, ...range })?.kind, 'ramp');
  assert.equal(plan(range)?.kind, 'steps');
  assert.equal(plan({}), null);
});

test('parameters without effect are checked too', () => {
  assert.throws(() => plan({ palette, colors: 'red' }), { code: 'lone-range-colors' });
  assert.throws(() => plan({ palette, colormap: viridis, colorsLimit: '0' }), { code: 'bad-colors-limit' });
});

test('a picture of three bands is not coloured', () => {
  for (const [name, request] of [
    ['PALETTE', { palette }],
    ['COLORMAP', { colormap: viridis }],
    ['COLORS', range],
    ['THRESHOLDS', { thresholds: '1' }],
  ] as const) {
    assert.throws(() => plan({ ...request, channels: 3 }), {
      tag: 'unsupported',
      code: 'colored-composite',
      message: new RegExp(`^${name} `),
    });
  }
  assert.equal(plan({ channels: 3, alias: 'NDVI' }), null);
});

test('palettes are allowed only for whole numbers', () => {
  assert.throws(() => plan({ palette, hasWholeValues: false }), { code: 'palette-of-fractions' });
});

test('a palette of values is planned with its values and colours', () => {
  assert.deepEqual(plan({ palette: ' { "-3" : [1, 0.5, 0] , "0":"00ff00","16777216":"#ABCDEF" } ' }), {
    kind: 'values',
    colors: 'ff800000ff00abcdef',
    values: [-3, 0, 16777216],
  });
});

test('a palette of bits keeps the order in which it is written', () => {
  assert.deepEqual(
    plan({ palette: '{"(15,14)":"#ffffff","0":"#000000","(5, 4)":"#0000ff"}', hasBits: true }),
    {
      kind: 'bits',
      colors: 'ffffff0000000000ff',
      bits: [[15, 14], [0], [5, 4]],
    },
  );
});

const entries = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i}":"#00000${i % 10}"`).join()}}`;

test('a palette may have 256 entries, but not more', () => {
  assert.equal(plan({ palette: entries(256) })?.colors.length, 256 * 6);
  assert.throws(() => plan({ palette: entries(257) }), { code: 'bad-palette', message: /256 entries/ });
});

const BAD_PALETTES = [
  ...[
    '',
    '{}',
    '[]',
    '"x"',
    'null',
    '{"1":"#ff0000"',
    '{"1":"#ff0000"}}',
    '{"1":"#ff0000",}',
    '{,"1":"#ff0000"}',
  ],
  ...[
    '{"1":"red"}',
    '{"1":"#fff"}',
    '{"1":"rgb(1,2,3)"}',
    '{"1":1}',
    '{"1":null}',
    '{"1":{}}',
    '{"1":[1,1]}',
  ],
  ...[
    '{"1":[NaN,2,-1]}',
    '{"1":[2,0,0]}',
    '{"1":[-1,0,0]}',
    '{"1":["1","0","0"]}',
    '{"1":[1e999,0,0]}',
    '{"1":[1,,1]}',
  ],
  ...[
    '{"__proto__":"#ff0000"}',
    '{"constructor":"#ff0000"}',
    '{"1.5":"#ff0000"}',
    '{"1e3":"#ff0000"}',
    '{"":"#ff0000"}',
  ],
  ...[
    '{"16777217":"#ff0000"}',
    '{"1":"#ff0000","1":"#00ff00"}',
    '{"0":"#ff0000","-0":"#00ff00"}',
    '{"01":"#ff0000","1":"#00ff00"}',
  ],
  ...["{'1':'#ff0000'}", '{"1":"#ff0000" "2":"#00ff00"}', '{"\\u0031":"#ff0000"}', '{"(1,0)":"#ff0000"}'],
];

test('invalid palettes are refused with 422', () => {
  for (const text of BAD_PALETTES) {
    assert.throws(() => plan({ palette: text }), { tag: 'unsupported', code: 'bad-palette' }, text);
  }
  for (const key of ['16', '(16,1)', '(1,1)', '(1)', '(1,2,3)', '-1', '1,2', '()', '[1,2]', 'a']) {
    const text = `{"${key}":"#ff0000"}`;
    assert.throws(
      () => plan({ palette: text, hasBits: true }),
      { code: 'bad-palette', message: /bit/ },
      text,
    );
  }
  const twice = '{"(1,2)":"#ff0000","(2,1)":"#00ff00"}';
  assert.throws(() => plan({ palette: twice, hasBits: true }), { code: 'bad-palette', message: /twice/ });
});

test('range colours are planned with their thresholds', () => {
  assert.deepEqual(plan({ colors: '#FF0000,00ff00,0000ff', thresholds: '-.5,1e-1' }), {
    kind: 'steps',
    colors: 'ff000000ff000000ff',
    thresholds: [-0.5, 0.1],
    thresholdsOf: 'values',
  });
  assert.deepEqual(plan({ colors: 'ff0000', thresholds: '' })?.kind, 'steps');
  assert.equal(plan({ colors: 'ff0000,00ff00,0000ff', thresholds: '1,1' })?.kind, 'steps');
});

const many = (count: number, item: string): string => Array(count).fill(item).join();

const BAD_RANGES: readonly [
  colors: string | undefined,
  thresholds: string | undefined,
  code: string,
  says: RegExp,
][] = [
  ['ff0000,00ff00', undefined, 'lone-range-colors', /^COLORS needs THRESHOLDS/],
  [undefined, '1', 'lone-range-colors', /^THRESHOLDS needs COLORS/],
  ['ff0000,00ff00', '1,2', 'unpaired-range-colors', /1 here, not 2/],
  ['ff0000,00ff00', '', 'unpaired-range-colors', /1 here, not 0/],
  ['ff0000,00ff00,0000ff', '2,1', 'unsorted-thresholds', /1 comes after 2/],
  ['ff0000,xyz', '1', 'bad-colors', /colour 2/],
  ['', '', 'bad-colors', /colour 1/],
  ['ff0000, 00ff00', '1', 'bad-colors', /colour 2/],
  ['ff0000,00ff00,', '1,2', 'bad-colors', /colour 3/],
  ['f00,0f0', '1', 'bad-colors', /colour 1/],
  ['ff0000,00ff00', 'NaN', 'bad-thresholds', /value 1/],
  ['ff0000,00ff00', '1e999', 'bad-thresholds', /value 1/],
  ['ff0000,00ff00', '1e39', 'bad-thresholds', /value 1/],
  ['ff0000,00ff00', '0x10', 'bad-thresholds', /value 1/],
  ['ff0000,00ff00', ' 1', 'bad-thresholds', /value 1/],
  ['ff0000,00ff00,0000ff', '1,', 'bad-thresholds', /value 2/],
  [many(257, 'ff0000'), '1', 'too-many-colors', /^COLORS can have at most 256/],
  [many(100_000, 'ff0000'), '1', 'too-many-colors', /256/],
  [many(256, 'ff0000'), many(256, '1'), 'too-many-colors', /^THRESHOLDS can have at most 255/],
];

test('invalid range colours are refused with 422, the parameter and the limit', () => {
  for (const [colors, thresholds, code, message] of BAD_RANGES) {
    const refusal = { tag: 'unsupported', code, message };
    assert.throws(
      () => plan({ colors, thresholds }),
      refusal,
      `${colors?.slice(0, 50)} ${thresholds?.slice(0, 50)}`,
    );
  }
});

test('COLORS_LIMIT must be a whole number from 2 to 256, together with COLORMAP', () => {
  assert.equal(plan({ colormap: viridis, colorsLimit: '5' })?.colors.length, 30);
  for (const text of ['', '0', '1', '-1', '257', '1e2', '5.0', ' 5', '9007199254740993']) {
    assert.throws(() => plan({ colormap: viridis, colorsLimit: text }), {
      tag: 'unsupported',
      code: 'bad-colors-limit',
      message: /^COLORS_LIMIT must be a whole number from 2 to 256/,
    });
  }
  assert.throws(() => parseColorsLimit('1', 'LIMIT'), { message: /^LIMIT / });
  assert.throws(() => plan({ colorsLimit: '5' }), { code: 'lone-colors-limit' });
});

test('a cache stores whole maps and does not change the result', () => {
  const cache: ColormapCache = new Map();
  const reversed = { ...viridis, isReversed: true };
  for (const request of [
    { colormap: viridis },
    { colormap: reversed },
    { colormap: viridis, colorsLimit: '5' },
  ]) {
    for (let again = 0; again < 2; again++) assert.deepEqual(plan({ ...request, cache }), plan(request));
  }
  assert.deepEqual([...cache.keys()], ['viridis', 'viridis_r']);
});

test('MIN_MAX is the range of a colormap and has no effect on range colours', () => {
  const minMax = { min: -1, max: 1 };
  const ramp = plan({ colormap: viridis, minMax });
  assert.ok(ramp?.kind === 'ramp');
  assert.deepEqual(ramp.range, minMax);
  assert.deepEqual(plan({ ...range, minMax }), plan(range));
});

test('NDVI, NDSI and NDWI have range colours by default, ignoring case', () => {
  const ndvi = plan({ alias: 'ndvi' });
  assert.ok(ndvi?.kind === 'steps');
  assert.equal(ndvi.colors.length, 20 * 6);
  assert.deepEqual(
    ndvi.thresholds,
    [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95],
  );
  assert.match(ndvi.colors, /^ad0028c5142a.*009755007e47$/);
  for (const [alias, thresholds] of [
    ['NDSI', [0, 0.4]],
    ['NDWI', [-0.3, 0, 0.2]],
  ] as const) {
    const steps = plan({ alias });
    assert.ok(steps?.kind === 'steps');
    assert.deepEqual(steps.thresholds, thresholds);
    assert.equal(steps.colors.length / 6, thresholds.length + 1);
  }
  assert.equal(plan({ alias: 'NDVI', colormap: viridis })?.kind, 'ramp');
  for (const alias of ['EVI', 'NDMI', 'constructor']) assert.equal(plan({ alias }), null);
});

test('bands of classes or bits have the palette of their sensor', () => {
  const bits: DefaultPalette = {
    kind: 'bits',
    entries: [
      { bits: [15, 14], color: '#ffffff', label: 'Cloud' },
      { bits: [0], color: '#000000', label: 'Fill' },
    ],
  };
  assert.deepEqual(plan({ defaultPalette: bits, hasBits: true }), {
    kind: 'bits',
    colors: 'ffffff000000',
    bits: [[15, 14], [0]],
    labels: ['Cloud', 'Fill'],
  });
  const values: DefaultPalette = {
    kind: 'values',
    entries: [{ value: 6, color: '#0000ff', label: 'Water' }],
  };
  assert.deepEqual(plan({ defaultPalette: values }), {
    kind: 'values',
    colors: '0000ff',
    values: [6],
    labels: ['Water'],
  });
  assert.equal(plan({ defaultPalette: values, colormap: viridis })?.kind, 'ramp');
  assert.equal(plan({ defaultPalette: values, channels: 3 }), null);
});

test('property: any strings give a plan that survives JSON, or a refusal with a sentence', () => {
  const text = fc.option(
    fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('ff0000,00ff00', '0.5', '5', '{"1":"#ff0000"}', '{"(15,14)":[1,1,1]}', '1,2'),
    ),
    { nil: undefined },
  );
  fc.assert(
    fc.property(
      fc.record({ palette: text, colors: text, thresholds: text, colorsLimit: text, hasBits: fc.boolean() }),
      fc.constantFrom(undefined, viridis),
      fc.constantFrom(1, 3),
      (request, colormap, channels) => {
        try {
          const made = plan({ ...request, colormap, channels });
          assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
        } catch (error) {
          assert.ok(isSwathError(error) && error.tag === 'unsupported' && error.message.endsWith('.'));
        }
      },
    ),
    { numRuns: casesOf(2000) },
  );
});
