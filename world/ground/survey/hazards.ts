import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { fire, flood } from '../../setting/events.ts';
import { baseGrid, makeLinearSampler } from '../base/grid.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { makeWarp } from '../base/warp.ts';
import type { GroundSample } from './height.ts';

/** Where the wildfire and the flood come. */
export interface Hazards {
  /** Severity of the fire at a location, 0..1. */
  burn(x: number, y: number, ground: GroundSample): number;
  /** Metres above the main river as far as it may flood, Infinity elsewhere. */
  aboveRiverM(x: number, y: number, heightM: number): number;
}

/** Makes the hazards of a world. */
export function makeHazards(base: GroundBase, noise: Noise): Hazards {
  const warp = makeWarp(noise);
  const levelAt = makeLinearSampler(base.mainLevelM, baseGrid);
  const awayAt = makeLinearSampler(base.mainAwayM, baseGrid);
  return {
    burn(x, y, { heightM, slopeX, slopeY }) {
      const dx = (x - fire.x) / fire.radiusXM;
      const dy = (y - fire.y) / fire.radiusYM;
      const away2 = dx * dx + dy * dy;
      if (away2 > 3) return 0;
      const away = Math.sqrt(away2);
      // Fingers run up slopes and ridges; creeks and wet hollows hold the fire.
      const torn = 0.85 * noise.fractal(x / 3300, y / 3300, 7, 150);
      const inside = 1 - away + torn;
      const islands = noise.fractal(x / 620, y / 620, 4, 156);
      const edge = smoothStep(-0.015, 0.05, inside);
      if (edge === 0) return 0;
      const steep = Math.sqrt(slopeX * slopeX + slopeY * slopeY);
      const severity = 0.5 + 1.1 * islands + 0.3 * Math.min(1, steep) - 0.1 * smoothStep(1500, 1900, heightM);
      return edge * clamp(severity + 0.25 * inside, 0.06, 1) * smoothStep(-0.52, -0.38, islands);
    },
    aboveRiverM(x, y, heightM) {
      if (x < flood.fromX || x > flood.untilX || y < flood.fromY || y > flood.untilY) {
        return Number.POSITIVE_INFINITY;
      }
      const gridX = warp.x(x, y);
      const gridY = warp.y(x, y);
      const awayM = awayAt(gridX, gridY);
      if (awayM > flood.awayM) return Number.POSITIVE_INFINITY;
      // The flood's surface falls away from the river, and ends up-stream where the valley narrows.
      const fall =
        awayM / 4000 + 6 * smoothStep(52000, flood.untilX, x) + 3 * smoothStep(4000, flood.awayM, awayM);
      return heightM - levelAt(gridX, gridY) + fall;
    },
  };
}
