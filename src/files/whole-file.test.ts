import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { writeChunks } from './whole-file.ts';

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chunks-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function* toChunks(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('chunks are written in order', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'file');
  assert.deepEqual(await writeChunks(path, toChunks(['one ', '', 'two'])), { size: 7 });
  assert.equal(await readFile(path, 'utf8'), 'one two');
  assert.deepEqual(await readdir(folder), ['file']);
});

test('a failing source leaves no file', async (t) => {
  const folder = await makeFolder(t);
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    throw new Error('no more');
  }
  await assert.rejects(writeChunks(join(folder, 'file'), failing()), { code: 'write-failed' });
  assert.deepEqual(await readdir(folder), []);
});

test('an abort ends the source and leaves no file', async (t) => {
  const folder = await makeFolder(t);
  const controller = new AbortController();
  let isEnded = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (let i = 0; ; i += 1) {
        if (i === 3) controller.abort();
        yield Buffer.from('more');
      }
    } finally {
      isEnded = true;
    }
  }
  const { signal } = controller;
  await assert.rejects(writeChunks(join(folder, 'file'), endless(), { signal }), { tag: 'cancelled' });
  assert.ok(isEnded);
  assert.deepEqual(await readdir(folder), []);
});
