import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { afterTiles } from './after-tiles.ts';

/** A thumbnail that waits for a map, and what came of it. */
function startWaiting(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { promise, resolve: draw } = Promise.withResolvers<void>();
  const controller = new AbortController();
  let state = 'waits';
  afterTiles(() => promise, controller.signal).then(
    () => {
      state = 'goes on';
    },
    () => {
      state = 'is not wanted';
    },
  );
  return { draw, leave: () => controller.abort(), readState: () => state };
}

/** Lets everything happen that waits for nothing. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a thumbnail waits until the map has drawn what it was told to', async (t) => {
  const { draw, readState } = startWaiting(t);
  await settle();
  assert.equal(readState(), 'waits');
  draw();
  await settle();
  assert.equal(readState(), 'goes on');
});

test('a tile that hangs does not keep thumbnails away', async (t) => {
  const { readState } = startWaiting(t);
  t.mock.timers.tick(1999);
  await settle();
  assert.equal(readState(), 'waits');
  t.mock.timers.tick(1);
  await settle();
  assert.equal(readState(), 'goes on');
});

test('a card that leaves the view while the map draws asks for nothing', async (t) => {
  const { draw, leave, readState } = startWaiting(t);
  leave();
  draw();
  await settle();
  assert.equal(readState(), 'is not wanted');
});
