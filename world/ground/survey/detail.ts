import { clamp } from '../../numbers/easing.ts';

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
