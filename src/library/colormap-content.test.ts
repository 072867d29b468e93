import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapContent } from '../color/index.ts';
import { listColormaps, parseColormap, parseColormapName, planColormap } from '../color/index.ts';
import { reverseColormap, toNamedContent } from './colormap-content.ts';

const stops = [
  [0, '#111111'],
  [0.25, [0.1, 0.2, 0.3]],
  [1, '#333333'],
];
const contents: readonly ColormapContent[] = [
  { colors: ['#000000', [1, 0.5, 0], '#ffffff'] },
  { colors: stops },
  { colors: stops, thresholds_type: 'absolute' },
  { colors: ['#000000', '#ffffff', '#ff0000'], type: 'discrete', labels: ['a', 'b', 'c'] },
  { colors: stops, type: 'discrete', labels: ['a', 'b', 'c'] },
  { colors: stops, type: 'discrete', thresholds_type: 'absolute' },
].map(parseColormap);

for (const content of contents) {
  const { colors, ...kind } = content;
  test(`a reversed colormap draws the same as _r: ${JSON.stringify(kind)}, ${JSON.stringify(colors[0])}`, () => {
    for (const range of [null, { min: -2, max: 7 }]) {
      for (const colorsLimit of [null, 5]) {
        const options = { colorsLimit, range };
        assert.deepEqual(
          planColormap({ kind: 'custom', content: reverseColormap(content), isReversed: false }, options),
          planColormap({ kind: 'custom', content, isReversed: true }, options),
        );
      }
    }
  });

  test(`a colormap reversed twice is the same, and valid: ${JSON.stringify(content)}`, () => {
    const reversed = reverseColormap(content);
    assert.deepEqual(parseColormap(reversed), reversed);
    assert.notDeepEqual(reversed, content);
    assert.deepEqual(reverseColormap(reversed), content);
  });
}

test('every named colormap, written out, is a custom one that draws the same', () => {
  for (const { name, type } of listColormaps()) {
    const named = parseColormapName(name);
    assert.ok(named.kind === 'named');
    const content = toNamedContent(named);
    assert.equal(content.type, type, name);
    assert.deepEqual(parseColormap(content), content, name);
    const options = { colorsLimit: null, range: null };
    const drawn = planColormap({ kind: 'custom', content, isReversed: false }, options);
    assert.equal(drawn.colors, planColormap(named, options).colors, name);
  }
});
