import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findPreset,
  parseColormap,
  planColormap,
  toColormapAnswer,
  toColormapId,
  toLegend,
} from './index.ts';

const plan = (
  body: unknown,
  {
    isReversed = false,
    range = null as { min: number; max: number } | null,
    limit = null as number | null,
  } = {},
) =>
  planColormap({ kind: 'custom', content: parseColormap(body), isReversed }, { colorsLimit: limit, range });

const packed = (...colors: string[]): string => colors.join('');

test('a minimal body is continuous and relative', () => {
  const content = parseColormap({ colors: ['#FF0000', '00ff00', [0, 0, 1]] });
  assert.deepEqual(content, {
    colors: ['#ff0000', '#00ff00', [0, 0, 1]],
    type: 'continuous',
    thresholds_type: 'relative',
  });
  assert.deepEqual(toColormapAnswer(content), { ...content, colors_quantity: 3 });
});

test('unknown fields are ignored, so that an answer can be posted again', () => {
  const content = parseColormap({ colors: ['#000000'], type: 'discrete', labels: ['Nothing'] });
  assert.deepEqual(parseColormap({ ...toColormapAnswer(content), id: 'x' }), content);
});

test('the id is derived from the content', () => {
  const body = { colors: ['#ff0000', '#0000ff'] };
  const id = toColormapId(parseColormap(body));
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(toColormapId(parseColormap({ type: 'continuous', colors: ['FF0000', '0000FF'] })), id);
  const others = [
    { ...body, type: 'discrete' },
    { colors: ['#0000ff', '#ff0000'] },
    {
      colors: [
        [0, '#ff0000'],
        [1, '#0000ff'],
      ],
    },
    {
      colors: [
        [0, '#ff0000'],
        [1, '#0000ff'],
      ],
      thresholds_type: 'absolute',
    },
    { ...body, type: 'discrete', labels: ['a', 'b'] },
  ].map((other) => toColormapId(parseColormap(other)));
  assert.equal(new Set([id, ...others]).size, 6);
});

test('a continuous map mixes colours at equal or explicit positions into 256', () => {
  const even = plan({ colors: ['#000000', '#ffffff'] });
  assert.equal(even.kind, 'ramp');
  assert.equal(even.colors.length, 256 * 6);
  assert.equal(even.colors.slice(0, 18), '000000010101020202');
  assert.equal(
    plan({ colors: ['#000000', '#ffffff'] }, { limit: 3 }).colors,
    packed('000000', '808080', 'ffffff'),
  );
  const positioned = {
    colors: [
      [0, '#000000'],
      [0.25, '#ffffff'],
      [1, '#ffffff'],
    ],
  };
  assert.equal(
    plan(positioned, { limit: 5 }).colors,
    packed('000000', 'ffffff', 'ffffff', 'ffffff', 'ffffff'),
  );
  assert.equal(
    plan(positioned, { limit: 5, isReversed: true }).colors,
    packed('ffffff', 'ffffff', 'ffffff', 'ffffff', '000000'),
  );
});

test('a continuous map with two colours at one position jumps there', () => {
  const body = {
    colors: [
      [0, '#000000'],
      [0.5, '#000000'],
      [0.5, '#ffffff'],
      [1, '#ffffff'],
    ],
  };
  assert.equal(plan(body, { limit: 4 }).colors, packed('000000', '000000', 'ffffff', 'ffffff'));
});

test('an absolute continuous map shows all of its range, or the part in MIN_MAX', () => {
  const body = {
    colors: [
      [0, '#000000'],
      [100, '#646464'],
    ],
    thresholds_type: 'absolute',
  };
  assert.deepEqual(plan(body, { limit: 3 }), {
    kind: 'ramp',
    colors: packed('000000', '323232', '646464'),
    range: { min: 0, max: 100 },
  });
  const range = { min: 40, max: 60 };
  assert.deepEqual(plan(body, { limit: 3, range }), {
    kind: 'ramp',
    colors: packed('282828', '323232', '3c3c3c'),
    range,
  });
  const wider = plan(body, { limit: 5, range: { min: -100, max: 300 } });
  assert.equal(wider.colors, packed('000000', '000000', '646464', '646464', '646464'));
});

test('a discrete map without positions has equal intervals', () => {
  const body = { colors: ['#111111', '#222222', '#333333'], type: 'discrete', labels: ['a', 'b', 'c'] };
  const range = { min: 0, max: 3 };
  assert.deepEqual(toLegend(plan(body, { range }), range), {
    colors: ['#111111', '#222222', '#333333'],
    thresholds: [1, 2],
    labels: ['a', 'b', 'c'],
  });
  assert.deepEqual(toLegend(plan(body, { isReversed: true, limit: 2 }), range), {
    colors: ['#333333', '#222222', '#111111'],
    thresholds: [1, 2],
    labels: ['c', 'b', 'a'],
  });
});

test('a discrete map with positions uses each colour up to the next position, and the last one from its own position on', () => {
  const colors = [
    [0, '#111111'],
    [0.25, '#222222'],
    [1, '#333333'],
  ];
  const contrast = { min: 100, max: 200 };
  const relative = plan({ colors, type: 'discrete' });
  assert.deepEqual(toLegend(relative, contrast).thresholds, [125, 200]);
  const fixed = plan({ colors, type: 'discrete' }, { range: { min: 0, max: 4 } });
  assert.deepEqual(toLegend(fixed, contrast).thresholds, [1, 4]);
  const absolute = plan(
    { colors, type: 'discrete', thresholds_type: 'absolute' },
    { range: { min: 0, max: 4 } },
  );
  assert.deepEqual(toLegend(absolute, contrast).thresholds, [0.25, 1]);
  const reversed = plan({ colors, type: 'discrete', thresholds_type: 'absolute' }, { isReversed: true });
  assert.deepEqual(toLegend(reversed, contrast), {
    colors: ['#333333', '#222222', '#111111'],
    thresholds: [0.25, 1],
  });
});

const REFUSED: readonly [why: string, body: unknown, says: RegExp][] = [
  ['no object', ['#ff0000'], /JSON object/],
  ['null', null, /JSON object/],
  ['no colours', {}, /"colors" must be a list of 1 to 256/],
  ['an empty list', { colors: [] }, /1 to 256/],
  ['too many', { colors: Array(257).fill('#000000') }, /1 to 256/],
  ['one colour, continuous', { colors: ['#000000'] }, /two or more/],
  ['a short colour', { colors: ['#000', '#fff'] }, /Colour 1 in "colors" must be six/],
  ['a word', { colors: ['#000000', 'red'] }, /Colour 2/],
  [
    'levels',
    {
      colors: [
        [0, 0, 0],
        [255, 0, 0],
      ],
    },
    /Colour 2/,
  ],
  [
    'a negative channel',
    {
      colors: [
        [0, 0, 0],
        [-0.1, 0, 0],
      ],
    },
    /Colour 2/,
  ],
  ['texts as channels', { colors: ['#000000', ['1', '0', '0']] }, /Colour 2/],
  ['four channels', { colors: ['#000000', [1, 1, 1, 1]] }, /Colour 2/],
  ['some positions', { colors: [[0, '#000000'], '#ffffff'] }, /all "colors" have positions or none/],
  [
    'positions as text',
    {
      colors: [
        ['0', '#000000'],
        [1, '#ffffff'],
      ],
    },
    /position of colour 1/,
  ],
  [
    'decreasing',
    {
      colors: [
        [0, '#000000'],
        [0.6, '#ffffff'],
        [0.5, '#ffffff'],
        [1, '#ffffff'],
      ],
    },
    /decrease/,
  ],
  [
    'not from 0',
    {
      colors: [
        [0.1, '#000000'],
        [1, '#ffffff'],
      ],
    },
    /begin with 0 and end with 1/,
  ],
  [
    'not to 1',
    {
      colors: [
        [0, '#000000'],
        [2, '#ffffff'],
      ],
    },
    /begin with 0 and end with 1/,
  ],
  [
    'absolute without positions',
    { colors: ['#000000', '#ffffff'], thresholds_type: 'absolute' },
    /need positions/,
  ],
  [
    'all at one position',
    {
      colors: [
        [5, '#000000'],
        [5, '#ffffff'],
      ],
      thresholds_type: 'absolute',
    },
    /above the first/,
  ],
  [
    'too far',
    {
      colors: [
        [0, '#000000'],
        [1e39, '#ffffff'],
      ],
      thresholds_type: 'absolute',
    },
    /3.4e38/,
  ],
  ['type', { colors: ['#000000', '#ffffff'], type: 'smooth' }, /"type" must be "continuous" or "discrete"/],
  ['type as number', { colors: ['#000000', '#ffffff'], type: 1 }, /"type" must be/],
  ['thresholds_type', { colors: ['#000000', '#ffffff'], thresholds_type: 'x' }, /"thresholds_type" must be/],
  ['labels of continuous', { colors: ['#000000', '#ffffff'], labels: ['a', 'b'] }, /discrete colormaps only/],
  ['few labels', { colors: ['#000000', '#ffffff'], type: 'discrete', labels: ['a'] }, /colours \(2\)/],
  ['labels no texts', { colors: ['#000000'], type: 'discrete', labels: [1] }, /texts/],
  ['long label', { colors: ['#000000'], type: 'discrete', labels: ['x'.repeat(201)] }, /200 characters/],
];

for (const [why, body, says] of REFUSED) {
  test(`refused: ${why}`, () => {
    assert.throws(() => parseColormap(body), { tag: 'bad-input', code: 'bad-colormap', message: says });
  });
}

test('presets that clients know by id exist, are valid and have the published classes', () => {
  const ids = [
    'a9bc6eceeef2a13bb88a7f641dca3aa0',
    '2b0040e4100279573a41138c8a30c1f2',
    'a53f2c53d3cbc1d424c35ac8dc883644',
    '5792d8fc39a4598f8a2c67b300982076',
    'fb5d32c26f571d52ea663a4a8f1e38e0',
  ];
  for (const id of ids) {
    const preset = findPreset(id)!;
    assert.deepEqual(parseColormap(preset), preset);
    assert.equal(preset.colors.length, 21);
  }
  assert.equal(findPreset('0'.repeat(32)), null);
  const ndvi = findPreset(ids[0]!)!.colors;
  assert.deepEqual(ndvi.slice(0, 3), [
    [-1, '#ad0028'],
    [0.05, '#c5142a'],
    [0.1, '#e02d2c'],
  ]);
  assert.deepEqual(ndvi.slice(-3), [
    [0.9, '#009755'],
    [0.95, '#007e47'],
    [1, '#007e47'],
  ]);
  assert.deepEqual(findPreset(ids[2]!)!.colors.slice(0, 2), [
    [-1, '#af998c'],
    [-0.9, '#b49e95'],
  ]);
  assert.deepEqual(findPreset(ids[4]!)!.colors[1], [0.5, '#bc1626']);
});
