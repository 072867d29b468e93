import { smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { islands, peaks } from './layout.ts';

/** How mountainous a point is: 0 in the plain, 1 in the high range. */
function hillinessOf(noise: Noise, x: number, y: number): number {
  const wander = 8500 * noise.fractal(x / 24000, y / 24000, 4, 20);
  return smoothStep(0, 38000, x - 54500 + wander);
}

/** Steepness of brooks (ks of the stream-power law) at a point: what the relief grows from. */
export function steepnessOf(noise: Noise, x: number, y: number): number {
  const hill = hillinessOf(noise, x, y);
  // Harder and softer rock in patches of some kilometres.
  const rock =
    1 + 0.55 * noise.fractal(x / 5200, y / 5200, 4, 25) + 0.4 * noise.gradient(x / 17000, y / 17000, 29);
  let rise = 0.3 + 128 * hill * (1.5 - 0.5 * hill);
  for (const peak of peaks) {
    const dx = x / 1000 - peak.at[0];
    const dy = y / 1000 - peak.at[1];
    const away2 = (dx * dx + dy * dy) / (peak.radiusKm * peak.radiusKm);
    if (away2 < 1) rise += peak.rise * (1 - away2) * (1 - away2);
  }
  for (const island of islands) {
    const dx = (x / 1000 - island.at[0]) / (island.radii[0] * 1.2);
    const dy = (y / 1000 - island.at[1]) / (island.radii[1] * 1.2);
    const away2 = dx * dx + dy * dy;
    if (away2 < 1) rise += island.rise * (1 - away2);
  }
  return rise * rock;
}
