import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken } from '../../errors.ts';
import type { DemFile } from '../dem.ts';
import { makeDemFile } from '../testing/fake-dem-store.ts';
import { makeDemWatch } from './find-models.ts';

function makeWorld() {
  const world = {
    nowMs: 0,
    stamps: new Map([['a.tif', 'old']]),
    looks: 0,
    stored: [] as DemFile[],
    failures: 0,
    renewed: 0,
    readAgain: async (file: DemFile): Promise<DemFile> => ({
      ...file,
      stamps: [world.stamps.get(file.href) ?? ''],
    }),
  };
  const watch = makeDemWatch({
    store: { putFiles: async (files) => void world.stored.push(...files) },
    readStamp: async (href) => {
      world.looks += 1;
      return world.stamps.get(href) ?? null;
    },
    readAgain: (file) => world.readAgain(file),
    nowMs: () => world.nowMs,
    onRenewed: () => {
      world.renewed += 1;
    },
    onFailure: () => {
      world.failures += 1;
    },
  });
  return { world, watch };
}

const file = makeDemFile('alps', 7, 46, { href: 'a.tif', stamps: ['old'] });

test('a file is checked at most every five seconds, and its record is renewed when it was replaced', async () => {
  const { world, watch } = makeWorld();
  assert.equal(await watch.check([file]), false);
  world.stamps.set('a.tif', 'new');
  assert.equal(await watch.check([file]), false, 'not yet checked again');
  assert.equal(world.looks, 1);
  world.nowMs = 5_000;
  assert.equal(await watch.check([file]), true);
  assert.deepEqual(world.stored, [{ ...file, stamps: ['new'] }]);
  assert.equal(world.renewed, 1);
});

test('if a thread finds another file, its record is renewed at once', async () => {
  const { world, watch } = makeWorld();
  await watch.renew([file]);
  assert.deepEqual(world.stored, [], 'it has not changed');
  world.stamps.set('a.tif', 'new');
  await watch.renew([file]);
  assert.equal(world.stored.length, 1);
});

test('remote files and pyramids are not checked here', async () => {
  const { world, watch } = makeWorld();
  const remote = makeDemFile('alps', 8, 46, { href: 'https://host/a.tif', stamps: ['old'] });
  const pyramid = makeDemFile('alps', 9, 46, { href: 'p/{z}/{x}/{y}.png', stamps: [] });
  assert.equal(await watch.check([remote, pyramid]), false);
  assert.equal(world.looks, 1);
});

test('a file that is no longer an image of heights is reported, and the record stays', async () => {
  const { world, watch } = makeWorld();
  world.stamps.set('a.tif', 'new');
  world.readAgain = async () => {
    throw sourceBroken('not-a-tiff', 'It is not a TIFF.');
  };
  assert.equal(await watch.check([file]), false);
  assert.deepEqual([world.failures, world.stored.length], [1, 0]);
});
