import { shoreX } from './coast.ts';
import { makeField } from './field.ts';
import { fractalNoise, gradientNoise } from './noise.ts';
import type { Place } from './polyline.ts';
import { makeStrokeIndex, resampleLine } from './polyline.ts';
import { makeRiverCourse } from './river.ts';

/** The standing and running waters of the landscape, as signed distances in metres. */
export interface Hydrology {
  /** Metres inland from the shore; negative at sea. */
  inlandM(x: number, y: number): number;
  /** Metres outside the lagoon's edge; negative on it. Past some hundred metres only the sign is meant. */
  lagoonEdgeM(x: number, y: number): number;
  /** Metres from the water's edge of the river or the lagoon's inlet; negative on the water; `riverReachM` if farther. */
  riverEdgeM(x: number, y: number): number;
  /** True on the low ground along the river. */
  isRiverside(x: number, y: number): boolean;
}

/** How far from the river its exact distance is known: the bed and its trees. */
const riverReachM = 140;
/** Half the width of the low ground. */
const riversideM = 330;

const lagoon = { x: 12250, y: 14250, radiusXM: 1300, radiusYM: 2050 } as const;
/** Width of the sand barrier between the lagoon and the sea. */
const barrierM = 430;
/** A short channel through the barrier that lets the lagoon breathe. */
const inlet: readonly Place[] = [
  { x: 13150, y: 14700 },
  { x: 13550, y: 14790 },
  { x: 14400, y: 14720 },
];

/** Lays out the waters. */
export function makeHydrology(): Hydrology {
  const course = makeRiverCourse();
  const river = makeStrokeIndex(
    [
      { points: course, halfWidthM: 24 },
      { points: inlet, halfWidthM: 16 },
    ],
    riverReachM,
  );
  // A rough course is enough for the low ground, and much quicker to search.
  const lowGround = makeStrokeIndex([{ points: resampleLine(course, 90), halfWidthM: riversideM }], 1);
  let lastY = Number.NaN;
  let lastShoreX = 0;
  return {
    inlandM(x, y) {
      // Pixels come row by row, and the shore is the same along a row.
      if (y !== lastY) {
        lastY = y;
        lastShoreX = shoreX(y);
      }
      return lastShoreX - x;
    },
    riverEdgeM(x, y) {
      const edgeM = river.edgeDistanceM(x, y);
      return edgeM === riverReachM ? edgeM : edgeM + (gradientNoise(x / 130, y / 130, 41) - 0.2) * 9;
    },
    isRiverside: (x, y) => lowGround.edgeDistanceM(x, y) < 0,
    lagoonEdgeM: makeField(30, lagoonEdgeM),
  };
}

function lagoonEdgeM(x: number, y: number): number {
  const dx = (x - lagoon.x) / lagoon.radiusXM;
  const dy = (y - lagoon.y) / lagoon.radiusYM;
  const ellipse = (Math.sqrt(dx * dx + dy * dy) - 1) * lagoon.radiusXM;
  // Far from the lagoon the noise cannot matter, and it is the dear part.
  if (ellipse > 1400) return ellipse;
  const wander = 820 * fractalNoise(x / 2100, y / 2100, 5, 44);
  const barrier = barrierM + 90 * gradientNoise(y / 700, 0.2, 43) - (shoreX(y) - x);
  return Math.max(ellipse + wander, barrier);
}
