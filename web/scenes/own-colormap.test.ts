import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapDraft } from './own-colormap.ts';
import {
  isColormapId,
  parseColormap,
  parseOwnColormaps,
  toColorGradient,
  toColormapBody,
  toSpan,
} from './own-colormap.ts';

const draft = (
  stops: readonly (readonly [number, string])[],
  change: Partial<ColormapDraft> = {},
): ColormapDraft => ({
  name: 'mine',
  stops: stops.map(([position, color]) => ({ position, color })),
  isDiscrete: false,
  isAbsolute: false,
  ...change,
});
const RED_BLUE = [
  [0, '#ff0000'],
  [1, '#0000ff'],
] as const;

test('stored colormaps read back unchanged', () => {
  const drafts = [
    draft(RED_BLUE),
    draft(
      [
        [0, '#ff0000'],
        [0.4, '#00ff00'],
      ],
      { isDiscrete: true },
    ),
    draft(
      [
        [-1, '#ff0000'],
        [0.4, '#00ff00'],
        [3, '#0000ff'],
      ],
      { isDiscrete: true, isAbsolute: true },
    ),
  ];
  for (const one of drafts) assert.deepEqual(parseColormap(toColormapBody(one), 'mine'), one);
  assert.deepEqual(toColormapBody(drafts[1] as ColormapDraft), {
    colors: [
      [0, '#ff0000'],
      [0.4, '#00ff00'],
      [1, '#00ff00'],
    ],
    type: 'discrete',
    thresholds_type: 'relative',
  });
});

test('colormaps of the server may have numeric colours and colours without positions', () => {
  assert.deepEqual(parseColormap({ colors: [[1, 0.5, 0], '#0000FF'], type: 'continuous' }, 'n')?.stops, [
    { position: 0, color: '#ff8000' },
    { position: 1, color: '#0000ff' },
  ]);
  assert.deepEqual(
    parseColormap({ colors: ['#000000', '#0000FF'], type: 'discrete' }, 'n')?.stops.map(
      ({ position }) => position,
    ),
    [0, 0.5],
  );
  for (const colors of [[], ['red'], [['x', '#000000']], [[0, 1]], 'x', null]) {
    assert.equal(parseColormap({ colors }, 'n'), null);
  }
});

test('the readable part of malformed storage is used', () => {
  const id = 'a'.repeat(32);
  const good = { id, name: 'mine', ...toColormapBody(draft(RED_BLUE)) };
  assert.equal(
    parseOwnColormaps(JSON.stringify([good, { ...good, id: '../x' }, { id, name: 'x' }, 7])).length,
    1,
  );
  for (const text of [null, '', '{', '{}', 'null']) assert.deepEqual(parseOwnColormaps(text), []);
  assert.ok(isColormapId(id) && !isColormapId(`${id}_r`) && !isColormapId('viridis'));
});

test('the strip is mixed or has hard edges, with the last step as wide as the others', () => {
  assert.equal(
    toColorGradient(draft(RED_BLUE), { min: 0, max: 1 }),
    'linear-gradient(90deg, #ff0000 0.00%,#0000ff 100.00%)',
  );
  const steps = draft(
    [
      [10, '#ff0000'],
      [20, '#0000ff'],
    ],
    { isDiscrete: true, isAbsolute: true },
  );
  assert.deepEqual(toSpan(steps), { min: 10, max: 30 });
  assert.equal(
    toColorGradient(steps, toSpan(steps)),
    'linear-gradient(90deg, #ff0000 0.00% 50.00%,#0000ff 50.00% 100.00%)',
  );
});
