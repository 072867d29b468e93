import assert from 'node:assert/strict';
import { test } from 'node:test';
import { widenHalves } from './half-float.ts';

test('every 16-bit float has the value that the standard gives it', () => {
  const all = Uint16Array.from({ length: 65_536 }, (_, i) => i);
  const wide = widenHalves(all);
  for (const half of all) {
    const sign = half < 32_768 ? 1 : -1;
    const exponent = (half >> 10) & 31;
    const fraction = (half & 1023) / 1024;
    const special = fraction === 0 ? sign * Infinity : Number.NaN;
    const value = exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
    assert.ok(Object.is(wide[half], exponent === 31 ? special : value), String(half));
  }
});
