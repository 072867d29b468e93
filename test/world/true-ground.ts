/** What the demo world knows of a rectangle of ground: the truth that measured areas are compared with. */
import { LON_LAT_GRID } from '../../src/geo/index.ts';
import { makePixelMapping } from '../../src/proj/index.ts';
import type { Cover } from '../../world/ground/ground.ts';
import { covers } from '../../world/ground/ground.ts';
import type { BakedSurvey } from '../../world/ground/survey/baked-survey.ts';
import type { World } from '../../world/ground/world.ts';
import { toPalette } from '../../world/light/spectra.ts';
import { DAY_MS, epsg, frame } from '../../world/setting.ts';

/** Squares of ground, row by row. */
export interface TrueGround {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly cover: readonly Cover[];
  /** How severely each burns in the wildfire, up to 255. */
  readonly burn: ArrayLike<number>;
}

/** A rectangle of the world in local metres. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A square around a location. */
export const around = ({ x, y }: { readonly x: number; readonly y: number }, sideM: number): Box => ({
  x: x - sideM / 2,
  y: y - sideM / 2,
  width: sideM,
  height: sideM,
});

/** The rectangle as a polygon; a kilometre of its sides is straight in degrees to a centimetre. */
export function toPolygon({ x, y, width, height }: Box) {
  const local = { epsg, width: frame.sizeM, height: frame.sizeM };
  const { toTarget } = makePixelMapping(LON_LAT_GRID, {
    ...local,
    transform: [frame.west, 1, 0, frame.north, 0, -1],
  });
  const corners = [
    [x, y],
    [x, y + height],
    [x + width, y + height],
    [x + width, y],
    [x, y],
  ] as const;
  const ring = corners.slice(1).flatMap(([toX, toY], i) => {
    const [fromX, fromY] = corners[i]!;
    return Array.from({ length: 10 }, (_, step) => {
      const share = step / 10;
      return [...toTarget(fromX + share * (toX - fromX), fromY + share * (toY - fromY))];
    });
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** What the world knows of squares of 20 m in a rectangle. */
export function surveyTruth(world: World, { x, y, width, height }: Box, date: string): TrueGround {
  const [columns, rows] = [Math.floor(width / TRUTH_M), Math.floor(height / TRUTH_M)];
  const at = (i: number, origin: number): number => origin + (i + 0.5) * TRUTH_M;
  const survey = world.ground.survey({
    width: columns,
    height: rows,
    sideM: TRUTH_M,
    x: new Float64Array(columns * rows).map((_, i) => at(i % columns, x)),
    y: new Float64Array(columns * rows).map((_, i) => at(Math.floor(i / columns), y)),
  });
  const day = Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  const { cover } = world.ground.paint(survey, day, toPalette([]));
  return {
    x,
    y,
    columns,
    cover: Array.from(cover, (kind) => covers[kind] as Cover),
    burn: (survey as BakedSurvey).burn,
  };
}

/** The side of a square. */
export const TRUTH_M = 20;
/** The ground of some squares. */
export const toHectares = (squares: number): number => (squares * TRUTH_M * TRUTH_M) / 1e4;

/** Whether a cover is open water. */
export const isWater = (cover: Cover): boolean => ['sea', 'lake', 'river', 'flood'].includes(cover);
