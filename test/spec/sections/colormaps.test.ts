/** Colormaps, colorbars and legends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Legend } from '../legend.ts';
import { toColor } from '../legend.ts';
import { colorAt, draw, drawNative, expectNative, readBand, tileOf, tilePath } from '../pixels.ts';
import { askJson, askRefused } from '../service.ts';

const EXAMPLES = [
  ...['viridis', 'gist_rainbow', 'Accent', 'Purples', 'winter', 'rainbow', 'plasma', 'ocean', 'RdYlGn'],
  ...['terrain', 'OrRd_r', 'Spectral'],
] as const;

test('colormaps colormap_list: all in any case returns an array of all names', async () => {
  const { colormap_list: names } = await askJson<{ colormap_list: string[] }>('colormap/all');
  assert.deepEqual(
    EXAMPLES.filter((name) => !names.includes(name)),
    [],
  );
  const plain = names.filter((name) => !name.endsWith('_r'));
  assert.deepEqual(plain.toSorted(), plain);
  assert.deepEqual(
    names,
    plain.flatMap((name) => [name, `${name}_r`]),
  );
  assert.deepEqual(await askJson('colormap/ALL'), { colormap_list: names });
});

test('colormaps INCLUDE_TYPE: an object of names and types; false by default', async () => {
  const { colormap_list: names } = await askJson<{ colormap_list: string[] }>('colormap/all');
  for (const value of ['true', '1']) {
    const { colormap_list: types } = await askJson<{ colormap_list: Record<string, string> }>(
      'colormap/all',
      {
        query: `INCLUDE_TYPE=${value}`,
      },
    );
    assert.deepEqual(Object.keys(types), names);
    assert.deepEqual([types.viridis, types.Accent], ['continuous', 'discrete']);
    assert.deepEqual([...new Set(Object.values(types))].sort(), ['continuous', 'discrete']);
  }
  const off = await askJson('colormap/all', { query: 'INCLUDE_TYPE=false' });
  assert.deepEqual(off, { colormap_list: names });
});

test('colormaps TYPE: only continuous or only discrete colormaps', async () => {
  const list = async (query: string) =>
    (await askJson<{ colormap_list: string[] }>('colormap/all', { query })).colormap_list;
  const [all, continuous, discrete] = [
    await list(''),
    await list('TYPE=continuous'),
    await list('TYPE=discrete'),
  ];
  assert.deepEqual([...continuous, ...discrete].sort(), all.toSorted());
  assert.ok(continuous.includes('viridis') && discrete.includes('Accent') && !discrete.includes('viridis'));
  assert.equal(await askRefused('colormap/all', 400, { query: 'TYPE=both' }), 'bad-type');
});

const keep = async (body: unknown): Promise<string> => {
  const { id } = await askJson<{ id: string }>('colormap/', { body });
  assert.match(id, /^[0-9a-f]{32}$/);
  return id;
};

test('colormaps colors: hexadecimal or RGB, alone or with positions; required', async () => {
  const [a, b, c] = ['#ff0000', '#00ff00', '#0000ff'];
  const lists = [
    [a, b, c],
    [[1, 0, 0], b, [0, 0, 1]],
    [
      [0, a],
      [0.5, b],
      [1, c],
    ],
  ];
  for (const colors of lists) {
    const legend = await askJson<Legend>(`legend/${await keep({ colors })}`, { query: 'LIMIT=3' });
    assert.deepEqual(legend.colors, [a, b, c]);
  }
  for (const colors of [
    undefined,
    [],
    ['red'],
    [[2, 0, 0]],
    [
      [0.1, a],
      [1, c],
    ],
    [
      [0, a],
      [0.9, c],
    ],
  ]) {
    await askRefused('colormap/', 400, { body: { colors } });
  }
});

test('colormaps type: continuous by default, mixed between; discrete has only its colours', async () => {
  const colors = ['#000000', '#ff0000', '#ffff00'];
  const [mixed, same, steps] = [
    await keep({ colors }),
    await keep({ colors, type: 'continuous' }),
    await keep({ colors, type: 'discrete' }),
  ];
  assert.equal(mixed, same);
  const smooth = await askJson<Legend>(`legend/${mixed}`);
  assert.equal(smooth.colors.length, 256);
  // Half way to red at a quarter of the way.
  assert.match(smooth.colors[64]!, /^#(7f|80|81)0000$/);
  const three = await askJson<Legend>(`legend/${steps}`, { query: 'MIN_MAX=0,3' });
  assert.deepEqual([three.colors, three.thresholds], [colors, [1, 2]]);
  await askRefused('colormap/', 400, { body: { colors, type: 'smooth' } });
});

test('colormaps thresholds_type: relative positions by default, 0 to 1; absolute ones are values of the data', async () => {
  const colors = (positions: readonly number[]) =>
    positions.map((at, i) => [at, ['#ff0000', '#00ff00', '#0000ff'][i]]);
  const relative = await keep({ colors: colors([0, 0.25, 1]), type: 'discrete' });
  const absolute = await keep({
    colors: colors([1000, 1500, 2500]),
    type: 'discrete',
    thresholds_type: 'absolute',
  });
  const band = await readBand('l2a', 'B04');
  // 0.25 of 1000 to 3000 is 1500; the last relative colour begins at the end.
  const shares = await drawNative('l2a', 'B04', band, `COLORMAP=${relative}&MIN_MAX=1000,3000`);
  expectNative(shares, (at) => {
    const value = band.values[at]!;
    return value < 1500 ? 'ff0000ff' : value < 3000 ? '00ff00ff' : '0000ffff';
  });
  const values = await drawNative('l2a', 'B04', band, `COLORMAP=${absolute}`);
  expectNative(values, (at) => {
    const value = band.values[at]!;
    return value < 1500 ? 'ff0000ff' : value < 2500 ? '00ff00ff' : '0000ffff';
  });
  await askRefused('colormap/', 400, { body: { colors: colors([0, 0.5, 1]), thresholds_type: 'some' } });
});

test('colormaps labels: of discrete colormaps only, as many as colours', async () => {
  const [colors, labels] = [
    ['#1f4e9e', '#d9c38f'],
    ['water', 'bare'],
  ];
  const id = await keep({ colors, type: 'discrete', labels });
  assert.deepEqual((await askJson<Legend>(`legend/${id}`)).labels, labels);
  await askRefused('colormap/', 400, { body: { colors, type: 'discrete', labels: ['water'] } });
  await askRefused('colormap/', 400, { body: { colors, labels } });
});

test('colormaps colormap_id: reads back colors, type, thresholds_type, colors_quantity and labels; 404 when unknown', async () => {
  const body = {
    colors: ['#1f4e9e', '#d9c38f', '#3f9b3f'],
    type: 'discrete',
    thresholds_type: 'relative',
    labels: ['water', 'bare', 'green'],
  };
  const id = await keep(body);
  assert.deepEqual(await askJson(`colormap/${id}`), { ...body, colors_quantity: 3 });
  const { labels: _, ...reversed } = await askJson<typeof body>(`colormap/${id}_r`);
  assert.deepEqual(reversed.colors, body.colors.toReversed());
  const plain = await askJson<Record<string, unknown>>(
    `colormap/${await keep({ colors: ['#000000', '#ffffff'] })}`,
  );
  assert.deepEqual([plain.type, plain.thresholds_type, plain.labels], ['continuous', 'relative', undefined]);
  assert.equal(await askRefused(`colormap/${'0'.repeat(32)}`, 404), 'unknown-colormap');
});

test('colormaps colorbar: a PNG of the colours, of named colormaps and custom ones', async () => {
  const id = await keep({ colors: ['#000000', '#0000ff'] });
  for (const name of ['viridis', 'terrain', id, `${id}_r`]) {
    const { type, width, height, rgba } = await draw(`colorbar/${name}`);
    assert.deepEqual([type, width, height], ['image/png', 256, 24]);
    const { colors } = await askJson<Legend>(`legend/${name}`);
    for (const i of [0, 100, 255, 256 * 12 + 7]) {
      assert.equal(`#${colorAt({ rgba }, i).slice(0, 6)}`, colors[i % 256], `${name} at ${i}`);
    }
  }
  assert.equal(await askRefused('colorbar/no-such-map', 404), 'unknown-colormap');
});

test('colormaps legend: N colours and N - 1 thresholds; 256 of a continuous colormap, its own of a discrete one', async () => {
  const viridis = await askJson<Legend>('legend/viridis');
  assert.deepEqual([viridis.colors.length, viridis.thresholds.length], [256, 255]);
  // matplotlib's table.
  const picked = [0, 64, 128, 192, 255].map((i) => viridis.colors[i]);
  assert.deepEqual(picked, ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725']);
  const accent = await askJson<Legend>('legend/Accent');
  assert.deepEqual([accent.colors.length, accent.thresholds.length], [8, 7]);
  assert.deepEqual([accent.colors[0], accent.colors[7]], ['#7fc97f', '#666666']);
  assert.equal(await askRefused('legend/no-such-map', 404), 'unknown-colormap');
});

test('colormaps legend MIN_MAX: thresholds lie between min and max, 0 and 255 by default', async () => {
  const byDefault = await askJson<Legend>('legend/terrain');
  assert.deepEqual([byDefault.thresholds[0], byDefault.thresholds[254]], [0.99609375, 254.00390625]);
  const { thresholds } = await askJson<Legend>('legend/Accent', { query: 'MIN_MAX=-1,1' });
  assert.deepEqual(thresholds, [-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75]);
  assert.equal(await askRefused('legend/Accent', 400, { query: 'MIN_MAX=low,high' }), 'bad-min-max');
});

test('colormaps legend LIMIT: the number of colours of a continuous colormap', async () => {
  const { colors, thresholds } = await askJson<Legend>('legend/RdYlGn', { query: 'LIMIT=5&MIN_MAX=-1,1' });
  assert.deepEqual(colors, ['#a50026', '#f88d52', '#ffffbf', '#86cb66', '#006837']);
  for (const [i, wanted] of [-0.6, -0.2, 0.2, 0.6].entries()) {
    assert.ok(Math.abs(thresholds[i]! - wanted) < 1e-9);
  }
  assert.equal((await askJson<Legend>('legend/Accent', { query: 'LIMIT=3' })).colors.length, 8);
  assert.equal(await askRefused('legend/RdYlGn', 422, { query: 'LIMIT=0' }), 'bad-colors-limit');
});

test('colormaps COLORMAP: a custom colormap colours a tile by its id, and reversed by the id with _r', async () => {
  const id = await keep({ colors: ['#ff0000', '#00ff00'], type: 'discrete' });
  const band = await readBand('l2a', 'B04');
  for (const [name, low, high] of [
    [id, 'ff0000ff', '00ff00ff'],
    [`${id}_r`, '00ff00ff', 'ff0000ff'],
  ] as const) {
    const picture = await drawNative('l2a', 'B04', band, `COLORMAP=${name}&MIN_MAX=1000,2000`);
    expectNative(picture, (at) => (band.values[at]! < 1500 ? low : high));
  }
});

test('colormaps legend of a picture: the colours and values that the picture really has, with its measured contrast', async () => {
  const band = await readBand('l2a', 'B08');
  const palette = encodeURIComponent('{"4":"#00ff00","5":"#ffff00"}');
  for (const [bands, query] of [
    ['B08', ''],
    ['B08', 'MIN_MAX=500,4000'],
    ['B08', 'COLORMAP=viridis'],
    ['B08', 'COLORMAP=Accent'],
    ['B08', 'COLORS=ff0000,00ff00&THRESHOLDS=2000'],
  ] as const) {
    const path = tilePath('l2a', bands, tileOf(band, 15));
    const legend = await askJson<Legend & { bands: readonly object[] }>(`legend/${path}`, { query });
    assert.equal(legend.bands.length, 1);
    expectNative(await drawNative('l2a', bands, band, query), (at) => toColor(band.values[at]!, legend));
  }
  const path = tilePath('l2a', 'SCL', tileOf(band, 15));
  const values = await askJson<object>(`legend/${path}`, { query: `PALETTE=${palette}` });
  assert.deepEqual(
    { ...values, bands: [] },
    { colors: ['#00ff00', '#ffff00'], thresholds: [], values: [4, 5], bands: [] },
  );
});
