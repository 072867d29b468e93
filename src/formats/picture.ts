/** Pixels to be encoded: red, green, blue, alpha, row by row; transparent pixels are 0, 0, 0, 0. */
export interface RgbaPicture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}
