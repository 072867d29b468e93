import type { Survey } from '../ground/ground.ts';
import type { SunRay } from './sun.ts';

/** Straight sun by pixel, relative to level ground under a clear sky: more on slopes that face it, none behind. */
export function shineOn(request: {
  survey: Survey;
  ray: SunRay;
  /** Shares of the sun that clouds and mountains keep off. */
  shades: readonly (Float32Array | undefined)[];
  /** How much of what slopes do to the light is left, 0..1. */
  relief: number;
}): Float32Array {
  const { survey, ray, shades, relief } = request;
  const { slopeX, slopeY } = survey;
  const { toX, toY, tanZenith } = ray;
  const lit = new Float32Array(slopeX.length);
  for (let i = 0; i < lit.length; i++) {
    const sx = slopeX[i]!;
    const sy = slopeY[i]!;
    let facing = 1;
    if (sx !== 0 || sy !== 0) {
      // Cosine between the slope's normal and the sun, divided by that of level ground.
      const towards = (1 - (toX * sx + toY * sy) * tanZenith) / Math.sqrt(1 + sx * sx + sy * sy);
      facing = 1 + (Math.max(0, towards) - 1) * relief;
    }
    lit[i] = facing;
  }
  for (const shade of shades) {
    if (shade === undefined) continue;
    for (let i = 0; i < lit.length; i++) lit[i] = lit[i]! * (1 - shade[i]!);
  }
  return lit;
}
