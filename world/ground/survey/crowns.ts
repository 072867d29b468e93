import { clamp } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { hash } from '../../numbers/noise.ts';

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
