import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addStop,
  addStopInGap,
  canRemove,
  colorStop,
  fromNamed,
  isPinned,
  moveStop,
  removeStop,
  setAbsolute,
  setDiscrete,
} from './draft.ts';

const named = {
  name: 'x',
  isDiscrete: false,
  colors: Array.from({ length: 17 }, (_, i) => `#0000${(i * 15).toString(16).padStart(2, '0')}`),
};
const three = fromNamed(
  { name: 'x', isDiscrete: false, colors: ['#000000', '#111111', '#808080', '#111111', '#ffffff'] },
  'mine',
);
const positions = ({ stops }: typeof three): readonly number[] => stops.map(({ position }) => position);

test('a named colormap to start from has half its colours, over the whole contrast', () => {
  const draft = fromNamed(named, 'mine');
  assert.deepEqual([draft.stops.length, positions(draft)[0], positions(draft).at(-1)], [9, 0, 1]);
  const classes = fromNamed({ name: 'x', isDiscrete: true, colors: ['#000000', '#ffffff'] }, 'mine');
  assert.deepEqual([classes.isDiscrete, positions(classes)], [true, [0, 0.5]]);
});

test('a stop moves between its neighbours; the ends of shares stay', () => {
  assert.deepEqual(positions(moveStop(three, 1, 0.73456)), [0, 0.735, 1]);
  assert.deepEqual(positions(moveStop(three, 1, 7)), [0, 1, 1]);
  assert.equal(moveStop(three, 0, 0.5), three);
  assert.equal(moveStop(three, 1, Number.NaN), three);
  assert.ok(isPinned(three, 0) && !isPinned(three, 1) && isPinned(three, 2));
  const values = setAbsolute(three, true, { min: 100, max: 300 });
  assert.deepEqual(positions(values), [100, 200, 300]);
  assert.deepEqual(positions(moveStop(values, 0, -12.34567)), [-12.35, 200, 300]);
});

test('a new stop has the colour at its position; the last two cannot be removed', () => {
  const { draft, index } = addStop(three, 0.25);
  assert.deepEqual([index, draft.stops[1]], [1, { position: 0.25, color: '#404040' }]);
  assert.equal(addStopInGap(three).index, 1);
  const two = removeStop(three, 0);
  assert.deepEqual(positions(two), [0, 1], 'the next one is the end now');
  assert.ok(!canRemove(two) && removeStop(two, 0) === two);
  assert.equal(colorStop(three, 1, '#abcdef').stops[1]?.color, '#abcdef');
  const full = Array.from({ length: 300 }).reduce<typeof three>((one) => addStopInGap(one).draft, three);
  assert.deepEqual([full.stops.length, addStop(full, 0.5).index], [255, -1]);
});

test('steps have room after the last colour; shares become values and back', () => {
  const steps = setDiscrete(three, true);
  assert.deepEqual(positions(steps), [0, 0.333, 0.667]);
  assert.deepEqual(positions(setDiscrete(steps, false)), [0, 0.5, 1]);
  const values = setAbsolute(steps, true, { min: -1, max: 2 });
  assert.deepEqual(positions(values), [-1, -0.001, 1.001]);
  assert.deepEqual(positions(setAbsolute(values, false, { min: -1, max: 2 })), [0, 0.333, 0.667]);
  assert.equal(setDiscrete(values, true), values);
});
