import { clamp, decay, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import type { NearestStroke } from '../base/polylines.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Detail } from './detail.ts';
import { bandShare, insideShare } from './detail.ts';
import type { Mixer } from './mixer.ts';

/** Paints the sea at a location, `offshoreM` metres from the shore. */
type PaintSea = (x: number, y: number, offshoreM: number, mixer: Mixer) => void;

/** River mouths: their mud settles as flats, their water drifts north with the flood tide as a plume. */
const mouths = [
  { x: 30300, y: 57000, reachM: 11500, flatsM: 3600 },
  { x: 37000, y: 20900, reachM: 6000, flatsM: 1900 },
  { x: 39200, y: 92600, reachM: 5500, flatsM: 1500 },
] as const;

const seaParts = {
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
    mixer.begin(seaParts.deep);
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
    mixer.cover(seaParts.plume, clamp(0.1 + 0.2 * stream, 0, 0.22));
    if (offshoreM < 4000) {
      const depthM = 0.4 + offshoreM * 0.013 * (1 + 0.4 * noise.gradient(x / 1500, y / 1500, 121));
      mixer.cover(seaParts.shallow, decay(depthM / 3.2) * 0.8);
      // Eel-grass and kelp on the shelf.
      const weeds = smoothStep(0.1, 0.5, noise.fractal(x / 700, y / 700, 4, 128)) * smoothStep(1, 3, depthM);
      mixer.cover(seaParts.weeds, weeds * decay(depthM / 7) * 0.7);
    }
    mixer.cover(seaParts.plume, plume * 0.92);
    if (flats > 0) {
      // Channels meander through the flats: where folded noise is near nothing.
      const bed = Math.abs(noise.fractal(x / 1500, y / 1500, 4, 132));
      const dry = flats + 0.35 * noise.fractal(x / 900, y / 900, 4, 136);
      mixer.cover(seaParts.mud, smoothStep(0.42, 0.75, dry) * smoothStep(0.012, 0.05, bed) * 0.93);
    }
    if (offshoreM < 60) {
      const strand = smoothStep(26, 4, offshoreM + 8 * noise.gradient(x / 70, y / 70, 139) * detail.of60);
      mixer.cover(flats > 0.2 ? seaParts.mud : seaParts.sand, strand * 0.5);
    }
    mixer.tone = 1 + 0.1 * stream + 0.05 * detail.of60 * noise.gradient(x / 60, y / 170, 138);
  };
}

/** Paints banks and waters of the land over what is there. */
interface WatersidePainter {
  beach(x: number, y: number, inlandM: number, mixer: Mixer): void;
  river(x: number, y: number, river: NearestStroke, mixer: Mixer): void;
  /** `edgeM` is negative on the lake at its full level. */
  lake(x: number, y: number, edgeM: number, mixer: Mixer): void;
}

const bankParts = {
  sand: materialPart('beach-sand'),
  mud: materialPart('mudflat'),
  gravel: materialPart('scree'),
  dune: zonePart('rough-grass'),
  reeds: zonePart('reeds'),
  riverWater: zonePart('river-water'),
  lakeWater: zonePart('reservoir-water'),
  bankTrees: zonePart('valley-broadleaf'),
} as const;

/** Makes the painters of shores. */
export function makeWatersidePainter(noise: Noise, detail: Detail): WatersidePainter {
  const { sideM } = detail;
  return {
    beach(x, y, inlandM, mixer) {
      if (inlandM > 420) return;
      // Bays have salt marsh behind their mud, open shores sand or shingle below a bluff.
      const kind = noise.gradient(x / 5200, y / 5200, 129);
      if (kind > 0.12) {
        const marsh = smoothStep(300, 160, inlandM + 170 * noise.fractal(x / 600, y / 600, 3, 132));
        mixer.cover(bankParts.reeds, marsh * smoothStep(0.12, 0.25, kind) * 0.9);
        mixer.coverEvenly(bankParts.mud, smoothStep(40 + sideM / 2, 10, inlandM) * 0.85);
        return;
      }
      const widthM =
        46 +
        30 * noise.gradient(x / 900, y / 900, 130) +
        9 * noise.gradient(x / 60, y / 60, 131) * detail.of60;
      mixer.cover(bankParts.dune, smoothStep(widthM + 90, widthM + 12, inlandM) * 0.65);
      mixer.coverEvenly(bankParts.sand, insideShare(inlandM - widthM, Math.max(16, sideM)) * 0.96);
      mixer.coverEvenly(bankParts.mud, smoothStep(18, 3, inlandM) * 0.55 * clamp(14 / sideM, 0, 1));
    },

    river(x, y, river, mixer) {
      const { halfWidthM } = river;
      // Banks give way here and hold there: the width varies by a third.
      const bank = noise.gradient(x / 130, y / 130, 41) * 0.5 + noise.gradient(x / 410, y / 410, 42);
      const edgeM = river.edgeM + (bank - 0.2) * Math.min(24, halfWidthM * 0.4);
      const isLarge = halfWidthM > 8;
      const beltM = isLarge ? 46 + 55 * noise.gradient(x / 420, y / 420, 135) : 5 + halfWidthM * 2;
      if (edgeM < beltM + 20 + sideM / 2) {
        const grain = noise.value(x / 22, y / 22, 134);
        const trees =
          clamp(0.5 + (beltM - edgeM) / Math.max(24, sideM), 0, 1) *
          clamp(0.5 + 0.9 * (grain - 0.3) * detail.of20 + 0.2 * (1 - detail.of20), 0, 1);
        mixer.cover(bankParts.bankTrees, trees * (isLarge ? 0.9 : clamp((2 * beltM) / sideM, 0, 0.8)));
      }
      if (halfWidthM > 14 && edgeM < 60) {
        const bars =
          smoothStep(0.2, 0.6, noise.fractal(x / 210, y / 210, 2, 136) * 1.7) * smoothStep(46, 12, edgeM);
        mixer.coverEvenly(bankParts.gravel, bars * 0.55);
      }
      mixer.coverEvenly(bankParts.riverWater, bandShare(edgeM, halfWidthM, sideM));
    },

    lake(x, y, edgeM, mixer) {
      if (edgeM > 60 + sideM) return;
      if (edgeM > 0) mixer.cover(bankParts.bankTrees, smoothStep(60, 20, edgeM) * 0.5);
      mixer.coverEvenly(bankParts.lakeWater, insideShare(edgeM, sideM));
      if (edgeM < -sideM) mixer.tone = 1 + 0.12 * noise.fractal((x + y) / 2600, (x - y) / 700, 3, 127);
    },
  };
}
