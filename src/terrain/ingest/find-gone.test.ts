import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDemFile } from '../testing/fake-dem-store.ts';
import { findGone } from './ingest-dem.ts';

const goneOf = (known: readonly string[], found: readonly string[], scope: Parameters<typeof findGone>[2]) =>
  findGone(
    known.map((href) => makeDemFile('alps', 7, 46, { href })),
    new Set(found),
    scope,
  ).map(({ href }) => href);

test('files below the source that were not found count as removed; files from elsewhere do not', () => {
  const known = ['/mnt/a/1.tif', '/mnt/a/2.tif', '/mnt/ab/3.tif', 'demo/4.tif', 'https://h/5.tif'];
  assert.deepEqual(goneOf(known, ['/mnt/a/1.tif'], { below: '/mnt/a/' }), ['/mnt/a/2.tif']);
  assert.deepEqual(goneOf(known, [], { below: '' }), ['demo/4.tif'], 'the data directory');
  assert.deepEqual(goneOf(known, ['/mnt/a/1.tif'], 'none'), []);
});

test('for a list, removed files are those in the common folder of its files', () => {
  const known = ['https://h/a/1.tif', 'https://h/a/2.tif', 'https://h/b/3.tif', 'https://i/4.tif'];
  const found = ['https://h/a/1.tif', 'https://h/a/x/9.tif'];
  assert.deepEqual(goneOf(known, found, 'common-folder'), ['https://h/a/2.tif']);
  assert.deepEqual(goneOf(known, ['https://h/a/1.tif', 'https://i/4.tif'], 'common-folder'), []);
  assert.deepEqual(goneOf(known, [], 'common-folder'), []);
});
