import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { makeArenaHandle, makeOpenSource, makeRangeMemory } from '../../sources/index.ts';
import { makeOpenFiles } from '../image-files.ts';
import { toPlainWindow, writePlainImage } from '../testing/plain-image.ts';
import { makeFetchAhead } from './make-fetch-ahead.ts';
import { makeSharedSources } from './shared-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'swath-ahead-'));
after(() => rmSync(folder, { recursive: true }));
const SIDE = 2048;
const MIB = 2 ** 20;
const { signal } = new AbortController();

before(async () => {
  await writePlainImage(folder, { side: SIDE, block: 512, valueAt: () => 7 });
});

/** All 16 blocks, 4 MiB. */
const whole = toPlainWindow('image.tif', { width: SIDE, height: SIDE });

function makeKit(isBusy: () => boolean = () => false, onRead: () => void = () => {}) {
  let useful = 0;
  const memory = makeRangeMemory(makeArenaHandle(32 * MIB), {
    onUseful: (bytes) => {
      useful += bytes;
    },
  });
  const open = makeOpenSource({ dataDir: folder });
  const openWatched: typeof open = async (...given) => {
    const source = await open(...given);
    const read: typeof source.read = (...range) => {
      onRead();
      return source.read(...range);
    };
    return { ...source, read };
  };
  const sources = makeSharedSources(openWatched, memory);
  const files = makeOpenFiles({
    open: (href, given) => sources.openKnown(href, null, given),
    jp2Decoder: makeJp2Decoder(),
  });
  const ahead = makeFetchAhead({ files, blocks: { has: () => false }, memory, sources, isBusy });
  return { ahead, memory, files, sources, useful: () => useful };
}

test('prefetch stays within a budget that grows with the bytes requested, and counts the bytes used', async () => {
  const { ahead, memory, files, useful } = makeKit();
  const first = await ahead.run([whole], signal);
  assert.ok(first > 1.7 * MIB && first <= 2 * MIB, `${first} bytes before anything was asked for`);
  assert.ok((await ahead.run([whole], signal)) < MIB / 4, 'nothing is read twice, nor without budget');
  ahead.earn(MIB);
  const more = await ahead.run([whole], signal);
  assert.ok(more > 0.7 * MIB && more <= 1.3 * MIB, `${more} bytes`);
  const { file } = await files.open(whole, signal);
  const [range] = file.storedRanges(0, { band: 0, column: 0, row: 0 });
  assert.ok(memory.find(range!.source, range!));
  assert.equal(useful(), range!.length);
});

test('prefetch reads nothing and spends nothing while a job waits for bytes', async () => {
  let isBusy = true;
  const { ahead, memory } = makeKit(() => isBusy);
  assert.equal(await ahead.run([whole], signal), 0);
  assert.equal(memory.usedBytes(), 0);
  isBusy = false;
  assert.ok((await ahead.run([whole], signal)) > 1.7 * MIB);
});

test('a range that is requested while it is prefetched is read once', async () => {
  let reads = 0;
  const { ahead, files, sources } = makeKit(
    () => false,
    () => {
      reads += 1;
    },
  );
  const { file } = await files.open(whole, signal);
  const [range] = file.storedRanges(0, { band: 0, column: 0, row: 0 });
  const only = { ...whole, read: { level: 0, window: { x: 0, y: 0, width: 1, height: 1 } } };
  reads = 0;
  const running = ahead.run([only], signal);
  let seen = 0;
  const asked = new Promise<void>((resolve) => {
    const wait = () => {
      if (reads === 0) setImmediate(wait);
      else resolve(sources.bring(range!.source, range!, ({ length }) => (seen += length), { signal }));
    };
    wait();
  });
  await asked;
  assert.ok((await running) >= range!.length);
  assert.equal(seen, 0, 'the first reader has stored it');
});

test('a failure ends the prefetch, and the bytes read before it count', async () => {
  let reads = 0;
  const { ahead, files } = makeKit(
    () => false,
    () => {
      reads += 1;
      if (reads > 3) throw new Error('the store is down');
    },
  );
  await files.open(whole, signal);
  reads = 0;
  const bytes = await ahead.run([whole], signal);
  assert.ok(bytes > 0 && bytes <= 3 * MIB);
  assert.ok(reads <= 3 + 4, `${reads} reads`);
});
