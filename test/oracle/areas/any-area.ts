import fc from 'fast-check';

export type Corner = readonly [number, number];

const closed = (corners: readonly Corner[]): readonly Corner[] => [...corners, corners[0]!];

/** Rings of few positions, so that they often touch, cross, overlap and turn back; in whole degrees, which are exact. */
const anyCorner = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
const anyWildRing = fc.array(anyCorner, { minLength: 3, maxLength: 7 }).map(closed);

/** Boxes and diamonds, which are valid, so that holes and polygons meet in all ways. */
const anyTameRing = fc
  .tuple(anyCorner, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([[x, y], width, height, isBox]) =>
    closed(
      isBox
        ? [
            [x, y],
            [x + width, y],
            [x + width, y + height],
            [x, y + height],
          ]
        : [
            [x, y + height],
            [x + width, y],
            [x + 2 * width, y + height],
            [x + width, y + 2 * height],
          ],
    ),
  );

/** Many corners around a centre, some of them out of order. */
const anyRoundRing = fc
  .tuple(
    fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 30 }),
    fc.option(fc.tuple(fc.nat(29), fc.nat(29))),
  )
  .map(([radii, swap]) => {
    const corners = radii.map((radius, i): Corner => {
      const angle = (2 * Math.PI * i) / radii.length;
      const round = (value: number) => Math.round(value * 1024) / 1024;
      return [round(10 * radius * Math.cos(angle)), round(10 * radius * Math.sin(angle))];
    });
    if (swap !== null) {
      const [a, b] = swap.map((n) => n % corners.length) as [number, number];
      [corners[a], corners[b]] = [corners[b]!, corners[a]!];
    }
    return closed(corners);
  });

const anyPolygon = fc.oneof(
  fc.array(anyWildRing, { minLength: 1, maxLength: 2 }),
  fc.tuple(
    fc.constant(
      closed([
        [-1, -1],
        [14, -1],
        [14, 14],
        [-1, 14],
      ]),
    ),
    anyWildRing,
    anyTameRing,
  ),
  fc.array(anyTameRing, { minLength: 1, maxLength: 3 }),
  fc.tuple(anyRoundRing),
  fc.tuple(
    fc.constant(
      closed([
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
      ]),
    ),
    anyTameRing,
    anyTameRing,
    anyTameRing,
  ),
);

/** A geometry that may break any rule of rings. */
export const anyGeometry = fc.oneof(
  { weight: 4, arbitrary: anyPolygon.map((coordinates) => ({ type: 'Polygon' as const, coordinates })) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(anyTameRing), { minLength: 2, maxLength: 4 })
      .map((coordinates) => ({ type: 'MultiPolygon' as const, coordinates })),
  },
);

/** A valid star with a hole, as rings around a position; radii in degrees. */
export const anyStar = (lon: number, lat: number, radiusDeg: number) =>
  fc
    .tuple(
      fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 60 }),
      fc.boolean(),
    )
    .map(([radii, hasHole]) => {
      const ring = (factor: number) =>
        closed(
          radii.map((radius, i): Corner => {
            const angle = (2 * Math.PI * i) / radii.length;
            const far = radiusDeg * radius * factor;
            return [lon + far * Math.cos(angle), lat + far * Math.sin(angle)];
          }),
        );
      return { type: 'Polygon' as const, coordinates: hasHole ? [ring(1), ring(0.5)] : [ring(1)] };
    });
