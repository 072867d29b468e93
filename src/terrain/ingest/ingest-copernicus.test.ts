import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ingestDem } from './ingest-dem.ts';
import type { DemFolder } from './testing/make-dem-folder.ts';
import { withDemFolder } from './testing/make-dem-folder.ts';

const name = (cell: string, spacing = 10) => `Copernicus_DSM_COG_${spacing}_${cell}_DEM`;
const [A, B, C] = ['N00_00_E006_00', 'N00_00_E009_00', 'S01_00_W180_00'].map((cell) => name(cell)) as [
  string,
  string,
  string,
];

/** Writes tiles as the bucket of Amazon has them. */
async function writeTiles({ writeDem }: DemFolder, names: readonly string[]): Promise<void> {
  for (const tile of names) await writeDem(`${tile}/${tile}.tif`, { type: 'float32' });
}

test('tiles have the name of their product and the attribution of its licence', () =>
  withDemFolder(async (folder) => {
    const { store, options, writeDem } = folder;
    await writeTiles(folder, [A, B]);
    await writeDem(`${A}/AUXFILES/${A.replace('DEM', 'WBM')}.tif`, { type: 'uint8' });
    await writeDem(`${B}/AUXFILES/${B.replace('DEM', 'EDM')}.tif`, { type: 'uint8' });
    const report = await ingestDem(options({ name: null }));
    assert.equal(report.dem, 'copernicus-glo-30');
    assert.deepEqual(report.totals, { ingested: 2, unchanged: 0, skipped: 2, broken: 0, gone: 0, pruned: 0 });
    const skipped = report.files.find(({ outcome }) => outcome === 'skipped');
    assert.deepEqual([skipped?.code, skipped?.files], ['not-heights', 2]);
    const dem = store.dems.get('copernicus-glo-30');
    assert.equal(
      dem?.attribution,
      '© DLR e.V. 2010-2014 and © Airbus Defence and Space GmbH 2014-2018 provided under COPERNICUS by the European Union and ESA; all rights reserved',
    );
    await ingestDem(options({ name: null, attribution: null }));
    assert.equal(store.dems.get('copernicus-glo-30')?.attribution, null);
  }));

test('GLO-90 has its own name; both products together, or with other files, have the name of the folder', () =>
  withDemFolder(async (folder) => {
    const { root, options, writeDem } = folder;
    const coarse = name('N00_00_E006_00', 30);
    await writeDem(`mine/${coarse}.tif`);
    const from = join(root, 'mine');
    assert.equal((await ingestDem(options({ from, name: null }))).dem, 'copernicus-glo-90');
    await writeDem(`mine/${A}.tif`);
    assert.equal((await ingestDem(options({ from, name: null }))).dem, 'mine');
  }));

test('a few tiles do not make gaps sea, and the report says how to declare it', () =>
  withDemFolder(async (folder) => {
    const { store, options } = folder;
    await writeTiles(folder, [A, B]);
    const report = await ingestDem(options());
    assert.equal(store.dems.get('alps')?.gaps, 'unknown');
    assert.match(report.notes.join(), /--gaps sea/);
    const stated = await ingestDem(options({ gaps: 'sea' }));
    assert.deepEqual([store.dems.get('alps')?.gaps, stated.notes], ['sea', []]);
    const again = await ingestDem(options());
    assert.deepEqual([store.dems.get('alps')?.gaps, again.notes], ['sea', []], 'what was said stays');
  }));

test('the list of the set makes its gaps sea, unless a tile of it is missing or broken', () =>
  withDemFolder(async (folder) => {
    const { root, store, options, write } = folder;
    await writeTiles(folder, [A, B]);
    await write('tileList.txt', `${A}\r\n${B}\r\n${C}\r\n`);
    const missing = await ingestDem(options());
    assert.equal(store.dems.get('alps')?.gaps, 'unknown');
    assert.match(missing.notes.join(), /1 of 3 tiles of tileList\.txt/);
    await write(`${C}/${C}.tif`, 'cut off');
    await ingestDem(options());
    assert.equal(store.dems.get('alps')?.gaps, 'unknown', 'there, but broken');
    await writeTiles(folder, [C]);
    const whole = await ingestDem(options());
    assert.deepEqual([store.dems.get('alps')?.gaps, whole.notes], ['sea', []]);
    // A list that lies deeper is not that of the set.
    await rm(join(root, 'tileList.txt'));
    await write('old/tileList.txt', A);
    await ingestDem(options({ name: 'other' }));
    assert.equal(store.dems.get('other')?.gaps, 'unknown');
  }));

test('the list of the set is a source itself', () =>
  withDemFolder(async (folder) => {
    const { root, store, options, write } = folder;
    await writeTiles(folder, [A, B]);
    await write('tileList.txt', `# all\n${A}\n\n${B}\n${A}\n`);
    const report = await ingestDem(options({ from: join(root, 'tileList.txt'), name: null }));
    assert.deepEqual([report.dem, store.dems.get('copernicus-glo-30')?.gaps], ['copernicus-glo-30', 'sea']);
    assert.deepEqual([report.totals.ingested, report.totals.skipped], [2, 1]);
    await write('some.txt', `${A}\n${B}\n`);
    await ingestDem(options({ from: join(root, 'some.txt'), name: 'other' }));
    assert.equal(store.dems.get('other')?.gaps, 'unknown', 'a list of any tiles');
    await write('tileList.txt', `${A}\n${B}\n${C}\n`);
    const more = await ingestDem(options({ from: join(root, 'tileList.txt'), name: null }));
    assert.deepEqual(
      [more.totals.broken, more.files.find(({ file }) => file === C)?.code],
      [1, 'source-gone'],
    );
    assert.equal(store.dems.get('copernicus-glo-30')?.gaps, 'unknown', 'it is no longer known to be whole');
  }));

test('gaps can be declared sea despite broken files, and the report says what it means', () =>
  withDemFolder(async (folder) => {
    const { store, options, write } = folder;
    await writeTiles(folder, [A]);
    await write(`${B}.tif`, 'cut off');
    const report = await ingestDem(options({ gaps: 'sea' }));
    assert.equal(store.dems.get('alps')?.gaps, 'sea');
    assert.match(report.notes.join(), /1 file could not be read.*sea/);
  }));
