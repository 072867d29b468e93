import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nodeFiles } from '../files/index.ts';
import { makeStaging } from './staging.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-staging-'));
after(() => rmSync(scratch, { recursive: true }));

/** A process that stages, and another one that sweeps; time is the test's. */
function makeTwo(name: string) {
  const folder = join(scratch, name);
  const clock = { nowMs: 0 };
  const beats = new Set<() => void>();
  const touched: Promise<void>[] = [];
  const files: typeof nodeFiles = {
    ...nodeFiles,
    touch: (path) => {
      const done = nodeFiles.touch(path);
      touched.push(done);
      return done;
    },
  };
  const worker = makeStaging({
    folder,
    files,
    repeat: (work) => {
      beats.add(work);
      return () => void beats.delete(work);
    },
  });
  const sweeper = makeStaging({ folder, files: nodeFiles, nowMs: () => clock.nowMs });
  const beat = async () => {
    for (const work of beats) work();
    await Promise.all(touched.splice(0));
  };
  return { worker, sweeper, clock, beats, beat };
}

test('the sweeper removes a folder that it has seen unchanged for the given time', async () => {
  const { worker, sweeper, clock, beat } = makeTwo('watched');
  const { path } = await worker.open();
  assert.equal(await sweeper.sweep(60_000), 0);
  clock.nowMs = 59_999;
  await beat();
  assert.equal(await sweeper.sweep(60_000), 0, 'it has shown a sign of life');
  clock.nowMs = 119_998;
  assert.equal(await sweeper.sweep(60_000), 0);
  clock.nowMs = 119_999;
  assert.equal(await sweeper.sweep(60_000), 1);
  assert.ok(!existsSync(path));
});

test('a clock that is set an hour forward or back removes nothing', async () => {
  const { worker, sweeper, clock } = makeTwo('clocks');
  const { path } = await worker.open();
  for (const aheadS of [3_600, -3_600, 86_400 * 365]) {
    const seconds = Date.now() / 1000 + aheadS;
    utimesSync(path, seconds, seconds);
    clock.nowMs += 59_000;
    assert.equal(await sweeper.sweep(60_000), 0);
  }
  assert.ok(existsSync(path));
});

test('a removed folder gets no further signs of life', async () => {
  const { worker, beats } = makeTwo('removed');
  const folder = await worker.open();
  assert.equal(beats.size, 1);
  await folder.remove();
  assert.equal(beats.size, 0);
  assert.ok(!existsSync(folder.path));
});

test('without any folder there is nothing to sweep', async () => {
  assert.equal(await makeTwo('absent').sweeper.sweep(0), 0);
});
