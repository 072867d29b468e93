/** Areas and lines that a user draws or brings, in one tidy form: rounded, closed, on one turn of the globe. */
import type { Outline } from '../scenes/footprint.ts';
import { closeRing } from '../scenes/footprint.ts';

/** Longitude and latitude in degrees. */
export type Position = readonly [lon: number, lat: number];

/** An area or a line, with the name that its file gives it; `null` when it was drawn. */
export type Shape =
  | { readonly kind: 'area'; readonly outline: Outline; readonly name: string | null }
  | { readonly kind: 'line'; readonly positions: readonly Position[]; readonly name: string | null };

/** A shape as GeoJSON has it. */
export type ShapeGeometry =
  | Outline
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] };

/** What the server takes of one area (docs/use/interface.md, "Limits"). */
export const MAX_POSITIONS = 10_000;

/** Six digits of a degree are 0.1 m: finer than any pixel, and short enough for an address. */
const DIGITS = 6;

/** Zero has no sign: what is written and read back is the same. */
const round = (value: number): number => Number(value.toFixed(DIGITS)) + 0;

/** Polygons of an outline, each with its rings. */
export const polygonsOf = (outline: Outline): readonly (readonly (readonly Position[])[])[] =>
  outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;

/** The positions of an outline, all rings together. */
export const countPositions = (outline: Outline): number =>
  polygonsOf(outline)
    .flat()
    .reduce((count, ring) => count + ring.length, 0);

/** Longitudes that leap over the antimeridian run on instead, beginning within half a turn of `start`. */
const unwrap = (positions: readonly Position[], start: number): readonly Position[] => {
  let last = start;
  return positions.map(([lon, lat]) => {
    last = lon - Math.round((lon - last) / 360) * 360;
    return [last, lat];
  });
};

const isSame = (a: Position | undefined, b: Position | undefined): boolean =>
  a?.[0] === b?.[0] && a?.[1] === b?.[1];

const tidy = (positions: readonly Position[], turn: number): readonly Position[] => {
  const rounded = positions.map(([lon, lat]): Position => [round(lon - turn), round(lat)]);
  return rounded.filter((position, i) => i === 0 || !isSame(position, rounded[i - 1]));
};

/** Whole turns by which longitudes are off; the westernmost is to lie in -180…180. */
const turnOf = (positions: readonly Position[]): number => {
  const west = positions.reduce((min, [lon]) => Math.min(min, lon), Number.POSITIVE_INFINITY);
  return Math.floor((west + 180) / 360) * 360;
};

/** The tidy outline; `null` when nothing of it encloses anything. */
export const toTidyOutline = (outline: Outline): Outline | null => {
  const first = polygonsOf(outline)[0]?.[0]?.[0]?.[0] ?? 0;
  const unwrapped = polygonsOf(outline).map((rings) => rings.map((ring) => unwrap(ring, first)));
  const turn = turnOf(unwrapped.flat(2));
  const polygons = unwrapped.flatMap((rings) => {
    const tidied = rings.map((ring) => closeRing(tidy(ring, turn)));
    // Three corners and the first again: fewer enclose nothing, and without its outer ring there is no polygon.
    const [outer, ...holes] = tidied;
    if (outer === undefined || outer.length < 4) return [];
    return [[outer, ...holes.filter((hole) => hole.length >= 4)]];
  });
  const [only] = polygons;
  if (only === undefined) return null;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons };
};

/** The tidy line; `null` when it has no length. */
export const toTidyLine = (positions: readonly Position[]): readonly Position[] | null => {
  const unwrapped = unwrap(positions, positions[0]?.[0] ?? 0);
  const line = tidy(unwrapped, turnOf(unwrapped));
  return line.length < 2 ? null : line;
};
