import { seaDepthM } from './coast.ts';
import { clamp, decay, smoothStep } from './easing.ts';
import { fractalNoise, gradientNoise, valueNoise } from './noise.ts';
import type { Spectrum } from './spectra.ts';
import { bandCount, mixInto, scaleBy, spectra, waterFading } from './spectra.ts';

/** Where the river meets the sea; its plume drifts south with the coastal current. */
const mouth = { x: 14680, y: 7900 } as const;

/** Paints the sea `offshoreM` metres from the shore: sand under clear water, then the deep; river plume; surf. */
export function paintSea(x: number, y: number, offshoreM: number, target: Spectrum): void {
  mixInto(target, spectra.deepSea, 1);
  if (offshoreM < bottomSeenM) paintBottom(x, y, offshoreM, target);
  mixInto(target, spectra.plume, plumeAt(x, y) * 0.9);
  // Wind streaks and slicks change the glitter of the surface a little, the same in every band.
  const glitter = 0.005 + 0.003 * fractalNoise(x / 2400 + y / 5200, y / 900 - x / 3000, 4, 124);
  for (let band = 0; band < bandCount; band++) target[band] = target[band]! + glitter;
}

/** Beyond this the bottom adds less than the last digit of a stored value. */
const bottomSeenM = 5000;

function paintBottom(x: number, y: number, offshoreM: number, target: Spectrum): void {
  const depthM = seaDepthM(offshoreM, y) * (1 + 0.1 * gradientNoise(x / 300, y / 300, 121));
  // Patches of sea-grass darken the bottom from 5 m down.
  const meadow = smoothStep(-0.02, 0.45, fractalNoise(x / 520, y / 700, 5, 122)) * smoothStep(3, 8, depthM);
  for (let band = 0; band < bandCount; band++) {
    const sand = spectra.wetSand[band]! * 1.15;
    const bottom = sand + (spectra.oak[band]! - sand) * meadow * 0.6;
    target[band] = target[band]! + (bottom - target[band]!) * decay(2.1 * waterFading[band]! * depthM);
  }
  if (offshoreM > 1300) return;
  // Sand stirred up by waves along the beach, and a thin line of surf.
  const stirred = decay(offshoreM / 130) * (0.5 + 0.5 * gradientNoise(x / 420, y / 900, 123));
  mixInto(target, spectra.plume, clamp(stirred, 0, 0.6));
  const surf = smoothStep(0.5, 0.15, depthM) * smoothStep(0.35, 0.9, valueNoise(x / 30, y / 110, 125));
  mixInto(target, spectra.foam, surf * 0.3);
}

function plumeAt(x: number, y: number): number {
  const dx = x - mouth.x;
  const dy = y - mouth.y;
  // Cheap rejection before the noise.
  if (dy < -1600 || dy > 6000 || dx > 3000) return 0;
  const swirl = 420 * fractalNoise(x / 1300, y / 1300, 4, 126);
  const drift = dy > 0 ? dy * 0.36 : -dy * 1.5;
  const away = Math.sqrt(dx * dx + drift * drift) + swirl;
  return smoothStep(1550, 80, away);
}

/** Paints the lagoon: shallow, green and stirred by the wind. */
export function paintLagoon(x: number, y: number, insideM: number, target: Spectrum): void {
  mixInto(target, spectra.lagoonWater, 1);
  mixInto(target, spectra.wetSand, decay(insideM / 45) * 0.35);
  // The wind (from the north-west here) drives stirred mud across in long streaks.
  const streak = fractalNoise((x + y) / 2600, (x - y) / 700, 4, 127);
  mixInto(target, spectra.plume, clamp(0.4 + 1.1 * streak, 0, 0.95));
}

/** Paints beach and dunes over `target`; true where sand is most of the ground. */
export function paintBeach(x: number, y: number, inlandM: number, target: Spectrum): boolean {
  const widthM = 78 + 40 * gradientNoise(y / 900, 0.7, 129) + 14 * gradientNoise(x / 60, y / 60, 130);
  const sand = smoothStep(widthM + 16, widthM - 16, inlandM);
  const dune = smoothStep(widthM + 130, widthM + 20, inlandM);
  mixInto(target, spectra.dryGrass, dune * 0.6);
  mixInto(target, spectra.drySand, dune * clamp(0.25 + 0.9 * gradientNoise(x / 38, y / 55, 131), 0, 0.75));
  mixInto(target, spectra.drySand, sand * 0.97);
  mixInto(target, spectra.wetSand, smoothStep(26, 6, inlandM));
  return sand > 0.5;
}

/** Paints salt marsh and reed around the lagoon over `target`; returns the share covered. */
export function paintMarsh(x: number, y: number, outsideM: number, target: Spectrum): number {
  const wander = 170 * fractalNoise(x / 600, y / 600, 3, 132);
  const marsh = smoothStep(430, 230, outsideM + wander);
  if (marsh <= 0) return 0;
  const patches = fractalNoise(x / 430, y / 430, 5, 133);
  mixInto(target, spectra.saltMarsh, marsh * clamp(0.75 + patches * 0.5, 0, 1));
  mixInto(target, spectra.paleSoil, marsh * clamp(patches * 0.9 - 0.1, 0, 0.4));
  mixInto(target, spectra.reed, marsh * smoothStep(0, 0.5, 0.1 - patches) * 0.5);
  mixInto(target, spectra.reed, smoothStep(85, 45, outsideM + wander * 0.35) * 0.85);
  return marsh;
}

/** Paints the river's bed over `target`: trees on the banks, gravel bars, water; `edgeM` is negative on the water. */
export function paintRiver(
  x: number,
  y: number,
  edgeM: number,
  target: Spectrum,
): 'water' | 'trees' | 'land' {
  if (edgeM > 130) return 'land';
  const grain = valueNoise(x / 22, y / 22, 134);
  const belt = 46 + 55 * gradientNoise(x / 420, y / 420, 135);
  const trees = smoothStep(belt + 14, belt - 10, edgeM) * clamp(0.62 + 0.7 * (grain - 0.3), 0, 1);
  mixInto(target, spectra.riparian, trees);
  scaleBy(target, 1 - trees * 0.22 * (1 - grain));
  const bars = smoothStep(0.08, 0.5, gradientNoise(x / 260, y / 260, 136)) * smoothStep(34, 12, edgeM);
  mixInto(target, spectra.gravel, bars * 0.9);
  const water = clamp(0.5 - edgeM / 10, 0, 1);
  mixInto(target, spectra.riverWater, water);
  if (water > 0.5) return 'water';
  return trees > 0.5 ? 'trees' : 'land';
}
