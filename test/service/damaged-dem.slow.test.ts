import assert from 'node:assert/strict';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeDem } from '../../src/terrain/ingest/testing/make-dem-folder.ts';
import { ONE_THREAD, runSwath } from '../support/start-swath.ts';

/** Writes files of a degree each; more than sixteen of them need overview mosaics. */
async function writeModel(folder: string, count: number): Promise<void> {
  const more = { compression: 'deflate', blockSize: 64 } as const;
  for (let i = 0; i < count; i++)
    await writeDem(join(folder, `tile-${i}.tif`), { west: i, width: 128, height: 128, more });
}

/** Overwrites a part of the last block. */
async function damage(path: string): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(16, 0xff), 0, 16, size - 40);
  await file.close();
}

async function withModel(
  count: number,
  use: (folder: string, ingest: (...options: string[]) => ReturnType<typeof runSwath>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-damaged-dem-'));
  try {
    const env = { SWATH_DATA: join(folder, 'data'), SWATH_SOURCES: folder, ...ONE_THREAD };
    await writeModel(join(folder, 'alps'), count);
    await use(join(folder, 'alps'), (...options) =>
      runSwath(['ingest', 'dem', join(folder, 'alps'), ...options], env),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('if one of two files is damaged it is named, the other is ingested, and a run after its repair is complete', () =>
  withModel(2, async (folder, ingest) => {
    await damage(join(folder, 'tile-1.tif'));
    const { status, stdout, stderr } = await ingest();
    assert.equal(status, 1);
    assert.match(stdout, /1 added, .*1 broken\./);
    assert.match(stderr, /broken tile-1\.tif: A block of the image is damaged/);
    await writeModel(folder, 2);
    const again = await ingest();
    assert.deepEqual([again.status, again.stderr], [0, '']);
    assert.match(again.stdout, /1 added, 1 replaced, 0 unchanged\./);
  }));

test('damage that only the overview mosaics find is named, and the other files get their mosaics', () =>
  withModel(20, async (folder, ingest) => {
    await damage(join(folder, 'tile-7.tif'));
    const { status, stdout, stderr } = await ingest('--no-check', '--json');
    assert.deepEqual([status, stderr], [1, '']);
    const report = JSON.parse(stdout);
    assert.deepEqual([report.totals.ingested, report.totals.broken, report.failure], [19, 1, null]);
    const list = await runSwath(['dem', 'list', '--json'], { SWATH_DATA: join(folder, '../data') });
    const [model] = JSON.parse(list.stdout);
    assert.equal(model.fileCount, 19);
    assert.ok(model.overviews.length >= 1);
  }));
