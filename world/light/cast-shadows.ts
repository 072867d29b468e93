import type { Ground, Survey } from '../ground/ground.ts';
import type { Box, Lattice } from './lattice.ts';
import { makeLattice, readLattice } from './lattice.ts';
import type { SunRay } from './sun.ts';

/** The mountains' shape, coarse: shadows far off need no more. */
const stepM = 320;

/** No summit of the world is higher. */
const highestM = 2700;

/** Above this height of the sun (its tangent, 42°) hardly a slope is steep enough to throw a shadow beyond itself. */
const seldomBelowTangent = 1.1;

/** The sun is a disc and the lattice coarse: shadows fade in over so many metres below their edge. */
const rimM = 30;

/**
 * Share of the straight sun that mountains towards the sun keep off each pixel; nothing when the sun is too high or
 * the land too low for that.
 */
export function castShadows(
  ground: Ground,
  { survey, box, ray }: { survey: Survey; box: Box; ray: SunRay },
): Float32Array | undefined {
  const { locations, heightM } = survey;
  if (ground.coarseHeightAt === undefined || ray.tanZenith * seldomBelowTangent < 1) return undefined;
  const reachM = highestM * ray.tanZenith;
  const [farX, farY] = [ray.toX * reachM, ray.toY * reachM];
  const ceiling = toCeiling(
    makeLattice(
      {
        minX: box.minX + Math.min(0, farX),
        minY: box.minY + Math.min(0, farY),
        maxX: box.maxX + Math.max(0, farX),
        maxY: box.maxY + Math.max(0, farY),
      },
      stepM,
      ground.coarseHeightAt,
    ),
    ray,
  );
  const shade = new Float32Array(heightM.length);
  let some = false;
  for (let i = 0; i < shade.length; i++) {
    const below = readLattice(ceiling, locations.x[i]!, locations.y[i]!) - heightM[i]! - rimM / 2;
    if (below <= 0) continue;
    shade[i] = Math.min(1, below / rimM);
    some = true;
  }
  return some ? shade : undefined;
}

/**
 * Height up to which each corner lies in the shadow of those towards the sun. Row after row away from the sun (or
 * column after column, whichever the ray crosses more of), each takes over the ceiling of the one before, lower by
 * what the ray has sunk.
 */
function toCeiling(heights: Lattice, { toX, toY, tanZenith }: SunRay): Lattice {
  const { cols, rows } = heights;
  const byRow = Math.abs(toY) >= Math.abs(toX);
  const [major, minor] = byRow ? [toY, toX] : [toX, toY];
  const [lines, length] = byRow ? [rows, cols] : [cols, rows];
  const at = (line: number, along: number): number => (byRow ? line * cols + along : along * cols + line);
  const drift = minor / Math.abs(major);
  const sinkM = (stepM * Math.sqrt(1 + drift * drift)) / tanZenith;
  const values = new Float32Array(heights.values.length).fill(-1e4);
  const towards = major > 0 ? 1 : -1;
  for (let step = 1; step < lines; step++) {
    const line = towards > 0 ? lines - 1 - step : step;
    for (let along = 0; along < length; along++) {
      const position = Math.min(length - 1.001, Math.max(0, along + drift));
      const before = Math.floor(position);
      const [a, b] = [at(line + towards, before), at(line + towards, before + 1)];
      const first = Math.max(heights.values[a]!, values[a]!);
      const second = Math.max(heights.values[b]!, values[b]!);
      values[at(line, along)] = first + (second - first) * (position - before) - sinkM;
    }
  }
  return { ...heights, values };
}
