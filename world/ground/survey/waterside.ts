import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import type { NearestStroke } from '../base/stroke-index.ts';
import { materialPart, zonePart } from '../parts.ts';
import type { Detail } from './detail.ts';
import { bandShare, insideShare } from './detail.ts';
import type { Mixer } from './mixer.ts';

/** Paints banks and waters of the land over what is there. */
export interface WatersidePainter {
  beach(x: number, y: number, inlandM: number, mixer: Mixer): void;
  river(x: number, y: number, river: NearestStroke, mixer: Mixer): void;
  /** `edgeM` is negative on the lake at its full level. */
  lake(x: number, y: number, edgeM: number, mixer: Mixer): void;
}

const parts = {
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
        mixer.cover(parts.reeds, marsh * smoothStep(0.12, 0.25, kind) * 0.9);
        mixer.coverEvenly(parts.mud, smoothStep(40 + sideM / 2, 10, inlandM) * 0.85);
        return;
      }
      const widthM =
        46 +
        30 * noise.gradient(x / 900, y / 900, 130) +
        9 * noise.gradient(x / 60, y / 60, 131) * detail.of60;
      mixer.cover(parts.dune, smoothStep(widthM + 90, widthM + 12, inlandM) * 0.65);
      mixer.coverEvenly(parts.sand, insideShare(inlandM - widthM, Math.max(16, sideM)) * 0.96);
      mixer.coverEvenly(parts.mud, smoothStep(18, 3, inlandM) * 0.55 * clamp(14 / sideM, 0, 1));
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
        mixer.cover(parts.bankTrees, trees * (isLarge ? 0.9 : clamp((2 * beltM) / sideM, 0, 0.8)));
      }
      if (halfWidthM > 14 && edgeM < 60) {
        const bars =
          smoothStep(0.2, 0.6, noise.fractal(x / 210, y / 210, 2, 136) * 1.7) * smoothStep(46, 12, edgeM);
        mixer.coverEvenly(parts.gravel, bars * 0.55);
      }
      mixer.coverEvenly(parts.riverWater, bandShare(edgeM, halfWidthM, sideM));
    },

    lake(x, y, edgeM, mixer) {
      if (edgeM > 60 + sideM) return;
      if (edgeM > 0) mixer.cover(parts.bankTrees, smoothStep(60, 20, edgeM) * 0.5);
      mixer.coverEvenly(parts.lakeWater, insideShare(edgeM, sideM));
      if (edgeM < -sideM) mixer.tone = 1 + 0.12 * noise.fractal((x + y) / 2600, (x - y) / 700, 3, 127);
    },
  };
}
