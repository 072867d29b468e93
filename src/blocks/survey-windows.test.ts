import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
import type { WindowRequest } from './image-files.ts';
import { makeOpenFiles } from './image-files.ts';
import { makeReadTally, makeReadWindow } from './read-window.ts';
import { makeSurveyJobs } from './survey-windows.ts';
import { toPlainWindow, writePlainImage } from './testing/plain-image.ts';
import { readBandWindow } from './testing/window-assembly.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-survey-'));
after(() => rmSync(dataDir, { recursive: true }));
const [SIDE, BLOCK] = [256, 64];
const BLOCK_BYTES = BLOCK * BLOCK;

before(async () => {
  for (const name of ['image.tif', 'cut.tif'])
    await writePlainImage(dataDir, { name, side: SIDE, block: BLOCK });
  truncateSync(join(dataDir, 'cut.tif'), 20);
});

const toRequest = (href: string, width: number, more: Partial<WindowRequest> = {}): WindowRequest =>
  toPlainWindow(href, { width, height: 10 }, more);

function makeKit() {
  const tally = makeReadTally();
  const open = tally.countBytes(makeOpenSource({ dataDir }));
  const jp2Decoder = makeJp2Decoder();
  const blocks = joinBlockCache(makeBlockCache(2 ** 22).handle, 0);
  const files = makeOpenFiles({ open, jp2Decoder });
  const readWindow = makeReadWindow({ open, jp2Decoder, blocks, files, tally });
  const { signal } = new AbortController();
  const context = { signal, cancelled: () => false, report: () => {} };
  const handlers = makeSurveyJobs({ files, blocks });
  const survey = async (...windows: WindowRequest[]) => {
    const result = await handlers['survey-windows'](windows, context);
    assert.ok(Array.isArray(result));
    return result;
  };
  return { survey, tally, read: (request: WindowRequest) => readBandWindow(readWindow, request, signal) };
}

test('a survey counts blocks, their bytes and those that are decoded, without reading one', async () => {
  const { survey, tally, read } = makeKit();
  const request = toRequest('image.tif', 3 * BLOCK - 1);
  const expected = {
    format: 'tiff',
    levelSize: { width: SIDE, height: SIDE },
    blockSize: { width: BLOCK, height: BLOCK },
    blocks: 3,
    surveyedBlocks: 3,
    cachedBlocks: 0,
    storedBytes: 3 * BLOCK_BYTES,
    decodedBytes: 3 * BLOCK_BYTES,
    memoryBytes: 0,
    diskBytes: 0,
  };
  assert.deepEqual(await survey(request), [expected]);
  const header = tally.take();
  assert.deepEqual([header.decodedBlocks, header.cachedBlocks], [0, 0]);
  await read(toRequest('image.tif', 2 * BLOCK));
  assert.deepEqual(tally.take(), { decodedBlocks: 2, cachedBlocks: 0, readBytes: 2 * BLOCK_BYTES });
  assert.deepEqual(await survey(request), [
    { ...expected, cachedBlocks: 2, storedBytes: BLOCK_BYTES, decodedBytes: BLOCK_BYTES },
  ]);
  await read(request);
  assert.deepEqual(tally.take(), { decodedBlocks: 1, cachedBlocks: 2, readBytes: BLOCK_BYTES });
  assert.equal(tally.take().readBytes, 0);
});

test('an unreadable file is a problem of its window only', async () => {
  const { survey } = makeKit();
  const [good, gone, cut, wide] = await survey(
    toRequest('image.tif', 10),
    toRequest('gone.tif', 10),
    toRequest('cut.tif', 10),
    toRequest('image.tif', SIDE + 1),
  );
  assert.ok(good !== undefined && 'blocks' in good);
  assert.deepEqual(gone, {
    problem: { code: 'source-gone', message: 'A file of this scene cannot be opened.' },
  });
  assert.ok(cut !== undefined && 'problem' in cut);
  assert.ok(wide !== undefined && 'problem' in wide && wide.problem.code === 'source-differs');
});

test('a file in another state than planned is an error, so that its caller plans again', async () => {
  const { survey } = makeKit();
  await assert.rejects(survey(toRequest('image.tif', 10, { stamp: 'another' })), { code: 'source-changed' });
});
