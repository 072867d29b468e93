import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LonLat, Ring } from '../geo/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { findOverlap, findPolygonFault } from './polygon-faults.ts';
import { turn } from './rings.ts';

/** A closed ring from "0 0, 1 0, 1 1". */
const ring = (text: string): Ring => {
  const open = text.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as LonLat);
  return [...open, open[0]!];
};
const square = ring('0 0, 10 0, 10 10, 0 10');

test('turn is exact even where rounding would give another sign', () => {
  const step = 2 ** -40;
  const [a, b]: LonLat[] = [
    [0, 0],
    [360, 360],
  ];
  assert.equal(turn(a!, b!, [123.25, 123.25]), 0);
  assert.ok(turn(a!, b!, [123.25, 123.25 + step]) > 0);
  assert.ok(turn(a!, b!, [123.25 + step, 123.25]) < 0);
  const steps = fc.integer({ min: -(2 ** 49), max: 2 ** 49 });
  fc.assert(
    fc.property(fc.tuple(steps, steps, steps, steps, steps, steps), fc.boolean(), (all, isNearlyStraight) => {
      const [ax, ay, bx, by] = all;
      // Near a third of the segment, one step off the line: there the sign is hardest to find.
      const third = (from: number, to: number) => Math.round(from + (to - from) / 3);
      const [cx, cy] = isNearlyStraight ? [third(ax, bx), third(ay, by)] : [all[4], all[5]];
      const exact =
        (BigInt(bx) - BigInt(ax)) * (BigInt(cy) - BigInt(ay)) -
        (BigInt(by) - BigInt(ay)) * (BigInt(cx) - BigInt(ax));
      const found = turn([ax * step, ay * step], [bx * step, by * step], [cx * step, cy * step]);
      assert.equal(Math.sign(found), exact > 0n ? 1 : exact < 0n ? -1 : 0);
    }),
    { numRuns: casesOf(2000) },
  );
});

const broken: readonly [rule: string, ...rings: Ring[]][] = [
  ['no-area', ring('0 0, 10 10, 5 5')],
  ['spike', ring('0 0, 10 0, 10 10, 10 5, 0 10')],
  ['self-crossing', ring('0 0, 10 10, 10 0, 0 10')],
  ['self-crossing', ring('0 0, 10 0, 2 8, 8 8')],
  ['self-touching', ring('0 0, 10 0, 5 5, 10 10, 0 10, 5 5')],
  ['self-touching', ring('0 0, 10 0, 10 10, 5 0, 0 10')],
  ['rings-cross', square, ring('5 5, 15 5, 15 6, 5 6')],
  ['rings-share-edge', square, ring('0 2, 0 4, 2 3')],
  ['rings-part-area', square, ring('0 5, 5 4, 10 5, 5 6')],
  ['rings-part-area', square, ring('0 5, 4 4, 5 5, 4 6'), ring('5 5, 6 4, 10 5, 6 6')],
  ['hole-outside', square, ring('11 1, 12 1, 12 2')],
  ['hole-outside', square, ring('-1 -1, 11 -1, 11 11, -1 11')],
  ['hole-outside', square, ring('10 5, 12 4, 12 6')],
  ['hole-in-hole', square, ring('1 1, 8 1, 8 8, 1 8'), ring('2 2, 3 2, 3 3')],
];

test('every broken ring rule is found and named', () => {
  for (const [rule, ...rings] of broken) {
    assert.equal(findPolygonFault(rings)?.rule, rule, JSON.stringify(rings));
    const backward = rings.map((positions) => positions.toReversed());
    assert.equal(findPolygonFault(backward)?.rule, rule, 'the other way round');
  }
});

test('a fault reports its position', () => {
  const fault = findPolygonFault([square, ring('1 1, 3 3, 3 1, 1 3')], 4);
  assert.deepEqual(fault, { rule: 'self-crossing', polygon: 4, ring: 1, at: [2, 2] });
});

test('holes may touch the outer ring or each other at a point, as long as the area stays whole', () => {
  assert.equal(findPolygonFault([square, ring('0 5, 5 4, 5 6')]), null);
  assert.equal(findPolygonFault([square, ring('0 0, 5 4, 4 5')]), null, 'at a corner');
  assert.equal(findPolygonFault([square, ring('1 1, 5 5, 1 5'), ring('5 5, 9 1, 9 9')]), null);
  assert.equal(
    findPolygonFault([square, ring('5 5, 4 9, 6 9'), ring('5 5, 1 4, 1 6'), ring('5 5, 9 4, 9 6')]),
    null,
    'three at one point',
  );
});

test('polygons may share corners and edges, but no ground', () => {
  const apart: readonly (readonly Ring[])[][] = [
    [[square], [ring('10 0, 20 0, 20 10, 10 10')]],
    [[square], [ring('10 2, 20 2, 20 8, 10 8')]],
    [[square], [ring('10 10, 20 10, 20 20')]],
    [[square], [ring('12 0, 20 0, 20 10')]],
    [[square, ring('2 2, 2 8, 8 8, 8 2')], [ring('2 2, 8 2, 8 8, 2 8')]],
    [[square, ring('2 2, 2 8, 8 8, 8 2')], [ring('3 3, 4 3, 4 4')]],
    [[square, ring('2 2, 2 8, 8 8, 8 2')], [ring('2 2, 8 4, 4 8')]],
  ];
  for (const polygons of apart) {
    assert.equal(findOverlap(polygons), null, JSON.stringify(polygons));
    assert.equal(findOverlap(polygons.toReversed()), null);
  }
  const over: readonly (readonly Ring[])[][] = [
    [[square], [square]],
    [[square], [ring('5 5, 15 5, 15 15')]],
    [[square], [ring('3 3, 4 3, 4 4')]],
    [[square], [ring('0 0, 10 0, 10 10')]],
    [[square], [ring('0 5, 5 2, 5 8')]],
    [[square], [ring('0 -5, 10 5, 0 15')]],
    [[square], [ring('10 5, 20 0, 20 10, 5 5')]],
    [[square, ring('2 2, 2 8, 8 8, 8 2')], [ring('1 1, 9 1, 9 9, 1 9')]],
  ];
  for (const polygons of over) {
    assert.equal(findOverlap(polygons)?.rule, 'polygons-overlap', JSON.stringify(polygons));
    assert.equal(findOverlap(polygons.toReversed())?.rule, 'polygons-overlap');
  }
});

test('10,000 positions are checked quickly, and a comb of needles is refused quickly', () => {
  const count = 9_999;
  const wavy = Array.from({ length: count }, (_, i): LonLat => {
    const angle = (2 * Math.PI * i) / count;
    const radius = 5 + Math.sin(angle * 97);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const snapped = wavy.map(
    ([lon, lat]): LonLat => [Math.round(lon * 2 ** 40) / 2 ** 40, Math.round(lat * 2 ** 40) / 2 ** 40],
  );
  const comb = Array.from(
    { length: count },
    (_, i): LonLat => [(i % 2) * 50 + i / 1000, (i % 2) * 50 - i / 1000],
  );
  const needles: Ring = [...comb, [-60, -60], comb[0]!];
  const startedAt = process.cpuUsage();
  assert.equal(findPolygonFault([[...snapped, snapped[0]!]]), null);
  assert.equal(findPolygonFault([needles])?.rule, 'too-intricate');
  const { user } = process.cpuUsage(startedAt);
  assert.ok(user < 2e6, `${user} µs`);
});
