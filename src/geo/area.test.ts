import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AreaGeometry, LonLat, Ring } from './area.ts';
import { areaContains, areaKm2, areasIntersect, geometryBounds, isPointInArea, relates } from './area.ts';

const box = (minX: number, minY: number, maxX: number, maxY: number): Ring => [
  [minX, minY],
  [maxX, minY],
  [maxX, maxY],
  [minX, maxY],
  [minX, minY],
];
const polygon = (...rings: Ring[]): AreaGeometry => ({ type: 'Polygon', coordinates: rings });
const many = (...parts: Ring[][]): AreaGeometry => ({ type: 'MultiPolygon', coordinates: parts });

/** A star-shaped ring without self-crossings around a centre. */
const anyStar = fc
  .record({
    lon: fc.double({ min: -20, max: 20, noNaN: true }),
    lat: fc.double({ min: -20, max: 20, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.5, max: 8, noNaN: true }), { minLength: 3, maxLength: 12 }),
  })
  .map(({ lon, lat, radii }) => {
    const at = (i: number, factor: number): LonLat => {
      const angle = (2 * Math.PI * (i % radii.length)) / radii.length;
      const radius = radii[i % radii.length]! * factor;
      return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
    };
    const ring = (factor: number): Ring => [...radii.keys(), 0].map((i) => at(i, factor));
    return { centre: [lon, lat] as LonLat, ring };
  });

test('a point on the edge or at a vertex is in the area, in a hole it is not', () => {
  const area = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));
  assert.ok(isPointInArea([0, 5], area));
  assert.ok(isPointInArea([10, 10], area));
  assert.ok(isPointInArea([4, 5], area), 'the edge of the hole belongs to the area');
  assert.ok(!isPointInArea([5, 5], area));
  assert.ok(!isPointInArea([10.000001, 5], area));
});

test('a ray through a vertex counts once', () => {
  const diamond = polygon([
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ]);
  assert.ok(isPointInArea([0, 0], diamond));
  assert.ok(!isPointInArea([-2, 0], diamond));
  assert.ok(!isPointInArea([-2, 1], diamond));
});

test('geometryBounds covers all parts', () => {
  const area = many([box(0, 0, 1, 1)], [box(5, -3, 6, 2)]);
  assert.deepEqual(geometryBounds(area), { west: 0, south: -3, east: 6, north: 2 });
  assert.deepEqual(geometryBounds({ type: 'Point', coordinates: [3, 4] }), {
    west: 3,
    south: 4,
    east: 3,
    north: 4,
  });
});

test('areas that only touch, cross without a vertex inside, or nest do intersect', () => {
  assert.ok(areasIntersect(polygon(box(0, 0, 1, 1)), polygon(box(1, 1, 2, 2))), 'corner to corner');
  assert.ok(areasIntersect(polygon(box(0, 0, 1, 1)), polygon(box(1, 0.2, 2, 0.8))), 'edge to edge');
  assert.ok(areasIntersect(polygon(box(0, 4, 10, 6)), polygon(box(4, 0, 6, 10))), 'a cross');
  assert.ok(areasIntersect(polygon(box(0, 0, 10, 10)), polygon(box(4, 4, 6, 6))), 'nested');
  assert.ok(areasIntersect(polygon(box(4, 4, 6, 6)), polygon(box(0, 0, 10, 10))), 'nested, the other way');
});

test('an area inside the hole of another does not intersect it', () => {
  const ring = polygon(box(0, 0, 10, 10), box(2, 2, 8, 8));
  assert.ok(!areasIntersect(ring, polygon(box(3, 3, 7, 7))));
  assert.ok(areasIntersect(ring, polygon(box(3, 3, 8, 7))), 'it touches the edge of the hole');
});

test('the second part of a MultiPolygon counts', () => {
  const scattered = many([box(0, 0, 1, 1)], [box(20, 20, 21, 21)]);
  assert.ok(areasIntersect(scattered, polygon(box(19, 19, 22, 22))));
  assert.ok(!areasIntersect(scattered, polygon(box(5, 5, 6, 6))));
});

test('a footprint touches, covers or lies inside the shape of a search, and never inside a point', () => {
  const [large, small] = [polygon(box(0, 0, 10, 10)), polygon(box(2, 2, 3, 3))];
  const answers = (['intersects', 'contains', 'within'] as const).map((relation) => [
    relates(large, small, relation),
    relates(small, large, relation),
    relates(large, polygon(box(10, 10, 12, 12)), relation),
    relates(large, { type: 'Point', coordinates: [5, 5] }, relation),
    relates(large, { type: 'Point', coordinates: [11, 5] }, relation),
  ]);
  assert.deepEqual(answers, [
    [true, true, true, true, false],
    [true, false, false, true, false],
    [false, true, false, false, false],
  ]);
});

test('areaContains allows shared edges, but not holes and gaps', () => {
  const outer = polygon(box(0, 0, 10, 10), box(4, 4, 6, 6));
  assert.ok(areaContains(outer, outer));
  assert.ok(areaContains(outer, polygon(box(0, 0, 4, 10))), 'touches outside and hole');
  assert.ok(!areaContains(outer, polygon(box(3, 3, 7, 7))), 'covers the hole');
  assert.ok(areaContains(outer, polygon(box(3, 3, 7, 7), box(4, 4, 6, 6))), 'has the same hole');
  assert.ok(areaContains(outer, polygon(box(3, 3, 7, 7), box(3.5, 3.5, 6.5, 6.5))), 'has a larger hole');
  assert.ok(!areaContains(outer, polygon(box(4.5, 4.5, 5.5, 5.5))), 'lies in the hole');
  assert.ok(!areaContains(outer, polygon(box(9, 9, 11, 11))), 'sticks out');
  assert.ok(!areaContains(outer, polygon(box(-1, -1, 11, 11))), 'is larger');
  assert.ok(!areaContains(outer, many([box(1, 1, 2, 2)], [box(20, 20, 21, 21)])), 'one part is elsewhere');
  assert.ok(areaContains(many([box(0, 0, 1, 1)], [box(5, 5, 9, 9)]), polygon(box(6, 6, 7, 7))));
});

test('areaContains sees a bay that enters between the vertices', () => {
  const bay = polygon([
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 1],
    [0, 10],
    [0, 0],
  ]);
  assert.ok(!areaContains(bay, polygon(box(0.2, 0.2, 9.8, 2))));
  assert.ok(areaContains(bay, polygon(box(0.2, 0.2, 9.8, 0.9))));
});

test('longitudes beyond 180 meet those on the other side of the antimeridian', () => {
  const fiji = polygon(box(177, -20, 183, -15));
  const split = many([box(177, -20, 180, -15)], [box(-180, -20, -177, -15)]);
  for (const area of [fiji, split]) {
    assert.ok(isPointInArea([-178, -17], area));
    assert.ok(isPointInArea([182, -17], area));
    assert.ok(!isPointInArea([-176, -17], area));
    assert.ok(areasIntersect(area, polygon(box(-179, -18, -178, -17))));
    assert.ok(!areasIntersect(area, polygon(box(-176, -18, -170, -17))));
  }
  assert.ok(areaContains(fiji, split));
  assert.ok(areaContains(split, fiji), 'the seam at 180 is ignored');
  assert.ok(areaContains(split, polygon(box(-179, -18, -178, -17))));
});

test('an area wider than a full turn still contains what is in it', () => {
  const belt = polygon(box(-190, -10, 190, 10));
  assert.ok(isPointInArea([-175, 0], belt));
  assert.ok(areaContains(belt, polygon(box(170, -5, 185, 5))));
});

test('a box wider than half the world is read as written', () => {
  const wide = polygon(box(-170, -10, 170, 10));
  assert.ok(isPointInArea([0, 0], wide));
  assert.ok(!isPointInArea([175, 0], wide));
  assert.ok(areaContains(polygon(box(-180, -90, 180, 90)), wide));
});

test('property: an area contains its shrunken self and not its grown self', () => {
  fc.assert(
    fc.property(anyStar, fc.double({ min: 0.1, max: 0.99, noNaN: true }), ({ centre, ring }, factor) => {
      const area = polygon(ring(1));
      assert.ok(isPointInArea(centre, area));
      assert.ok(areaContains(area, area));
      assert.ok(areaContains(area, polygon(ring(factor))));
      assert.ok(!areaContains(area, polygon(ring(1 / factor))));
    }),
  );
});

test('property: intersecting is symmetric and agrees with common points, containing implies intersecting', () => {
  const spread = [...Array(400).keys()];
  fc.assert(
    fc.property(anyStar, anyStar, (one, two) => {
      const [a, b] = [polygon(one.ring(1)), polygon(two.ring(1))];
      const answer = areasIntersect(a, b);
      assert.equal(areasIntersect(b, a), answer);
      if (areaContains(a, b)) assert.ok(answer);
      const { west, south, east, north } = geometryBounds(b);
      const points = spread.map(
        (i): LonLat => [
          west + ((i % 20) / 19) * (east - west),
          south + (Math.floor(i / 20) / 19) * (north - south),
        ],
      );
      const inB = points.filter((point) => isPointInArea(point, b));
      const inBoth = inB.filter((point) => isPointInArea(point, a));
      if (inBoth.length > 0) assert.ok(answer);
      if (inBoth.length < inB.length) assert.ok(!areaContains(a, b));
    }),
  );
});

test('property: answers do not change one full turn further east', () => {
  const turned = (area: AreaGeometry): AreaGeometry => ({
    type: 'MultiPolygon',
    coordinates: [
      (area.coordinates as Ring[]).map((ring) => ring.map(([lon, lat]): LonLat => [lon + 360, lat])),
    ],
  });
  fc.assert(
    fc.property(anyStar, anyStar, (one, two) => {
      const [a, b] = [polygon(one.ring(1)), polygon(two.ring(1))];
      assert.equal(areasIntersect(a, turned(b)), areasIntersect(a, b));
      assert.equal(areaContains(a, turned(b)), areaContains(a, b));
      assert.equal(isPointInArea(two.centre, turned(a)), isPointInArea(two.centre, a));
    }),
  );
});

test('the whole globe has the surface of WGS 84', () => {
  assert.ok(Math.abs(areaKm2(polygon(box(-180, -90, 180, 90))) - 510_065_621.724) < 0.01);
});

test('parts add up, holes are subtracted, direction does not matter', () => {
  const whole = areaKm2(polygon(box(10, 40, 12, 42)));
  const halves = areaKm2({
    type: 'MultiPolygon',
    coordinates: [[box(10, 40, 11, 42)], [box(11, 40, 12, 42)]],
  });
  assert.ok(Math.abs(whole - halves) < 1e-6);
  const holed = areaKm2(polygon(box(10, 40, 12, 42), box(11, 40, 12, 42).toReversed()));
  assert.ok(Math.abs(holed - whole / 2) < 1e-6);
  assert.equal(areaKm2(polygon(box(10, 40, 12, 42).toReversed())), whole);
});

test('a field of a hectare at 50 degrees north is measured to a square decimetre', () => {
  // A degree is 71,695.7 m by 111,229.0 m there (meridian and parallel of WGS 84).
  const [width, height] = [100 / 71_695.7, 100 / 111_229];
  const km2 = areaKm2(polygon(box(7, 50 - height / 2, 7 + width, 50 + height / 2)));
  assert.ok(Math.abs(km2 * 1e6 - 10_000) < 0.1, `${km2 * 1e6} m²`);
});
