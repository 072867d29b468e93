import { random } from './noise.ts';
import type { Place } from './polyline.ts';
import { distanceM, resampleLine, smoothLine } from './polyline.ts';

/** The valley the river wanders in, from the hills to the sea. */
const valley: readonly Place[] = [
  { x: -1100, y: 5300 },
  { x: 600, y: 5900 },
  { x: 2400, y: 6150 },
  { x: 4100, y: 7050 },
  { x: 5900, y: 7150 },
  { x: 7800, y: 6600 },
  { x: 9700, y: 7350 },
  { x: 11600, y: 7250 },
  { x: 13200, y: 7850 },
  { x: 14900, y: 7900 },
];

const spacingM = 45;
/** Where the bends are ripe but no neck is near breaking through (from about 1,100 rounds on). */
const rounds = 780;
const widthM = 60;
/** Metres a bend moves in one round, per unit of curvature times width; over 14 the explicit step is unstable. */
const stepM = 10;

/** The river's course from the western edge to the sea. */
export function makeRiverCourse(): readonly Place[] {
  let course = resampleLine(smoothLine(valley, 3), spacingM).map((place, i, all) =>
    i < 2 || i > all.length - 3 ? place : { x: place.x, y: place.y + (random(i, 0, 11) - 0.5) * 26 },
  );
  for (let round = 0; round < rounds; round++) course = resampleLine(migrate(course), spacingM);
  return smoothLine(course, 1);
}

/**
 * Lets a line bend by itself, as rivers do: a bend moves outwards by the curvature just upstream and is held by its own
 * (the linear model of Howard and Knutson, 1984, with the exponential kernel written as a running average).
 */
function migrate(course: readonly Place[]): Place[] {
  let upstream = 0;
  return course.map((place, i) => {
    const before = course[i - 1];
    const after = course[i + 1];
    if (before === undefined || after === undefined) return place;
    const dx = after.x - before.x;
    const dy = after.y - before.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const cross = (place.x - before.x) * (after.y - place.y) - (place.y - before.y) * (after.x - place.x);
    const curvature = (widthM * 2 * cross) / (distanceM(before, place) * distanceM(place, after) * length);
    upstream = upstream * 0.8 + curvature * 0.2;
    // Calm near the ends, so that the river meets the edge and the sea where the valley does.
    const calm = Math.min(1, i / 25, (course.length - 1 - i) / 45);
    const push = (2.6 * upstream - curvature) * stepM * calm;
    return { x: place.x + (dy / length) * push, y: place.y - (dx / length) * push };
  });
}
