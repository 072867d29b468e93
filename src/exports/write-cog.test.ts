import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError, sourceBroken } from '../errors.ts';
import type { CogOptions, CogPart } from '../formats/cog/index.ts';
import { createCog, encodeCogPart, planCogParts } from '../formats/cog/index.ts';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { TopJobs, TopPixels } from './write-cog.ts';
import { makeEncodeTop, topJobs, writeCog } from './write-cog.ts';

const options: CogOptions = {
  width: 300,
  height: 200,
  bandCount: 1,
  type: 'float32',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: -9999,
  compression: 'steady-deflate',
  predictor: 3,
  blockSize: 16,
};
const cog = planCogParts(options, { partSize: 64 });
const valueAt = (x: number, y: number): number => Math.fround(Math.sin(x / 9) * y);

const encodePart = (part: CogPart, top: TopPixels) =>
  encodeCogPart(
    cog,
    part,
    {
      readWindow: ({ x, y, width, height }) => [
        new Float32Array(width * height).map((_, i) => valueAt(x + (i % width), y + Math.floor(i / width))),
      ],
      checkWanted() {},
    },
    top,
  );

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'export-test-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const encodeTop = makeEncodeTop(makeRunnerHere<TopJobs>(topJobs), cog, aTicket);

test('the file equals that of the sequential writer, and progress counts its blocks', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'parts.tif');
    const seen: number[] = [];
    let [running, most] = [0, 0];
    const result = await writeCog({
      path,
      cog,
      atOnce: 3,
      encodeTop,
      async encodePart(part, top) {
        most = Math.max(most, ++running);
        const blocks = await encodePart(part, top);
        running--;
        return blocks;
      },
      onProgress: (done) => seen.push(done),
    });
    const rows = await createCog(join(folder, 'rows.tif'), options);
    await rows.writeRows(
      [new Float32Array(300 * 200).map((_, i) => valueAt(i % 300, Math.floor(i / 300)))],
      200,
    );
    assert.deepEqual(await rows.finish(), result);
    assert.deepEqual(await readFile(path), await readFile(join(folder, 'rows.tif')));
    assert.equal(most, 3);
    assert.equal(seen.length, cog.parts.length + 1);
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      seen,
    );
    assert.equal(seen.at(-1), cog.blockCount);
  });
});

test('a part that fails stops the others and leaves nothing', async () => {
  await withFolder(async (folder) => {
    const begun: number[] = [];
    const broken = sourceBroken('bad-block', 'A block is damaged.');
    const writing = writeCog({
      path: join(folder, 'image.tif'),
      cog,
      atOnce: 2,
      encodeTop,
      async encodePart(part, _, signal) {
        begun.push(part.index);
        if (part.index === 3) throw broken;
        if (part.index < 3) return encodePart(part, null);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
      onProgress() {},
    });
    await assert.rejects(writing, broken);
    assert.ok(begun.length <= 5);
    assert.deepEqual(await readdir(folder), []);
  });
});

for (const stage of ['part', 'top'] as const) {
  test(`a caller that cancels during the ${stage} gets a cancellation, and nothing is left`, async () => {
    await withFolder(async (folder) => {
      const controller = new AbortController();
      const waitForAbort = (signal: AbortSignal): Promise<never> =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          controller.abort();
        });
      const writing = writeCog({
        path: join(folder, 'image.tif'),
        cog,
        signal: controller.signal,
        encodeTop: (_, signal) => waitForAbort(signal),
        encodePart: (part, top, signal) =>
          stage === 'part' && part.index === 4 ? waitForAbort(signal) : encodePart(part, top),
        onProgress() {},
      });
      await assert.rejects(writing, (error) => isSwathError(error) && error.tag === 'cancelled');
      assert.deepEqual(await readdir(folder), []);
    });
  });
}

test('a caller that has already cancelled gets no file', async () => {
  await withFolder(async (folder) => {
    const writing = writeCog({
      path: join(folder, 'image.tif'),
      cog,
      signal: AbortSignal.abort(),
      encodeTop,
      encodePart,
      onProgress() {},
    });
    await assert.rejects(writing, (error) => isSwathError(error) && error.tag === 'cancelled');
    assert.deepEqual(await readdir(folder), []);
  });
});
