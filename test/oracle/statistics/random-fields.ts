import type { Asset } from '../../../src/catalog/index.ts';
import type { AreaGeometry } from '../../../src/geo/index.ts';
import { LON_LAT_GRID } from '../../../src/geo/index.ts';
import { makePixelMapping } from '../../../src/proj/index.ts';

/** An area of some kind, in an image. */
export interface RandomField {
  readonly kind: string;
  readonly geometry: AreaGeometry;
}

type Ring = readonly (readonly [col: number, row: number])[];
type Random = () => number;

/** Numbers that are the same in every run (mulberry32). */
export function makeRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A star whose corners lie at random distances: concave for nearly all numbers of corners. */
function star(random: Random, { col, row, radius, corners }: Star): Ring {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.6 * random())) / corners;
    const far = radius * (i % 2 === 0 ? 0.8 + 0.2 * random() : 0.45 + 0.2 * random());
    return [col + far * Math.cos(angle), row + far * Math.sin(angle)];
  });
}

interface Star {
  readonly col: number;
  readonly row: number;
  readonly radius: number;
  readonly corners: number;
}

const shrink = (ring: Ring, { col, row }: Star, share: number): Ring =>
  ring.map(([x, y]) => [col + share * (x - col), row + share * (y - row)]);

function rectangle(col: number, row: number, width: number, height: number, turn = 0): Ring {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ].map(([x, y]) => [col + x! * width * cos - y! * height * sin, row + x! * width * sin + y! * height * cos]);
}

/** The radius of the largest field, in kilometres: well below the largest area that the settings allow. */
const LARGEST_KM = 60;

/** Fields of every kind over an image: upright and slanted, concave, with holes, at its edges, smaller than a pixel. */
export function makeFields(asset: Asset, random: Random): readonly RandomField[] {
  const { width, height } = asset;
  const { toTarget } = makePixelMapping(LON_LAT_GRID, asset);
  const pixelKm = Math.abs(asset.transform[1]) / 1_000;
  const size = Math.min(width, height);
  const somewhere = (margin: number) => ({
    col: width * (margin + (1 - 2 * margin) * random()),
    row: height * (margin + (1 - 2 * margin) * random()),
  });
  const largest = LARGEST_KM / pixelKm;
  const some = (from: number, to: number): number =>
    Math.min(size / 4, largest, from + (to - from) * random());
  const toField = (kind: string, polygons: readonly (readonly Ring[])[]): RandomField => {
    const coordinates = polygons.map((rings) =>
      rings.map((ring) =>
        [...ring, ring[0]!].map(([col, row]): [number, number] => {
          const [lon, lat] = toTarget(col, row);
          return [Number(lon.toFixed(9)), Number(lat.toFixed(9))];
        }),
      ),
    );
    const geometry: AreaGeometry =
      coordinates.length === 1
        ? { type: 'Polygon', coordinates: coordinates[0]! }
        : { type: 'MultiPolygon', coordinates };
    return { kind, geometry };
  };
  const middle = somewhere(0.3);
  const concave = { ...somewhere(0.3), radius: some(4, 30), corners: 14 };
  const pierced = { ...somewhere(0.3), radius: some(6, 40), corners: 12 };
  const piercedRing = star(random, pierced);
  const [left, right] = [somewhere(0.15), somewhere(0.15)];
  const edge = random() < 0.5 ? { col: 0, row: height * random() } : { col: width, row: height * random() };
  const corner = { col: random() < 0.5 ? 0 : width, row: random() < 0.5 ? 0 : height };
  const spot = somewhere(0.25);
  const sliver = somewhere(0.3);
  const whole = { col: width / 2, row: height / 2, corners: 24 };
  const radius = Math.min(size * 0.6, largest);
  return [
    toField('rectangle', [[rectangle(middle.col, middle.row, some(3, 20), some(3, 20))]]),
    toField('slanted', [[rectangle(middle.col, middle.row, some(3, 30), some(3, 12), 3 * random())]]),
    toField('concave', [[star(random, concave)]]),
    toField('hole', [[piercedRing, shrink(piercedRing, pierced, 0.4)]]),
    toField('parts', [
      [rectangle(left.col - width * 0.1, left.row, some(2, 8), some(2, 8), random())],
      [rectangle(right.col + width * 0.4, right.row, some(2, 8), some(2, 8), random())],
    ]),
    toField('edge', [[star(random, { ...edge, radius: some(5, 30), corners: 10 })]]),
    toField('corner', [[rectangle(corner.col, corner.row, some(6, 40), some(6, 40), random())]]),
    // Around the corner of four pixels, away from all centres.
    toField('speck', [
      [rectangle(Math.round(spot.col) + 0.1, Math.round(spot.row) - 0.05, 0.4, 0.3, random())],
    ]),
    toField('sliver', [[rectangle(sliver.col, sliver.row, some(4, 12), 0.2, 3 * random())]]),
    toField('whole', [[star(random, { ...whole, radius })]]),
  ];
}
