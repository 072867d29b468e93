import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listColormaps, parseColormap, parseColormapName, planColormap } from '../color/index.ts';
import { toNamedContent } from './named-content.ts';

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
