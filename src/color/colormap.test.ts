import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Colormap } from './index.ts';
import { listColormaps, parseColormapName, planColormap, unknownColormap } from './index.ts';

/** Colours of a named map, `#rrggbb`. */
function colorsOf(text: string, colorsLimit: number | null = null): string[] {
  const named = parseColormapName(text);
  assert.ok(named.kind === 'named');
  const { colors } = planColormap(named as Colormap, { colorsLimit, range: null });
  return colors.match(/.{6}/g)!.map((color) => `#${color}`);
}

/** Entries 0, 64, 128, 192 and 255 of matplotlib's tables. */
const VECTORS: Readonly<Record<string, string>> = {
  viridis: '#440154 #3b528b #21918c #5ec962 #fde725',
  plasma: '#0d0887 #7e03a8 #cc4778 #f89540 #f0f921',
  gist_rainbow: '#ff0029 #cdff00 #00ff8c #0018ff #ff00bf',
  Purples: '#fcfbfd #dadaeb #9e9ac8 #6950a3 #3f007d',
  winter: '#0000ff #0040df #0080bf #00c09f #00ff80',
  rainbow: '#8000ff #00b5eb #80ffb4 #ffb360 #ff0000',
  ocean: '#008000 #002040 #004080 #42a0c0 #ffffff',
  RdYlGn: '#a50026 #f98e52 #feffbe #84ca66 #006837',
  terrain: '#333399 #01cc66 #fefe98 #815e56 #ffffff',
  OrRd_r: '#7f0000 #d7301f #fc8e5a #fdd49f #fff7ec',
  Spectral: '#9e0142 #f98e52 #ffffbe #86cfa5 #5e4fa2',
  jet: '#000080 #0080ff #7dff7a #ff9400 #800000',
  turbo: '#30123b #28bceb #a4fc3c #fb7e21 #7a0403',
};

for (const [name, wanted] of Object.entries(VECTORS)) {
  test(`${name} has matplotlib's colours`, () => {
    const colors = colorsOf(name);
    assert.equal(colors.length, 256);
    assert.equal([0, 64, 128, 192, 255].map((i) => colors[i]).join(' '), wanted);
  });
}

test('cividis bends at entry 23, as matplotlib does', () => {
  assert.equal(colorsOf('cividis').slice(22, 24).join(' '), '#003171 #013271');
});

test('a discrete map has its own colours, whatever the limit', () => {
  const accent = colorsOf('Accent');
  assert.equal(accent.length, 8);
  const some = [0, 2, 4, 6, 7].map((i) => accent[i]).join(' ');
  assert.equal(some, '#7fc97f #fdc086 #386cb0 #bf5b17 #666666');
  assert.deepEqual(colorsOf('Accent', 3), accent);
  assert.deepEqual(colorsOf('Accent_r'), accent.toReversed());
  const counts = { Dark2: 8, Paired: 12, Pastel1: 9, Pastel2: 8, Set1: 9, Set2: 8, Set3: 12, tab10: 10 };
  for (const [name, count] of Object.entries(counts)) assert.equal(colorsOf(name).length, count, name);
});

test('a limit resamples curves and picks entries of tables', () => {
  assert.equal(colorsOf('viridis', 5).join(' '), '#440154 #3b528b #21918c #5ec962 #fde725');
  assert.equal(colorsOf('RdYlGn', 5).join(' '), '#a50026 #f88d52 #ffffbf #86cb66 #006837');
  assert.equal(colorsOf('terrain', 4).join(' '), '#333399 #55dd77 #aa926b #ffffff');
  assert.equal(colorsOf('viridis_r', 2).join(' '), '#fde725 #440154');
});

test('a reversed map is the map reversed, except for the rounding of halves, as in matplotlib', () => {
  const levels = (colors: readonly string[]): Buffer =>
    Buffer.from(colors.join('').replaceAll('#', ''), 'hex');
  for (const { name } of listColormaps().filter((map) => !/_r$|^twilight/.test(map.name))) {
    const wanted = levels(colorsOf(name).toReversed());
    const distances = levels(colorsOf(`${name}_r`)).map((level, i) => Math.abs(level - wanted[i]!));
    assert.ok(Math.max(...distances) <= 1, name);
  }
  assert.deepEqual(colorsOf('viridis_r'), colorsOf('viridis').toReversed());
});

test('alternative spellings name the same map', () => {
  assert.deepEqual(colorsOf('Grays'), colorsOf('Greys'));
  assert.deepEqual(colorsOf('gist_yerg'), colorsOf('gist_yarg'));
});

test('the list is in code point order, each map followed by its reverse', () => {
  const names = listColormaps().map(({ name }) => name);
  assert.equal(
    names.slice(0, 10).join(' '),
    'Accent Accent_r Blues Blues_r BrBG BrBG_r BuGn BuGn_r BuPu BuPu_r',
  );
  const plain = names.filter((_, i) => i % 2 === 0);
  assert.deepEqual(plain, plain.toSorted());
  assert.deepEqual(
    names.filter((_, i) => i % 2 === 1),
    plain.map((name) => `${name}_r`),
  );
  assert.equal(new Set(names).size, 182);
});

test('the list can be restricted to one type', () => {
  const discrete = listColormaps('discrete').map(({ name }) => name);
  assert.equal(
    discrete.filter((name) => !name.endsWith('_r')).join(' '),
    'Accent Dark2 Paired Pastel1 Pastel2 Set1 Set2 Set3 okabe_ito tab10 tab20 tab20b tab20c',
  );
  assert.equal(listColormaps('continuous').length + discrete.length, listColormaps().length);
});

test('names are found as written, then in any case; ids are recognized', () => {
  const named = (name: string, isReversed: boolean) => ({ kind: 'named', name, isReversed });
  assert.deepEqual(parseColormapName('RdYlGn'), named('RdYlGn', false));
  assert.deepEqual(parseColormapName('rdylgn'), named('RdYlGn', false));
  assert.deepEqual(parseColormapName('BLUES_R'), named('Blues', true));
  assert.deepEqual(parseColormapName('gray'), named('gray', false));
  assert.deepEqual(parseColormapName('grays'), named('Grays', false));
  const id = 'a9bc6eceeef2a13bb88a7f641dca3aa0';
  assert.deepEqual(parseColormapName(id), { kind: 'id', id, isReversed: false });
  assert.deepEqual(parseColormapName(`${id}_r`), { kind: 'id', id, isReversed: true });
});

test('other names are refused: 404', () => {
  for (const text of ['', 'virid', 'viridis_r_r', 'constructor', '__proto__', 'toString', '_r', 'viridis ']) {
    assert.throws(() => parseColormapName(text), { tag: 'not-found', code: 'unknown-colormap' }, text);
  }
  assert.ok(unknownColormap('x'.repeat(1000)).message.length < 100);
  assert.match(unknownColormap('viridus').message, /Did you mean viridis\?$/);
  assert.doesNotMatch(unknownColormap('0123456789abcdef0123456789abcdef').message, /Did you mean/);
});
