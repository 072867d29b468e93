/** Heights in metres at the centres of pixels, row by row. */
export interface HeightGrid {
  readonly heights: Float32Array;
  readonly width: number;
  readonly height: number;
  /** 1 where the height is known; without a mask, every height is. Heights that are no number are unknown as well. */
  readonly mask?: Uint8Array | null;
}
