import fc from 'fast-check';

const ODD_NUMBERS = [0, -0, 180, -180, 181, 90, -90, 91, 1e308, 1e-300, 360];
const anyNumber = fc.oneof(
  { arbitrary: fc.double({ min: -180, max: 180, noNaN: true }), weight: 3 },
  { arbitrary: fc.integer({ min: -90, max: 90 }), weight: 3 },
  { arbitrary: fc.constantFrom(...ODD_NUMBERS), weight: 1 },
);
const anyJunk = fc.constantFrom<unknown[]>(null, '', 'x', [], {}, true, 1, [[]], [null], { type: 'Feature' });

/** A text of JSON, or nearly so. */
const toText = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: value.map((content) => JSON.stringify(content) ?? 'null'), weight: 12 },
    { arbitrary: anyJunk.map((content) => JSON.stringify(content)), weight: 1 },
    { arbitrary: fc.constantFrom('', '{', '[1,]', '\ufeff{}', '{"type":1e999}', '['.repeat(100)), weight: 1 },
  );

const toClosed = <Position>(ring: readonly Position[]): readonly Position[] => [...ring, ring[0] as Position];
const anyRing = fc
  .array(fc.tuple(anyNumber, anyNumber), { minLength: 3, maxLength: 6 })
  .chain((ring) => fc.constantFrom(toClosed(ring), toClosed(ring), toClosed(ring), ring));
/** A box with a hole, which is mostly right. */
const anyBox = fc
  .tuple(
    fc.double({ min: -179, max: 170, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
    fc.double({ min: 1e-7, max: 9, noNaN: true }),
  )
  .map(([x, y, side]) => {
    const box = (from: number, to: number) =>
      toClosed([
        [x + from * side, y + from * side],
        [x + to * side, y + from * side],
        [x + to * side, y + to * side],
        [x + from * side, y + to * side],
      ]);
    return [box(0, 1), box(0.3, 0.6)];
  });
const anyPolygon = fc.oneof(anyBox, fc.array(anyRing, { minLength: 1, maxLength: 3 }));
const anyGeometry = fc.oneof(
  anyPolygon.map((coordinates) => ({ type: 'Polygon', coordinates })),
  fc
    .array(anyPolygon, { minLength: 1, maxLength: 3 })
    .map((coordinates) => ({ type: 'MultiPolygon', coordinates })),
  fc.constant({ type: 'Point', coordinates: [1, 2] }),
);

/** Bodies that ask to keep an area. */
export const anyAreaBody: fc.Arbitrary<string> = toText(
  fc.oneof(
    anyGeometry,
    fc
      .tuple(anyGeometry, fc.oneof(anyJunk, fc.jsonValue({ maxDepth: 2 })))
      .map(([geometry, properties]) => ({ type: 'Feature', properties, geometry })),
    anyGeometry.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  ),
);

const part = fc.constantFrom(0, 1, 0.5, 0.25);
const anyColor = fc.oneof(
  { arbitrary: fc.constantFrom<unknown[]>('#ff0000', '#00FF00', '#123456'), weight: 6 },
  { arbitrary: fc.tuple(part, part, part), weight: 4 },
  { arbitrary: fc.constantFrom<unknown[]>('red', '#fff', [2, 0, 0], [1, 1], null, 5), weight: 1 },
);
const anyColors = fc
  .tuple(fc.array(anyColor, { minLength: 0, maxLength: 6 }), fc.constantFrom('none', 'even', 'values', 'odd'))
  .map(([colors, positions]) => {
    const last = Math.max(1, colors.length - 1);
    if (positions === 'none') return colors;
    return colors.map((color, i) => [
      positions === 'even' ? i / last : positions === 'values' ? i * 1000 - 2 : (i * 7) % 3,
      color,
    ]);
  });

/** Bodies that ask to keep a colormap. */
export const anyColormapBody: fc.Arbitrary<string> = toText(
  fc.record(
    {
      colors: fc.oneof({ arbitrary: anyColors, weight: 12 }, { arbitrary: anyJunk, weight: 1 }),
      type: fc.constantFrom<unknown[]>('continuous', 'discrete', 'continuous', 'discrete', 'other', 1),
      thresholds_type: fc.constantFrom<unknown[]>('relative', 'absolute', 'relative', 'absolute', null),
      labels: fc.array(fc.string(), { maxLength: 6 }),
    },
    { requiredKeys: ['colors'], noNullPrototype: true },
  ),
);
