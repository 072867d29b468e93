import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColormapContent } from '../color/index.ts';
import { COLORMAP, discrete, makeColors, PRESET } from './testing/make-colors.ts';
import { OTHER_KEY, READER_KEY, readError, TEST_KEY } from './testing/make-test-app.ts';

interface Legend {
  readonly colors: string[];
  readonly thresholds: number[];
  readonly labels?: string[];
}

test('a custom colormap is created, and reads back with all fields that section 2.5 lists', async () => {
  const { post, read } = makeColors();
  const created = await post(COLORMAP, discrete);
  assert.equal(created.status, 200);
  assert.equal(created.headers.get('cache-control'), 'no-store');
  const body = (await created.json()) as { id: string };
  assert.deepEqual(Object.keys(body), ['id']);
  assert.match(body.id, /^[0-9a-f]{32}$/);
  for (const path of [`${COLORMAP}${body.id}`, `${COLORMAP}${body.id}/`]) {
    assert.deepEqual(await read(path), {
      ...discrete,
      colors: [[-1, '#1f4e9e'], ...discrete.colors.slice(1)],
      colors_quantity: 3,
    });
  }
});

test('type and thresholds_type have defaults, labels are optional', async () => {
  const { create, read } = makeColors();
  const id = await create({ colors: ['#000000', [1, 1, 1]] });
  assert.deepEqual(await read(COLORMAP + id), {
    colors: ['#000000', [1, 1, 1]],
    type: 'continuous',
    thresholds_type: 'relative',
    colors_quantity: 2,
  });
});

test('a named colormap is described like a custom one, by its name in any case and reversed', async () => {
  const { call, read } = makeColors();
  const viridis = await read<ColormapContent>(`${COLORMAP}viridis`);
  assert.deepEqual(Object.keys(viridis).sort(), ['colors', 'colors_quantity', 'thresholds_type', 'type']);
  assert.deepEqual([viridis.colors.length, viridis.colors[0], viridis.type], [256, '#440154', 'continuous']);
  assert.deepEqual(await read(`${COLORMAP}VIRIDIS`), viridis);
  const reversed = await read<ColormapContent>(`${COLORMAP}viridis_r`);
  assert.deepEqual(reversed.colors, viridis.colors.toReversed());
  assert.deepEqual(await read(`${COLORMAP}tab10`), {
    colors: [
      ...['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd'],
      ...['#8c564b', '#e377c2', '#7f7f7f', '#bcbd22', '#17becf'],
    ],
    type: 'discrete',
    thresholds_type: 'relative',
    colors_quantity: 10,
  });
  const unknown = await call(`${COLORMAP}viridix`);
  assert.equal(unknown.status, 404);
  const { code, error } = await readError(unknown);
  assert.equal(code, 'unknown-colormap');
  assert.match(error, /Did you mean viridis\?/);
});

test('the same colormap gets the same id, with or without a trailing slash, with any content type', async () => {
  const { create, post, stored } = makeColors();
  const id = await create(discrete);
  assert.equal(await create(discrete, '/api/render/colormap'), id);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const path = `${COLORMAP}?api_key=a-key-for-tests-only`;
    const response = await post(path, { ...discrete, name: 'mine' }, { headers: { 'content-type': type } });
    assert.deepEqual(await response.json(), { id }, type);
  }
  assert.equal(stored.size, 1);
  assert.notEqual(await create({ ...discrete, labels: ['a', 'b', 'c'] }), id);
});

test('an id with _r is the colormap reversed', async () => {
  const { create, read } = makeColors();
  const id = await create(discrete);
  const { colors, labels } = await read<ColormapContent>(`${COLORMAP}${id}_r`);
  assert.deepEqual(colors, [
    [-1, '#3f9b3f'],
    [0, [0.5, 0.25, 1]],
    [0.4, '#1f4e9e'],
  ]);
  assert.deepEqual(labels, ['green', 'bare <b>', 'water']);
  assert.deepEqual((await read<Legend>(`/api/render/legend/${id}_r`)).colors[0], '#3f9b3f');
});

test('unknown ids are 404, and never a scene', async () => {
  const { refuse, call } = makeColors();
  const unknown = ['0'.repeat(32), `${'0'.repeat(32)}_r`, `${PRESET}_r_r`, PRESET.toUpperCase(), 'x'];
  for (const id of [...unknown, '_r', '%00', '..%2f', 'constructor', '__proto__', "'%20OR%201=1", 'allx']) {
    await refuse(COLORMAP + id, 404, 'unknown-colormap');
  }
  for (const name of [...unknown, 'viridis_r_r', '%00', '__proto__', 'toString']) {
    await refuse(`/api/render/colorbar/${name}`, 404, 'unknown-colormap');
    await refuse(`/api/render/legend/${name}`, 404, 'unknown-colormap');
  }
  assert.equal((await call(COLORMAP)).status, 405, 'there is no list of custom colormaps');
});

test('presets that clients know by id exist', async () => {
  const { read } = makeColors();
  const preset = await read<ColormapContent & { colors_quantity: number }>(COLORMAP + PRESET);
  assert.deepEqual(
    [preset.type, preset.thresholds_type, preset.colors_quantity],
    ['discrete', 'absolute', 21],
  );
});

test('colormaps, legends and colorbars have an ETag, and a 304 draws nothing', async () => {
  const { call, create, drawn } = makeColors();
  const id = await create(discrete);
  const paths = [`colormap/${id}`, 'colormap/all', 'legend/viridis', 'colorbar/viridis'];
  for (const path of paths.map((end) => `/api/render/${end}`)) {
    const first = await call(path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{27}"$/, path);
    // A custom colormap may be deleted.
    const maxAgeS = path.endsWith(id) ? 60 : 86_400;
    assert.equal(first.headers.get('cache-control'), `private, max-age=${maxAgeS}`);
    assert.equal(first.headers.get('vary'), 'x-api-key');
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await call(path, { headers: { 'if-none-match': tags } });
      assert.equal(again.status, 304, `${path} ${tags}`);
      assert.equal(again.headers.get('etag'), etag);
      assert.equal(await again.text(), '');
    }
    assert.equal((await call(path, { headers: { 'if-none-match': '"other"' } })).status, 200);
    assert.equal((await call(path, { method: 'HEAD' })).headers.get('etag'), etag);
  }
  assert.equal(drawn.length, 3);
});

test('a custom colormap is applied to a picture by its id, or reversed', async () => {
  const { call, create, planned, refuse } = makeColors();
  const id = await create(discrete);
  const tile = '/api/render/S2/31/T/DH/2026/6/21/0/NDVI/12/2081/1510';
  assert.equal((await call(`${tile}?COLORMAP=${id}`)).status, 200);
  assert.equal((await call(`${tile}?COLORMAP=${id}_r`)).status, 200);
  assert.equal((await call(`${tile}?COLORMAP=${PRESET}`)).status, 200);
  const used = planned.map(({ color }) => color.colormap);
  assert.deepEqual(
    used.map((colormap) => colormap?.isReversed),
    [false, true, false],
  );
  assert.ok(used[0]?.kind === 'custom');
  assert.deepEqual(used[0].content.labels, discrete.labels);
  await refuse(`${tile}?COLORMAP=${'0'.repeat(32)}`, 404, 'unknown-colormap');
});

test('all six operations are documented', async () => {
  const { read } = makeColors();
  const { paths } = await read<{ paths: Record<string, object> }>('/openapi.json');
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  for (const operation of [
    'get /api/render/colormap/all',
    'post /api/render/colormap',
    'get /api/render/colormap/{colormap_id}',
    'delete /api/render/colormap/{colormap_id}',
    'get /api/render/colorbar/{colormap_name}',
    'get /api/render/legend/{colormap}',
  ]) {
    assert.ok(documented.includes(operation), operation);
  }
});

test('wrong methods on colormaps get an Allow header with the right ones', async () => {
  const { call } = makeColors();
  const allowOf = async (path: string) => (await call(path, { method: 'PUT' })).headers.get('allow');
  assert.equal(await allowOf(`${COLORMAP}${PRESET}`), 'GET, HEAD, DELETE, OPTIONS');
  assert.equal(await allowOf(`${COLORMAP}all`), 'GET, HEAD, OPTIONS');
  assert.equal((await call(`${COLORMAP}all`, { method: 'DELETE' })).status, 405);
});

test('an invalid colormap is refused with an explanation, and not stored', async () => {
  const { post, stored } = makeColors();
  const black = '#000000';
  const wrong: [body: unknown, code: string, words: RegExp][] = [
    ['', 'no-body', /body/],
    ['{"colors": [', 'bad-json', /JSON/],
    ['{"colors": [[NaN, "#000000"], [1, "#000000"]]}', 'bad-json', /JSON/],
    ['{"colors": [[1e999, "#000000"], [1, "#000000"]]}', 'bad-colormap', /position of colour 1/],
    ['{"colors": [[0, "#000000"], [1, [Infinity, 0, 0]]]}', 'bad-json', /JSON/],
    [`{"colors": ${'['.repeat(40)}${']'.repeat(40)}}`, 'json-too-deep', /32/],
    [`{"colors": ["${black}", ${'['.repeat(25)}1${']'.repeat(25)}]}`, 'bad-colormap', /Colour 2/],
    [`{"__proto__": {"colors": ["${black}", "${black}"]}}`, 'bad-colormap', /"colors" must be a list/],
    [`{"colors": ["${black}", {"__proto__": ["#000000"], "length": 3}]}`, 'bad-colormap', /Colour 2/],
    ['null', 'bad-colormap', /JSON object/],
    ['"colors"', 'bad-colormap', /JSON object/],
    [[black, black], 'bad-colormap', /JSON object/],
    [{}, 'bad-colormap', /1 to 256/],
    [{ colors: 'viridis' }, 'bad-colormap', /1 to 256/],
    [{ colors: { 0: black, 1: black, length: 2 } }, 'bad-colormap', /1 to 256/],
    [{ colors: [] }, 'bad-colormap', /1 to 256/],
    [{ colors: Array(257).fill(black) }, 'bad-colormap', /1 to 256/],
    [{ colors: [black] }, 'bad-colormap', /two or more/],
    [{ colors: [black, 'red'] }, 'bad-colormap', /Colour 2/],
    [{ colors: [black, '#00000g'] }, 'bad-colormap', /Colour 2/],
    [{ colors: [black, null] }, 'bad-colormap', /Colour 2/],
    [{ colors: [black, [0, 0, 1.5]] }, 'bad-colormap', /Colour 2/],
    [{ colors: [black, ['0', '0', '1']] }, 'bad-colormap', /Colour 2/],
    [{ colors: [[0, black], black] }, 'bad-colormap', /all "colors" have positions or none/],
    [
      {
        colors: [
          [0, black],
          [0.7, black],
          [0.3, black],
          [1, black],
        ],
      },
      'bad-colormap',
      /not decrease/,
    ],
    [
      {
        colors: [
          [0.1, black],
          [1, black],
        ],
      },
      'bad-colormap',
      /begin with 0/,
    ],
    [{ colors: [black, black], thresholds_type: 'absolute' }, 'bad-colormap', /need positions/],
    [{ colors: [black, black], type: ['discrete'] }, 'bad-colormap', /"type"/],
    [{ colors: [black, black], type: 'constructor' }, 'bad-colormap', /"type"/],
    [{ colors: [black, black], thresholds_type: 1 }, 'bad-colormap', /"thresholds_type"/],
    [{ colors: [black, black], labels: ['a', 'b'] }, 'bad-colormap', /discrete colormaps only/],
    [{ colors: [black, black], type: 'discrete', labels: ['a'] }, 'bad-colormap', /as many texts/],
    [{ colors: [black, black], type: 'discrete', labels: ['a', 1] }, 'bad-colormap', /as many texts/],
    [{ colors: [black], type: 'discrete', labels: ['x'.repeat(201)] }, 'bad-colormap', /200 characters/],
  ];
  for (const [body, code, words] of wrong) {
    const response = await post(COLORMAP, body);
    const shown = JSON.stringify(body).slice(0, 80);
    assert.equal(response.status, 400, shown);
    const error = await readError(response);
    assert.equal(error.code, code, shown);
    assert.match(error.error, words);
  }
  assert.equal(stored.size, 0);
});

test('a body over 64 KiB is 413', async () => {
  const { post, stored, create } = makeColors();
  const body = JSON.stringify({ colors: ['#000000', '#ffffff'] });
  const large = await post(COLORMAP, body.padEnd(65_537));
  assert.equal(large.status, 413);
  assert.match((await readError(large)).error, /65536 bytes/);
  assert.equal(stored.size, 0);
  await create(body.padEnd(65_536));
});

test('read-only keys can read colormaps but not create them; requests without a key can do neither', async () => {
  const { call, create } = makeColors();
  const id = await create(discrete);
  const body = JSON.stringify(discrete);
  const refused = await call(COLORMAP, { method: 'POST', body, key: READER_KEY });
  assert.equal(refused.status, 403);
  assert.equal((await readError(refused)).code, 'role-needed');
  assert.equal((await call(COLORMAP, { method: 'POST', body, key: null })).status, 401);
  const reads = [`colormap/${id}`, 'colormap/all', 'colorbar/viridis', `legend/${id}`];
  for (const path of reads.map((end) => `/api/render/${end}`)) {
    assert.equal((await call(path, { key: READER_KEY })).status, 200, path);
    assert.equal((await call(path, { key: null })).status, 401, path);
    assert.equal((await call(path, { key: 'wrong' })).status, 403, path);
    assert.equal((await call(path, { method: 'PUT' })).status, 405, path);
  }
});

test('DELETE removes a colormap for its owner, and for everyone with the last owner', async () => {
  const { call, create, refuse } = makeColors();
  const id = await create(discrete);
  const remove = (name: string, key = TEST_KEY) => call(`${COLORMAP}${name}`, { method: 'DELETE', key });
  const codeOf = async (response: Response) => [response.status, (await readError(response)).code];
  assert.deepEqual(await codeOf(await remove(id, OTHER_KEY)), [404, 'unknown-colormap']);
  const posted = await call(COLORMAP, { method: 'POST', body: JSON.stringify(discrete), key: OTHER_KEY });
  assert.equal(posted.status, 200);
  for (const name of ['0'.repeat(32), `${id}_r`, 'viridis', 'x', '%00'])
    assert.deepEqual(await codeOf(await remove(name)), [404, 'unknown-colormap'], name);
  assert.deepEqual(await codeOf(await remove(id, READER_KEY)), [403, 'role-needed']);
  assert.deepEqual(await codeOf(await remove(PRESET)), [403, 'preset-colormap']);

  const removed = await remove(id);
  assert.deepEqual([removed.status, await removed.text()], [204, '']);
  assert.deepEqual(await codeOf(await remove(id)), [404, 'unknown-colormap']);
  assert.equal((await call(`${COLORMAP}${id}`)).status, 200, 'another key has it too');
  assert.equal((await remove(id, OTHER_KEY)).status, 204);
  await refuse(`${COLORMAP}${id}`, 404, 'unknown-colormap');
  await refuse(`/api/render/legend/${id}`, 404, 'unknown-colormap');
});

test('a key at its colormap limit gets 402', async () => {
  const { post, create } = makeColors({ maxPerOwner: 1 });
  await create(discrete);
  const refused = await post(COLORMAP, { colors: ['#000000', '#ffffff'] });
  assert.equal(refused.status, 402);
  assert.equal((await readError(refused)).code, 'too-many-colormaps');
});
