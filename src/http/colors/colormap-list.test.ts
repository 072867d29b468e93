import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLORMAP, makeColors } from '../testing/make-colors.ts';

interface List<Shape> {
  readonly colormap_list: Shape;
}

test('the list of colormaps, with the word all in any case', async () => {
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

test('INCLUDE_TYPE of the list: an object of names and types', async () => {
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

test('TYPE of the list filters, also with INCLUDE_TYPE', async () => {
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
