import { clamp, decay, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Detail } from './detail.ts';
import type { Mixer } from './mixer.ts';

/** Paints the sea at a location, `offshoreM` metres from the shore. */
export type PaintSea = (x: number, y: number, offshoreM: number, mixer: Mixer) => void;

/** River mouths: their mud settles as flats, their water drifts north with the flood tide as a plume. */
const mouths = [
  { x: 30300, y: 57000, reachM: 11500, flatsM: 3600 },
  { x: 37000, y: 20900, reachM: 6000, flatsM: 1900 },
  { x: 39200, y: 92600, reachM: 5500, flatsM: 1500 },
] as const;

const parts = {
  deep: materialPart('deep-water'),
  shallow: materialPart('shallow-water'),
  mud: materialPart('mudflat'),
  sand: materialPart('beach-sand'),
  weeds: materialPart('lake-water'),
  plume: zonePart('plume'),
} as const;

/** Makes the painter of the sea: dark deeps, pale shallows, mud flats with channels before the deltas, plumes. */
export function makeSeaPainter(noise: Noise, detail: Detail): PaintSea {
  return (x, y, offshoreM, mixer) => {
    mixer.begin(parts.deep);
    // Tidal streams and slicks change the water's colour and glitter over kilometres.
    const stream = noise.fractal(x / 9000 + y / 16000, y / 14000, 5, 120);
    let plume = 0;
    let flats = 0;
    for (const mouth of mouths) {
      const dx = x - mouth.x;
      const dy = y - mouth.y;
      const reach2 = mouth.reachM * mouth.reachM;
      if (dx * dx + dy * dy > reach2 * 1.7) continue;
      const drift = dy < 0 ? dy * 0.6 : dy * 1.15;
      const away =
        Math.sqrt(dx * dx + drift * drift) / mouth.reachM + 0.5 * noise.fractal(x / 3600, y / 3600, 5, 124);
      plume = Math.max(plume, smoothStep(0.95, 0.08, away));
      const near = Math.sqrt(dx * dx + dy * dy * 0.35);
      flats = Math.max(
        flats,
        smoothStep(1, 0.55, near / (mouth.flatsM * 2) + offshoreM / (mouth.flatsM * 1.15)),
      );
    }
    mixer.cover(parts.plume, clamp(0.1 + 0.2 * stream, 0, 0.22));
    if (offshoreM < 4000) {
      const depthM = 0.4 + offshoreM * 0.013 * (1 + 0.4 * noise.gradient(x / 1500, y / 1500, 121));
      mixer.cover(parts.shallow, decay(depthM / 3.2) * 0.8);
      // Eel-grass and kelp on the shelf.
      const weeds = smoothStep(0.1, 0.5, noise.fractal(x / 700, y / 700, 4, 128)) * smoothStep(1, 3, depthM);
      mixer.cover(parts.weeds, weeds * decay(depthM / 7) * 0.7);
    }
    mixer.cover(parts.plume, plume * 0.92);
    if (flats > 0) {
      // Channels meander through the flats: where folded noise is near nothing.
      const bed = Math.abs(noise.fractal(x / 1500, y / 1500, 4, 132));
      const dry = flats + 0.35 * noise.fractal(x / 900, y / 900, 4, 136);
      mixer.cover(parts.mud, smoothStep(0.42, 0.75, dry) * smoothStep(0.012, 0.05, bed) * 0.93);
    }
    if (offshoreM < 60) {
      const strand = smoothStep(26, 4, offshoreM + 8 * noise.gradient(x / 70, y / 70, 139) * detail.of60);
      mixer.cover(flats > 0.2 ? parts.mud : parts.sand, strand * 0.5);
    }
    mixer.tone = 1 + 0.1 * stream + 0.05 * detail.of60 * noise.gradient(x / 60, y / 170, 138);
  };
}
