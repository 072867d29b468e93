import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from './shape.ts';
import { thinLine } from './thin-line.ts';

test('a short line stays unchanged', () => {
  const line: readonly Position[] = [
    [0, 0],
    [1, 1],
  ];
  assert.equal(thinLine(line, 100), line);
});

test('corners stay, positions on straight stretches are removed', () => {
  const line = Array.from({ length: 201 }, (_, i): Position => [i / 100, i <= 100 ? i / 100 : 2 - i / 100]);
  assert.deepEqual(thinLine(line, 3), [
    [0, 0],
    [1, 1],
    [2, 0],
  ]);
});

test('a track of thousands of positions is thinned to the requested number, ends included', () => {
  const track = Array.from({ length: 5000 }, (_, i): Position => [Math.cos(i / 700), Math.sin(i / 300)]);
  const thin = thinLine(track, 100);
  assert.equal(thin.length, 100);
  assert.equal(new Set(thin).size, 100);
  assert.deepEqual([thin[0], thin.at(-1)], [track[0], track.at(-1)]);
});
