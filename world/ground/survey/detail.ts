import { clamp } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash } from '../../numbers/noise.ts';

/** How much a pixel of a given side can show; worked out once for a survey. */
export interface Detail {
  readonly sideM: number;
  /** True where single trees, roofs and rows are seen. */
  readonly isFine: boolean;
  /** Strength left of noise of some wavelengths in metres. */
  readonly of20: number;
  readonly of60: number;
  readonly of200: number;
}

/** Noise as long as the pixel is gone, four times as long is whole. */
const fade = (sideM: number, wavelengthM: number): number => clamp((wavelengthM / sideM - 1) / 3, 0, 1);

/** Plans what pixels of a side show. */
export function planDetail(sideM: number): Detail {
  return {
    sideM,
    isFine: sideM < 5,
    of20: fade(sideM, 26),
    of60: fade(sideM, 80),
    of200: fade(sideM, 260),
  };
}

/** Share of a pixel on the inner side of an edge; `edgeM` is its centre's distance, negative inside. */
export function insideShare(edgeM: number, sideM: number): number {
  return clamp(0.5 - edgeM / sideM, 0, 1);
}

/** Share of a pixel that a straight band covers, by the distance of its centre from the band's edge. */
export function bandShare(edgeM: number, halfWidthM: number, sideM: number): number {
  const middle = edgeM + halfWidthM;
  const low = Math.max(middle - sideM / 2, -halfWidthM);
  const high = Math.min(middle + sideM / 2, halfWidthM);
  return high <= low ? 0 : Math.min(1, (high - low) / sideM);
}

/** Brightness by tree crowns: lit in their middle, dark in the gaps. Only for pixels of a metre or two. */
export type Crowns = (x: number, y: number, spacingM: number) => number;

/** Makes the crowns of a forest: the nearest of jittered points decides. */
export function makeCrowns(noise: Noise): Crowns {
  const seed = noise.salt(114);
  return (x, y, spacingM) => {
    const u = x / spacingM;
    const v = y / spacingM;
    const col = Math.floor(u);
    const row = Math.floor(v);
    let nearest = 9;
    let crown = 0;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const bits = hash(col + i, row + j, seed);
        const dx = col + i + (bits & 0xffff) / 65536 - u;
        const dy = row + j + (bits >>> 16) / 65536 - v;
        const away = (dx * dx + dy * dy) * (0.8 + 0.4 * ((bits >>> 8) & 1));
        if (away < nearest) {
          nearest = away;
          // Lit from the south-east, where the morning's satellites see the sun.
          crown = dx * 0.35 + dy * 0.35 + ((bits >>> 12) & 7) * 0.03;
        }
      }
    }
    return clamp(1.25 - nearest * 1.35 - crown * 0.5, 0.35, 1.4);
  };
}
