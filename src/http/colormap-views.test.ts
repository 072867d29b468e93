import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLORMAP, discrete, makeColors, PRESET } from './testing/make-colors.ts';

interface List<Shape> {
  readonly colormap_list: Shape;
}

test('all in any case lists the colormaps', async () => {
  const { read } = makeColors();
  const { colormap_list: names, ...rest } = await read<List<string[]>>(`${COLORMAP}all`);
  assert.deepEqual(rest, {});
  assert.deepEqual(names.slice(0, 4), ['Accent', 'Accent_r', 'Blues', 'Blues_r']);
  const interfaces =
    'viridis gist_rainbow Accent Purples winter rainbow plasma ocean RdYlGn terrain OrRd_r Spectral';
  for (const name of interfaces.split(' ')) assert.ok(names.includes(name), name);
  for (const path of ['ALL', 'All', 'all/', 'ALL/?']) {
    assert.deepEqual((await read<List<string[]>>(COLORMAP + path)).colormap_list, names, path);
  }
});

test('INCLUDE_TYPE turns the list into an object of names and types', async () => {
  const { read, refuse } = makeColors();
  const { colormap_list: names } = await read<List<string[]>>(`${COLORMAP}all`);
  for (const on of ['true', '1', 'True', 'TRUE']) {
    const { colormap_list: types } = await read<List<Record<string, string>>>(
      `${COLORMAP}all?INCLUDE_TYPE=${on}`,
    );
    assert.deepEqual(Object.keys(types), names);
    assert.equal(types.viridis, 'continuous');
    assert.equal(types.Accent_r, 'discrete');
  }
  for (const off of ['false', '0']) {
    assert.deepEqual((await read<List<string[]>>(`${COLORMAP}all?INCLUDE_TYPE=${off}`)).colormap_list, names);
  }
  for (const text of ['', 'yes', '2']) {
    await refuse(`${COLORMAP}all?INCLUDE_TYPE=${text}`, 400, 'bad-include-type');
  }
});

test('TYPE filters the list, also together with INCLUDE_TYPE', async () => {
  const { read, refuse } = makeColors();
  const list = async (query: string) => (await read<List<string[]>>(`${COLORMAP}all${query}`)).colormap_list;
  const [all, discretes, continuous] = [
    await list(''),
    await list('?TYPE=discrete'),
    await list('?TYPE=continuous'),
  ];
  assert.ok(discretes.includes('tab10') && !discretes.includes('viridis'));
  assert.ok(continuous.includes('viridis') && !continuous.includes('tab10'));
  assert.deepEqual([...discretes, ...continuous].sort(), [...all].sort());
  const types = Object.values(await list('?TYPE=discrete&INCLUDE_TYPE=1'));
  assert.deepEqual([...new Set(types)], ['discrete']);
  for (const text of ['', 'Discrete', 'qualitative', '__proto__']) {
    assert.match(await refuse(`${COLORMAP}all?TYPE=${text}`, 400, 'bad-type'), /continuous or discrete/);
  }
});

interface Legend {
  readonly colors: string[];
  readonly thresholds: number[];
  readonly labels?: string[];
}

test('a legend has 256 colours and 255 thresholds between 0 and 255, or fewer', async () => {
  const { read } = makeColors();
  const { colors, thresholds, ...rest } = await read<Legend>('/api/render/legend/viridis');
  assert.deepEqual(rest, {});
  assert.deepEqual([colors.length, thresholds.length], [256, 255]);
  assert.deepEqual([colors[0], colors[64], colors[255]], ['#440154', '#3b528b', '#fde725']);
  assert.deepEqual([thresholds[0], thresholds[1], thresholds[254]], [0.99609375, 1.9921875, 254.00390625]);
  const limited = await read<Legend>('/api/render/legend/RdYlGn?MIN_MAX=-1,1&LIMIT=5');
  assert.deepEqual(limited.colors, ['#a50026', '#f88d52', '#ffffbf', '#86cb66', '#006837']);
  assert.deepEqual(
    limited.thresholds.map((value) => Math.round(value * 1e9) / 1e9),
    [-0.6, -0.2, 0.2, 0.6],
  );
});

test('a legend of a discrete colormap has its own colours only', async () => {
  const { read, create } = makeColors();
  const accent = await read<Legend>('/api/render/legend/Accent?LIMIT=3');
  assert.deepEqual([accent.colors.length, accent.thresholds.length], [8, 7]);
  const id = await create(discrete);
  assert.deepEqual(await read<Legend>(`/api/render/legend/${id}`), {
    colors: ['#1f4e9e', '#8040ff', '#3f9b3f'],
    thresholds: [0, 0.4],
    labels: discrete.labels,
  });
  const smooth = await create({ colors: discrete.colors, thresholds_type: 'absolute' });
  const { thresholds } = await read<Legend>(`/api/render/legend/${smooth}?LIMIT=2`);
  assert.deepEqual(thresholds, [-0.30000000000000004], 'absolute positions say where the colours are');
});

test('MIN_MAX and LIMIT of a legend are parsed strictly', async () => {
  const { refuse, read } = makeColors();
  for (const kind of ['legend', 'colorbar']) {
    for (const text of [
      '',
      '1',
      '1,2,3',
      'a,b',
      '0x1,2',
      'NaN,1',
      'Infinity,1',
      '1e39,2e39',
      '-1e308,1e308',
    ]) {
      await refuse(`/api/render/${kind}/viridis?MIN_MAX=${text}`, 400, 'bad-min-max');
    }
    for (const text of ['1,1', '2,1', '-5e-324,5e-324', '1,1.00000000001']) {
      await refuse(`/api/render/${kind}/viridis?MIN_MAX=${text}`, 422, 'flat-min-max');
    }
    await refuse(`/api/render/${kind}/viridis?MIN_MAX=0,1&MIN_MAX=0,2`, 400, 'repeated-parameter');
  }
  for (const text of ['', '0', '1', '257', '-1', '1e2', '2.5']) {
    await refuse(`/api/render/legend/viridis?LIMIT=${text}`, 422, 'bad-colors-limit');
  }
  const { thresholds } = await read<Legend>('/api/render/legend/viridis?MIN_MAX=-3.4e38,3.4e38');
  assert.ok(thresholds.every(Number.isFinite));
});

test('a colorbar is drawn for a name in any case or for a custom id', async () => {
  const { call, create, drawn } = makeColors();
  const id = await create(discrete);
  const response = await call('/api/render/colorbar/viridis/');
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0x89, 0x50, 0x4e, 0x47]);
  await call('/api/render/colorbar/VIRIDIS_R');
  await call(`/api/render/colorbar/${id}`);
  await call(`/api/render/colorbar/${id}_r`);
  await call(`/api/render/colorbar/${PRESET}`);
  const firsts = drawn.map(({ plan }) => plan.colors.slice(0, 6));
  assert.deepEqual(firsts, ['440154', 'fde725', '1f4e9e', '3f9b3f', 'ad0028']);
  assert.ok(drawn.every(({ size, range }) => size.width === 256 && size.height === 24 && range === null));
});

test('a colorbar follows WIDTH, HEIGHT and MIN_MAX', async () => {
  const { call, drawn, refuse } = makeColors();
  await call('/api/render/colorbar/jet?WIDTH=2048&HEIGHT=1&MIN_MAX=-1,0.5');
  assert.deepEqual(drawn[0]?.size, { width: 2048, height: 1 });
  assert.deepEqual(drawn[0]?.range, { min: -1, max: 0.5 });
  const tags = await Promise.all(
    ['', '?WIDTH=255', '?HEIGHT=25', '?MIN_MAX=0,1', '?MIN_MAX=0,2'].map(
      async (query) => (await call(`/api/render/colorbar/jet${query}`)).headers.get('etag') ?? '',
    ),
  );
  assert.equal(new Set(tags).size, 5);
  for (const size of ['0', '2049', '-1', '1e2', '', '12.5', '0x10', '%EF%BC%91']) {
    await refuse(`/api/render/colorbar/jet?WIDTH=${size}`, 400, 'bad-colorbar-size');
    await refuse(`/api/render/colorbar/jet?HEIGHT=${size}`, 400, 'bad-colorbar-size');
  }
});
