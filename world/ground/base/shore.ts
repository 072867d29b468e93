import { clamp, smoothStep, unitVector } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { spots } from '../../setting/spots.ts';
import { islands, lake, shoreLine } from './layout.ts';

/** x of the mainland's shore in kilometres: a smooth curve through the points of the plan. */
function shoreKm(y: number): number {
  let i = 0;
  while (i < shoreLine.length - 2 && y > shoreLine[i + 1]![0]) i++;
  const [y0, x0] = shoreLine[i]!;
  const [y1, x1] = shoreLine[i + 1]!;
  const before = shoreLine[i - 1] ?? shoreLine[i]!;
  const after = shoreLine[i + 2] ?? shoreLine[i + 1]!;
  const slope0 = (x1 - before[1]) / (y1 - before[0]);
  const slope1 = (after[1] - x0) / (after[0] - y0);
  const span = y1 - y0;
  const t = clamp((y - y0) / span, 0, 1);
  const h = t * t * (3 - 2 * t);
  return x0 + (x1 - x0) * h + span * (slope0 * t * (1 - t) * (1 - t) - slope1 * t * t * (1 - t));
}

const turnedIslands = islands.map(({ at, radii, turn }) => {
  const [cos, sin] = unitVector(turn - Math.floor(turn));
  return { at, radii, cos, sin };
});

/** Metres inland from the nearest shore at a point, negative at sea; coves and points down to a kilometre. */
export function inlandOf(noise: Noise, x: number, y: number): number {
  const wander = noise.fractal(x / 8000, y / 8000, 5, 10);
  // Around the spot that shows a shore, the shore stays where the plan has it.
  const dx = x - spots.shore.x;
  const dy = y - spots.shore.y;
  const held = 0.12 + 0.88 * smoothStep(1500, 9000, Math.sqrt(dx * dx + dy * dy));
  let inland = (x - shoreKm(y / 1000) * 1000) * 0.85 + 2900 * wander * held;
  for (const { at, radii, cos, sin } of turnedIslands) {
    const east = x / 1000 - at[0];
    const south = y / 1000 - at[1];
    const u = (east * cos + south * sin) / radii[0];
    const v = (south * cos - east * sin) / radii[1];
    const radius = Math.min(radii[0], radii[1]) * 1000;
    const island = (1 - Math.sqrt(u * u + v * v)) * radius + 3300 * wander;
    if (island > inland) inland = island;
  }
  return inland;
}

/** Metres outside the lake's full shore, negative on it; exact to some hundred metres, large far away. */
export function lakeEdgeOf(noise: Noise, x: number, y: number): number {
  const [fromX, fromY] = lake.line[0]!;
  const farKm = Math.max(Math.abs(x / 1000 - fromX), Math.abs(y / 1000 - fromY));
  if (farKm > 16) return (farKm - 12) * 1000;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < lake.line.length; i++) {
    const [ax, ay] = lake.line[i]!;
    const [bx, by] = lake.line[i + 1]!;
    const px = x / 1000 - ax;
    const py = y / 1000 - ay;
    const dx = bx - ax;
    const dy = by - ay;
    const t = clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1);
    nearest = Math.min(nearest, Math.sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy)));
  }
  const edge = (nearest - lake.radiusKm) * 1000;
  return edge > 3000 ? edge : edge + 620 * noise.fractal(x / 2600, y / 2600, 4, 15);
}
