import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withFolder, writeCogFile } from '../../../src/formats/cog/testing/write-cog.ts';
import { fingerprint } from './structure.ts';
import { toCasePixels, writerCases } from './writer-cases.ts';

/** Recorded by check-writer.ts, only after GDAL had read these very files back and found nothing wrong. */
const approved: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../golden/tiff/approved-writer.json', import.meta.url), 'utf8'),
);
const cases = writerCases();

test('every file of the matrix has been approved', () => {
  assert.equal(cases.length, 600);
  assert.deepEqual(
    Object.keys(approved),
    cases.map(({ name }) => name),
  );
});

const groups = Map.groupBy(cases, ({ name }) => name.split('-').slice(0, 3).join(' '));
for (const [group, members] of groups) {
  test(`${group}: ${members.length} files are the ones that GDAL approved`, async () => {
    await withFolder(async (folder) => {
      for (const { name, options } of members) {
        const path = join(folder, `${name}.tif`);
        await writeCogFile(path, options, toCasePixels(options));
        assert.equal(fingerprint(await readFile(path), options.compression), approved[name], name);
      }
    });
  });
}
