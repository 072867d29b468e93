import { badInput } from '../errors.ts';

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

/** The world coordinates of a pixel position (or, with an inverted affine, the reverse). */
export function applyAffine(affine: Affine, col: number, row: number): [x: number, y: number] {
  return [affine[0] + col * affine[1] + row * affine[2], affine[3] + col * affine[4] + row * affine[5]];
}

/** The inverse map, from world to pixel; a singular map throws `singular-affine`. */
export function invertAffine(affine: Affine): Affine {
  const [originX, pixelWidth, rowShear, originY, colShear, pixelHeight] = affine;
  // North-up images, nearly all there are: plain reciprocals lose no digit to the determinant.
  if (rowShear === 0 && colShear === 0 && isUsable(pixelWidth * pixelHeight)) {
    return [-originX / pixelWidth, 1 / pixelWidth, 0, -originY / pixelHeight, 0, 1 / pixelHeight];
  }
  const determinant = pixelWidth * pixelHeight - rowShear * colShear;
  if (!isUsable(determinant)) {
    throw badInput('singular-affine', 'The georeference maps all pixels onto a line or a point.');
  }
  return [
    (rowShear * originY - pixelHeight * originX) / determinant,
    pixelHeight / determinant,
    -rowShear / determinant,
    (colShear * originX - pixelWidth * originY) / determinant,
    -colShear / determinant,
    pixelWidth / determinant,
  ];
}

/** The affine of a part of an image, from the pixel where it begins. */
export function moveOrigin(affine: Affine, { x, y }: { readonly x: number; readonly y: number }): Affine {
  const [originX, originY] = applyAffine(affine, x, y);
  return [originX, affine[1], affine[2], originY, affine[4], affine[5]];
}

/** Pixel size of an image. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same ground with another number of pixels: an overview's affine from that of the full image. */
export function scaleAffine(affine: Affine, from: Size, to: Size): Affine {
  const x = from.width / to.width;
  const y = from.height / to.height;
  return [affine[0], affine[1] * x, affine[2] * y, affine[3], affine[4] * x, affine[5] * y];
}

const isUsable = (determinant: number): boolean => Number.isFinite(determinant) && determinant !== 0;
