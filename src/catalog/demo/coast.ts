import { clamp } from './easing.ts';
import { fractalNoise, gradientNoise } from './noise.ts';

/**
 * The shore's x by y, in local metres: the Natural Earth 1:10 m coastline between Le Barcarès and Saint-Cyprien, so
 * that the demo's beach agrees with a coastline drawn from that data.
 */
const shore: readonly (readonly [y: number, x: number])[] = [
  [-5752, 14936],
  [436, 14350],
  [4936, 14352],
  [7749, 14648],
  [12436, 14061],
  [18436, 14359],
  [22936, 14952],
];

/** x of the shore: a smooth curve through the points above, with beach cusps of a few tens of metres. */
export function shoreX(y: number): number {
  let i = 0;
  while (i < shore.length - 2 && y > shore[i + 1]![0]) i++;
  const [y0, x0] = shore[i]!;
  const [y1, x1] = shore[i + 1]!;
  const before = shore[i - 1] ?? shore[i]!;
  const after = shore[i + 2] ?? shore[i + 1]!;
  const slope0 = (x1 - before[1]) / (y1 - before[0]);
  const slope1 = (after[1] - x0) / (after[0] - y0);
  const span = y1 - y0;
  const t = clamp((y - y0) / span, 0, 1);
  const h = t * t * (3 - 2 * t);
  const curve = x0 + (x1 - x0) * h + span * (slope0 * t * (1 - t) * (1 - t) - slope1 * t * t * (1 - t));
  return curve + 26 * gradientNoise(y / 1400, 0.5, 31) + 7 * gradientNoise(y / 230, 0.5, 32);
}

/** Depth of the sea in metres, `offshoreM` metres from the shore: a beach slope with two sand bars, then the shelf. */
export function seaDepthM(offshoreM: number, y: number): number {
  const slope = offshoreM * 0.0105 + (offshoreM * offshoreM) / 900000;
  // Crescent-shaped bars wander along the shore; the outer one is the deeper.
  const wander = 34 * fractalNoise(y / 620, 0.3, 2, 33);
  const inner = 1 / (1 + ((offshoreM - 95 - wander * 0.5) / 26) * ((offshoreM - 95 - wander * 0.5) / 26));
  const outer = 1 / (1 + ((offshoreM - 290 - wander) / 48) * ((offshoreM - 290 - wander) / 48));
  return Math.max(0.05, slope - inner * 0.75 - outer * 1.5 + 0.25);
}
