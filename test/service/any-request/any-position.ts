import fc from 'fast-check';
import type { Scene } from '../../../src/catalog/index.ts';
import { areaBounds, MERCATOR_HALF_SIDE_M } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { rarely } from './any-query.ts';

/** A position in or near a scene, in degrees. */
export function anyPositionNear(scene: Scene): fc.Arbitrary<readonly [lon: number, lat: number]> {
  const { west, south, east, north } = areaBounds(scene.footprint);
  // Not an integer between limits: those are mostly near the limits.
  const part = fc.constantFrom(-0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2);
  return fc.tuple(part, part).map(([x, y]) => [west + x * (east - west), south + y * (north - south)]);
}

/** `z/x/y` of a tile, or of bounds, of a picture: in the scene, at its edge, outside, or nowhere. */
export function anyPictureAddress(scene: Scene): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: anyTile(scene), weight: 8 },
    { arbitrary: anyBounds(scene), weight: 6 },
    { arbitrary: fc.constantFrom(...ODD_PLACES), weight: 1 },
  );
}

const ODD_PLACES = [
  ...[
    '0/0/0',
    '24/0/0',
    '25/0/0',
    '1/2/0',
    '-1/0/0',
    '3/1.5/1',
    '3/1/1e1',
    'z/x/y',
    '5/00/0',
    '2/1',
    '//',
    '22/4194303/4194303',
  ],
  ...['0/-180;180;4326/90;-90;4326', '0/170;-170;4326/10;-10;4326', '0/0;1;4326/0;1', '0/0;1;4326/0;1;3857'],
  ...['0/-20037508;20037508;3857/20037508;-20037508;3857', '0/0;0;4326/0;1;4326', '0/1;0;3857/0;1;3857'],
  ...['0/-1e9;1e9;3857/-1e9;1e9;3857', '0/-1e9;1e9;32610/-1e9;1e9;32610', '0/0;1e-300;4326/0;1e-300;4326'],
  ...[
    '0/0;1;99999/0;1;99999',
    '0/0;1;0/0;1;0',
    '0/0;1;/0;1;',
    '99/0;1;4326/0;1;4326',
    '0/10;20;4326/89.9;90;4326',
  ],
  ...['0/500000;500100;32733/1;200;32733', '0/-500;500;5041/-500;500;5041', '0/a;b;4326/0;1;4326'],
];

function anyTile(scene: Scene): fc.Arbitrary<string> {
  const { forward } = makeProjection(4326, 3857);
  return fc
    .tuple(anyPositionNear(scene), fc.constantFrom(0, 3, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 24))
    .map(([position, z]) => {
      const [x, y] = forward(...position);
      const sideM = (2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
      const [column, row] = [(x + MERCATOR_HALF_SIDE_M) / sideM, (MERCATOR_HALF_SIDE_M - y) / sideM];
      return `${z}/${Math.floor(column)}/${Math.floor(row)}`;
    });
}

/** Metres of the longer side, from a part of a millimetre to more than the Earth. */
const SIDES_M = [1e-4, 1, 50, 400, 400, 1_000, 2_000, 2_000, 5_000, 20_000, 100_000, 3_000_000, 5e7];
const CODES = [3857, 4326, 32610, 32609, 32633, 32710, 26910, 4258];

/** Bounds around a position near the scene, in several reference systems, of every size, either way up. */
function anyBounds(scene: Scene): fc.Arbitrary<string> {
  return fc
    .record({
      position: anyPositionNear(scene),
      epsg: fc.constantFrom(...CODES),
      sideM: fc.constantFrom(...SIDES_M),
      ratio: fc.constantFrom(1, 1, 0.3, 4),
      isDown: fc.boolean(),
      isBack: rarely(fc.constant(true), fc.constant(false)),
    })
    .map(({ position, epsg, sideM, ratio, isDown, isBack }) => {
      const isDegrees = epsg === 4326 || epsg === 4258;
      const half = isDegrees ? sideM / 111_320 / 2 : sideM / 2;
      const [x, y] = isDegrees ? position : makeProjection(4326, epsg).forward(...position);
      const [left, right, upper, lower] = [x - half, x + half, y + half * ratio, y - half * ratio];
      const toText = (from: number, to: number): string => `${from};${to};${epsg}`;
      const columns = isBack ? toText(right, left) : toText(left, right);
      return `12/${columns}/${isDown ? toText(lower, upper) : toText(upper, lower)}`;
    });
}
