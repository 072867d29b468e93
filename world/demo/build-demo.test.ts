import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { isSwathError } from '../../src/errors.ts';
import { buildDemo } from './build-demo.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'swath-build-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const parts = ['a', 'b', 'c', 'd'].map((key) => ({ key, cost: 1 }));

/** Runs a build that notes what it does; `make` may be replaced to make it fail. */
async function build(options: Partial<Parameters<typeof buildDemo>[0]> = {}) {
  const made: string[] = [];
  const taken: string[] = [];
  const fractions: number[] = [];
  const ended = await buildDemo({
    directory,
    parts,
    async make({ key }, folder) {
      made.push(key);
      assert.deepEqual(readdirSync(folder), []);
      writeFileSync(join(folder, 'file'), key);
    },
    async take({ key }, folder) {
      assert.ok(existsSync(join(folder, 'file')));
      taken.push(key);
    },
    atOnce: 2,
    onProgress: (fraction) => fractions.push(fraction),
    signal: new AbortController().signal,
    ...options,
  }).then(
    () => null,
    (error: unknown) => error,
  );
  return { made, taken, fractions, ended };
}

test('every part is made once, stored and counted', async () => {
  const { made, taken, fractions, ended } = await build();
  assert.equal(ended, null);
  assert.deepEqual(
    [made.sort(), taken.sort()],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
  );
  assert.deepEqual(fractions, [0.25, 0.5, 0.75, 1]);
  assert.deepEqual(readdirSync(directory).sort(), ['a', 'b', 'c', 'd']);
});

test('a second run makes nothing and reuses everything', async () => {
  await build();
  const { made, taken } = await build();
  assert.deepEqual([made, taken.sort()], [[], ['a', 'b', 'c', 'd']]);
});

test('parts that a killed run left unfinished are made again', async () => {
  mkdirSync(join(directory, '.making-b'));
  writeFileSync(join(directory, '.making-b', 'half'), 'x');
  const { made } = await build();
  assert.ok(made.includes('b'));
  assert.deepEqual(readdirSync(directory).sort(), ['a', 'b', 'c', 'd']);
});

test('a part that cannot be made ends the build and gets no folder', async () => {
  const failure = new Error('the disk is full');
  const { ended } = await build({
    async make({ key }, folder) {
      if (key === 'c') throw failure;
      writeFileSync(join(folder, 'file'), key);
    },
  });
  assert.equal(ended, failure);
  assert.ok(!existsSync(join(directory, 'c')));
  assert.ok(existsSync(join(directory, 'a')));
});

test('a stop takes effect between parts', async () => {
  const stopping = new AbortController();
  const { ended } = await build({
    signal: stopping.signal,
    atOnce: 1,
    async take({ key }) {
      if (key === 'b') stopping.abort();
    },
  });
  assert.ok(isSwathError(ended) && ended.tag === 'cancelled');
  assert.deepEqual(readdirSync(directory).sort(), ['a', 'b']);
});
