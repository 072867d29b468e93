import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ReaderFacts } from './reader-facts.ts';
import { compareFacts } from './reader-facts.ts';

/** The subset of check-reader.ts that needs no GDAL: files and facts made by `make_reader_files.py --golden`. */
const folder = fileURLToPath(new URL('../../golden/tiff/reader/', import.meta.url));
const { facts }: { facts: ReaderFacts[] } = JSON.parse(readFileSync(`${folder}facts.json`, 'utf8'));

test('the golden set is there', () => {
  assert.ok(facts.length >= 60);
});

for (const expected of facts) {
  test(`${expected.name} reads as GDAL reads it`, async () => {
    assert.deepEqual(await compareFacts(expected, folder), []);
  });
}

test('the comparison can fail: other pixels, another georeference, another mask', async () => {
  const [first] = facts;
  const wrong: ReaderFacts = {
    ...first!,
    images: first!.images.map((image) => ({ ...image, sha256: '', mask: '' })),
    transform: [0, 1, 0, 0, 0, 1],
    epsg: 4326,
    nodata: 3,
  };
  assert.equal((await compareFacts(wrong, folder)).length, 5);
});
