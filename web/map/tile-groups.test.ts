import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTileGroups } from './tile-groups.ts';

const makeTiles = (mayGroup: () => boolean) => {
  const inGroups = makeTileGroups(mayGroup);
  const come: string[] = [];
  const ask = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = inGroups(() => promise).then(
      (tile) => void come.push(tile),
      () => void come.push(`no ${name}`),
    );
    return { answer: () => resolve(name), fail: () => reject(new Error(name)), done };
  };
  return { ask, come };
};
const aMoment = () => new Promise<void>((resolve) => setImmediate(resolve));

test('tiles appear together with the last one in flight', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, come } = makeTiles(() => true);
  const [first, second, third] = [ask('a'), ask('b'), ask('c')];
  first.answer();
  second.fail();
  await aMoment();
  assert.deepEqual(come, []);
  third.answer();
  await Promise.all([first.done, second.done, third.done]);
  assert.deepEqual(come.toSorted(), ['a', 'c', 'no b']);
});

test('a tile does not wait long for slower ones', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, come } = makeTiles(() => true);
  const [first, slow] = [ask('a'), ask('b')];
  first.answer();
  await aMoment();
  assert.deepEqual(come, []);
  mock.timers.tick(100);
  await first.done;
  assert.deepEqual(come, ['a']);
  slow.answer();
  await slow.done;
  assert.deepEqual(come, ['a', 'b']);
});

test('tiles appear one by one while the map moves, together with those that waited', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let isMoving = false;
  const { ask, come } = makeTiles(() => !isMoving);
  const [first, second, third] = [ask('a'), ask('b'), ask('c')];
  first.answer();
  await aMoment();
  isMoving = true;
  second.answer();
  await Promise.all([first.done, second.done]);
  assert.deepEqual(come.toSorted(), ['a', 'b']);
  third.answer();
  await third.done;
});
