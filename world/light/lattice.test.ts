import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLattice, readLattice } from './lattice.ts';

const box = { minX: 1000, minY: -500, maxX: 3000, maxY: 700 };

test('a lattice reproduces a plane exactly, inside its box', () => {
  const lattice = makeLattice(box, 250, (x, y) => x / 8 - y / 4);
  for (const [x, y] of [
    [1000, -500],
    [3000, 700],
    [1234.5, 321],
    [2999, -499],
  ] as const) {
    assert.ok(Math.abs(readLattice(lattice, x, y) - (x / 8 - y / 4)) < 1e-3, `${x}, ${y}`);
  }
});

test('lattices of overlapping boxes agree', () => {
  const bumpy = (x: number, y: number): number => ((x * 7) % 13) + ((y * 3) % 11);
  const first = makeLattice(box, 60, bumpy);
  const second = makeLattice({ minX: 1777, minY: 11, maxX: 4000, maxY: 900 }, 60, bumpy);
  assert.equal(readLattice(first, 2012, 333), readLattice(second, 2012, 333));
});

test('a lattice that would not fit is refused', () => {
  const huge = { minX: 0, minY: 0, maxX: 1e6, maxY: 1e6 };
  assert.throws(() => makeLattice(huge, 1, () => 0), { code: 'lattice-too-large' });
  assert.throws(() => makeLattice({ ...box, maxX: Number.NaN }, 60, () => 0), { code: 'lattice-too-large' });
});
