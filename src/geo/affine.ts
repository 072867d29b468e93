/**
 * An affine map from pixel to world, in GDAL's order:
 * `x = originX + col * pixelWidth + row * rowShear`, `y = originY + col * colShear + row * pixelHeight`.
 * `pixelHeight` is negative for north-up images; (0, 0) is the upper left corner of the upper left pixel.
 */
export type Affine = readonly [
  originX: number,
  pixelWidth: number,
  rowShear: number,
  originY: number,
  colShear: number,
  pixelHeight: number,
];
