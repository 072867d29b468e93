import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { random } from '../../numbers/noise.ts';
import { trunks } from './layout.ts';
import type { Point } from './polylines.ts';
import { distanceM, resampleLine, smoothLine } from './polylines.ts';

/** A river as a line downstream, with its level and half its width at each point. */
export interface River {
  readonly points: readonly Point[];
  readonly levelM: readonly number[];
  readonly halfWidthM: readonly number[];
}

const spacingM = 90;
/** Where the bends are ripe but no neck is near breaking through (from about 1,100 rounds on). */
const rounds = 780;
const widthM = 120;
/** Metres a bend moves in one round, per unit of curvature times width; over 28 the explicit step is unstable. */
const stepM = 20;

/** The main rivers: stretched in the mountains, meandering in the plain. */
export function makeTrunkRivers(noise: Noise): readonly River[] {
  return trunks.map(({ course, levels, halfWidthsM }, trunk) => {
    const plan = course.map(([x, y]) => ({ x: x * 1000, y: y * 1000 }));
    const seed = noise.salt(30 + trunk);
    let points = resampleLine(smoothLine(plan, 3), spacingM).map((point, i, all) =>
      i < 2 || i > all.length - 3
        ? point
        : {
            x: point.x,
            y:
              point.y +
              (random(i, 0, seed) - 0.5) * 52 +
              520 * noise.gradient(point.x / 3900, trunk, 33) * calmAt(point),
          },
    );
    for (let round = 0; round < rounds; round++) points = resampleLine(migrate(points), spacingM);
    let level = Number.POSITIVE_INFINITY;
    const levelM = points.map(({ x }) => {
      // A bend may run back east for a while: the level never rises with it.
      level = Math.min(level - 0.002, levelAt(levels, x / 1000));
      return level;
    });
    const last = levelM.length - 1;
    const halfWidthM = points.map((_, i) => {
      const along = i / last;
      return halfWidthsM[0] + (halfWidthsM[1] - halfWidthsM[0]) * along * along;
    });
    return { points, levelM, halfWidthM };
  });
}

/** Rivers wind little in mountain valleys. */
const calmAt = (point: Point): number => 0.6 + 0.4 * smoothStep(72000, 56000, point.x);

function levelAt(levels: readonly (readonly [xKm: number, levelM: number])[], xKm: number): number {
  let i = 0;
  while (i < levels.length - 2 && xKm > levels[i + 1]![0]) i++;
  const [x0, level0] = levels[i]!;
  const [x1, level1] = levels[i + 1]!;
  return level0 + (level1 - level0) * clamp((xKm - x0) / (x1 - x0), 0, 1);
}

/**
 * Lets a line bend by itself, as rivers do: a bend moves outwards by the curvature just upstream and is held by its own
 * (the linear model of Howard and Knutson, 1984, with the exponential kernel written as a running average).
 */
function migrate(course: readonly Point[]): Point[] {
  let upstream = 0;
  return course.map((point, i) => {
    const before = course[i - 1];
    const after = course[i + 1];
    if (before === undefined || after === undefined) return point;
    const dx = after.x - before.x;
    const dy = after.y - before.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const cross = (point.x - before.x) * (after.y - point.y) - (point.y - before.y) * (after.x - point.x);
    const curvature = (widthM * 2 * cross) / (distanceM(before, point) * distanceM(point, after) * length);
    upstream = upstream * 0.8 + curvature * 0.2;
    // Calm near the ends, so that the river meets the edge and the sea where the plan does.
    const calm = Math.min(1, i / 25, (course.length - 1 - i) / 60);
    // In the mountains the rock holds the river: bends hardly grow there.
    const grows = point.x < 62000 ? 2.6 : 1.45;
    const push = (grows * upstream - curvature) * stepM * calm;
    return { x: point.x + (dy / length) * push, y: point.y - (dx / length) * push };
  });
}
