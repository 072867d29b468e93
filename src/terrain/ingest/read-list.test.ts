import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveLine } from './read-list.ts';

const TILE = 'Copernicus_DSM_COG_10_N00_00_E006_00_DEM';

test('a tile is in a folder of its own name next to the list, any other name directly next to it', () => {
  const base = 'https://copernicus.example/v1/';
  assert.equal(resolveLine(TILE, `${base}tileList.txt`), `${base}${TILE}/${TILE}.tif`);
  assert.equal(resolveLine('a/b.tif', `${base}list.txt?x=1`), `${base}a/b.tif`);
  assert.equal(resolveLine(`${TILE}.tif`, `${base}list.txt`), `${base}${TILE}.tif`);
  assert.equal(resolveLine(TILE, 's3://heights/v1/tileList.txt'), `s3://heights/v1/${TILE}/${TILE}.tif`);
  assert.equal(resolveLine('b c.tif', 's3://heights/list.txt'), 's3://heights/b c.tif');
  assert.equal(resolveLine(TILE, '/mnt/dem/tileList.txt'), `/mnt/dem/${TILE}/${TILE}.tif`);
  assert.equal(resolveLine('sub/a.tif', '/mnt/dem/list.txt'), '/mnt/dem/sub/a.tif');
});

test('addresses are used unchanged', () => {
  for (const line of ['https://other.example/a.tif?x=1', 's3://bucket/a b.tif']) {
    assert.equal(resolveLine(line, '/mnt/list.txt'), line);
    assert.equal(resolveLine(line, 'https://host/list.txt'), line);
  }
  assert.equal(resolveLine('/data/a.tif', '/mnt/list.txt'), '/data/a.tif');
});

test('a remote list cannot name local files, and no list can name another scheme', () => {
  assert.equal(resolveLine('/etc/passwd', 's3://bucket/list.txt'), null);
  assert.equal(resolveLine('/etc/passwd', 'https://host/list.txt'), 'https://host/etc/passwd');
  for (const line of ['file:///etc/passwd', 'ftp://host/a.tif', 'gopher:x', 'data:text/plain,x']) {
    assert.equal(resolveLine(line, 'https://host/list.txt'), null, line);
    assert.equal(resolveLine(line, '/mnt/list.txt'), null, line);
  }
});
