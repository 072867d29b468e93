import { clamp, smoothStep } from './easing.ts';
import { fractalNoise, gradientNoise, valueNoise } from './noise.ts';
import type { GroundSample } from './relief.ts';
import type { Spectrum } from './spectra.ts';
import { mixInto, scaleBy, spectra } from './spectra.ts';

/** What grows on ground nobody tills. */
export type WildCover = 'forest' | 'garrigue' | 'rock';

/** Paints forest, garrigue and bare rock: trees on shady, gentle and high ground, rock on steep sunny slopes. */
export function paintWildland(x: number, y: number, ground: GroundSample, target: Spectrum): WildCover {
  // Height grows to the south where the slope looks north, away from the sun.
  const shade = clamp(ground.slopeY * 2.4 + ground.slopeX * 0.8, -1, 1);
  const steep = Math.sqrt(ground.slopeX * ground.slopeX + ground.slopeY * ground.slopeY);
  const patches = fractalNoise(x / 780, y / 780, 4, 111);
  const grain = valueNoise(x / 19, y / 19, 112);
  const wood =
    0.16 + shade * 0.55 + patches * 1.9 + clamp(ground.heightM - 90, 0, 260) / 420 + (grain - 0.5) * 0.34;
  const trees = smoothStep(-0.1, 0.85, wood);
  const rock = smoothStep(0.5, 1, steep - shade * 0.25 - patches * 0.5 + (grain - 0.5) * 0.35) * (1 - trees);
  mixInto(target, spectra.dryGrass, 1);
  mixInto(target, spectra.redSoil, 0.12);
  mixInto(target, spectra.shrub, clamp(0.74 + shade * 0.2 + patches * 0.6 + (grain - 0.5) * 0.5, 0.3, 0.97));
  mixInto(target, spectra.limestone, rock * 0.45);
  mixInto(target, gradientNoise(x / 640, y / 640, 113) > 0.15 ? spectra.pine : spectra.oak, trees * 0.96);
  // Crowns and the shade between them.
  scaleBy(target, 0.9 + 0.2 * grain);
  if (trees > 0.6) return 'forest';
  return rock > 0.5 ? 'rock' : 'garrigue';
}
