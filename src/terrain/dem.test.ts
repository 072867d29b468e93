import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDemName, toDemName } from './dem.ts';

test('a name is short, in lower case, and contains nothing that a path or a query would change', () => {
  for (const name of ['demo', 'copernicus-glo-30', '3dep_1m', 'a', 'x'.repeat(64)]) {
    assert.equal(parseDemName(name), name);
  }
  for (const name of ['', 'Demo', 'a b', '../x', '-x', '.x', 'x'.repeat(65), 'é', 'a/b']) {
    assert.throws(() => parseDemName(name), { code: 'usage' }, name);
  }
});

test('a folder or file gives a name, unless none of its characters are allowed', () => {
  assert.equal(toDemName('My DEMs (2024)'), 'my-dems-2024');
  assert.equal(toDemName('_Höhe_1m.'), 'h-he_1m');
  assert.equal(toDemName('日本'), null);
  const long = toDemName(`${'a'.repeat(63)} ${'b'.repeat(9)}`);
  assert.equal(long, 'a'.repeat(63));
  assert.equal(parseDemName(long!), long);
});
