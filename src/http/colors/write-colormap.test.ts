import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLORMAP, discrete, makeColors, PRESET } from '../testing/make-colors.ts';
import { OTHER_KEY, READER_KEY, readError, TEST_KEY } from '../testing/make-test-app.ts';

test('a body that is no colormap is refused, in words, and not stored', async () => {
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

test('reading keys read but do not create; requests without a key do neither', async () => {
  const { call, create } = makeColors();
  const id = await create(discrete);
  const body = JSON.stringify(discrete);
  const refused = await call(COLORMAP, { method: 'POST', body, key: READER_KEY });
  assert.equal(refused.status, 403);
  assert.equal((await readError(refused)).code, 'read-only-key');
  assert.equal((await call(COLORMAP, { method: 'POST', body, key: null })).status, 401);
  const reads = [`colormap/${id}`, 'colormap/all', 'colorbar/viridis', `legend/${id}`];
  for (const path of reads.map((end) => `/api/render/${end}`)) {
    assert.equal((await call(path, { key: READER_KEY })).status, 200, path);
    assert.equal((await call(path, { key: null })).status, 401, path);
    assert.equal((await call(path, { key: 'wrong' })).status, 403, path);
    assert.equal((await call(path, { method: 'PUT' })).status, 405, path);
  }
});

test('DELETE removes a colormap for its owner, and altogether with the last one', async () => {
  const { call, create, refuse } = makeColors();
  const id = await create(discrete);
  const remove = (name: string, key = TEST_KEY) => call(`${COLORMAP}${name}`, { method: 'DELETE', key });
  const codeOf = async (response: Response) => [response.status, (await readError(response)).code];
  assert.deepEqual(await codeOf(await remove(id, OTHER_KEY)), [404, 'unknown-colormap']);
  const posted = await call(COLORMAP, { method: 'POST', body: JSON.stringify(discrete), key: OTHER_KEY });
  assert.equal(posted.status, 200);
  for (const name of ['0'.repeat(32), `${id}_r`, 'viridis', 'x', '%00'])
    assert.deepEqual(await codeOf(await remove(name)), [404, 'unknown-colormap'], name);
  assert.deepEqual(await codeOf(await remove(id, READER_KEY)), [403, 'read-only-key']);
  assert.deepEqual(await codeOf(await remove(PRESET)), [403, 'preset-colormap']);

  const removed = await remove(id);
  assert.deepEqual([removed.status, await removed.text()], [204, '']);
  assert.deepEqual(await codeOf(await remove(id)), [404, 'unknown-colormap']);
  assert.equal((await call(`${COLORMAP}${id}`)).status, 200, 'another key has it too');
  assert.equal((await remove(id, OTHER_KEY)).status, 204);
  await refuse(`${COLORMAP}${id}`, 404, 'unknown-colormap');
  await refuse(`/api/render/legend/${id}`, 404, 'unknown-colormap');
});

test('a key that has as many colormaps as it may is told so with 402', async () => {
  const { post, create } = makeColors({ maxPerOwner: 1 });
  await create(discrete);
  const refused = await post(COLORMAP, { colors: ['#000000', '#ffffff'] });
  assert.equal(refused.status, 402);
  assert.equal((await readError(refused)).code, 'too-many-colormaps');
});
