import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toLegend } from '../../src/color/index.ts';
import { en } from '../texts/en.ts';
import { colorAt, parseLegend as parse } from './legend.ts';

const parseLegend = (body: unknown) => parse(body, en);

test('a grey stretch is a bar from its darkest to its brightest value', () => {
  const legend = parseLegend(toLegend(null, { min: 100, max: 3100 }));
  assert.ok(legend?.kind === 'bar');
  // The ends lie half a level beyond the values of the first and last.
  assert.ok(Math.abs(legend.min - 100) < 10 && Math.abs(legend.max - 3100) < 10);
  assert.equal(colorAt(legend, 0), '#000000');
  assert.equal(colorAt(legend, 1600), '#808080');
  assert.equal(colorAt(legend, 9999), '#ffffff');
});

test('many steps are a bar whose ends are a step away, few are a list', () => {
  const thresholds = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);
  const colors = Array.from({ length: 20 }, (_, i) => `#0000${(10 + i).toString(16).padStart(2, '0')}`);
  const bar = parseLegend({ colors, thresholds });
  assert.ok(bar?.kind === 'bar');
  assert.ok(Math.abs(bar.min) < 1e-12 && Math.abs(bar.max - 1) < 1e-12);
  assert.deepEqual(parseLegend({ colors: ['#000000', '#808080', '#ffffff'], thresholds: [-0.3, 0.2] }), {
    kind: 'classes',
    entries: [
      { color: '#000000', text: 'below −0.3' },
      { color: '#808080', text: '−0.3 to 0.2' },
      { color: '#ffffff', text: '0.2 and above' },
    ],
  });
});

test('classes have names, or numbers', () => {
  const colors = ['#0000ff', '#ffffff'];
  const named = parseLegend({ colors, thresholds: [], values: [6, 9], labels: ['Water', 'Cloud'] });
  const numbered = parseLegend({ colors, thresholds: [], values: [6, '(15,14)'] });
  const texts = (legend: typeof named) =>
    legend?.kind === 'classes' ? legend.entries.map(({ text }) => text) : null;
  assert.deepEqual(texts(named), ['Water', 'Cloud']);
  assert.deepEqual(texts(numbered), ['6', '(15,14)']);
});

test('three channels have no legend, and neither does an answer with another schema', () => {
  const bands = [{ band: 'B04', min: 1, max: 2 }];
  assert.equal(parseLegend({ colors: [], thresholds: [], bands }), null);
  for (const body of [
    null,
    undefined,
    'text',
    { colors: ['red'], thresholds: [] },
    { colors: ['#000000', '#ffffff'], thresholds: [] },
    { colors: ['#000000', '#ffffff'], thresholds: ['1'] },
    { colors: '#000000' },
  ]) {
    assert.equal(parseLegend(body), null, JSON.stringify(body));
  }
  fc.assert(fc.property(fc.jsonValue(), (body) => void parseLegend(body)));
});
