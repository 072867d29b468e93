import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filterRootZone } from './exponential-filter.ts';

const { NaN: gap } = Number;

test('the worked example, with gaps of different lengths', () => {
  const surface: readonly (readonly [day: number, value: number])[] = [
    [0, 0.2],
    [1, 0.22],
    [2, 0.35],
    [3, 0.33],
    [5, 0.3],
    [8, 0.24],
    [9, 0.23],
    [15, 0.18],
  ];
  const wanted = [0.2, 0.2105, 0.261719, 0.281429, 0.286269, 0.274227, 0.264347, 0.239946];
  const days = new Float64Array(16).fill(gap);
  for (const [day, value] of surface) days[day] = value;
  const rootZone = filterRootZone(days);
  for (const [i, [day]] of surface.entries())
    assert.ok(Math.abs(rootZone[day]! - wanted[i]!) < 5e-7, `day ${day}: ${rootZone[day]}, not ${wanted[i]}`);
  for (const day of [4, 6, 7, 10, 14]) assert.equal(rootZone[day], gap);
});

test('it is the mean of all values before, weighted by their age', () => {
  const value = fc.oneof(fc.constant(gap), fc.double({ min: 0, max: 0.6, noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), (values) => {
      const filtered = filterRootZone(Float64Array.from(values));
      for (const [day, own] of values.entries()) {
        if (Number.isNaN(own)) continue;
        let [sum, weights] = [0, 0];
        for (let i = 0; i <= day; i++) {
          if (Number.isNaN(values[i]!)) continue;
          const weight = Math.exp(-(day - i) / 10);
          sum += weight * values[i]!;
          weights += weight;
        }
        assert.ok(Math.abs(filtered[day]! - sum / weights) < 1e-12);
      }
    }),
  );
});
