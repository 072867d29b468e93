/**
 * A pair of functions of (u, v) in the unit square, each a polynomial of degree two in u and in v, as 18 numbers:
 * the nine coefficients of x, then those of y. Coefficient `3 * i + j` belongs to `u^i * v^j`.
 */
export const PATCH_LENGTH = 18;

/** Fits the patch through nine values on a 3 by 3 lattice, row by row (v = 0, then 1/2, then 1). */
export function writePatch(
  into: Float64Array,
  offset: number,
  values: { readonly x: Float64Array; readonly y: Float64Array },
): void {
  fitQuadratics(into, offset, values.x);
  fitQuadratics(into, offset + 9, values.y);
}

function fitQuadratics(into: Float64Array, offset: number, lattice: Float64Array): void {
  // Along u in each row, then along v over the three resulting coefficients.
  const rows = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    writeQuadratic(rows, row, 3, [lattice[row * 3]!, lattice[row * 3 + 1]!, lattice[row * 3 + 2]!]);
  }
  for (let i = 0; i < 3; i++) {
    writeQuadratic(into, offset + i * 3, 1, [rows[i * 3]!, rows[i * 3 + 1]!, rows[i * 3 + 2]!]);
  }
}

/** The parabola through values at 0, 1/2 and 1. */
function writeQuadratic(
  into: Float64Array,
  offset: number,
  stride: number,
  [start, middle, end]: readonly [number, number, number],
): void {
  into[offset] = start;
  into[offset + stride] = -3 * start + 4 * middle - end;
  into[offset + 2 * stride] = 2 * start - 4 * middle + 2 * end;
}

/** The values of a patch at (u, v). */
export function evaluatePatch(
  patches: Float64Array,
  offset: number,
  u: number,
  v: number,
): [x: number, y: number] {
  const at = (base: number): number => {
    const term = (i: number): number =>
      patches[base + i]! + v * (patches[base + i + 1]! + v * patches[base + i + 2]!);
    return term(0) + u * (term(3) + u * term(6));
  };
  return [at(offset), at(offset + 9)];
}

/** The derivatives of x and y in the middle of the patch, along u and along v. */
export function patchSlopes(
  patches: Float64Array,
  offset: number,
): { readonly xu: number; readonly xv: number; readonly yu: number; readonly yv: number } {
  const alongU = (base: number): number => {
    const term = (i: number): number =>
      patches[base + i]! + 0.5 * patches[base + i + 1]! + 0.25 * patches[base + i + 2]!;
    return term(3) + term(6);
  };
  const alongV = (base: number): number => {
    const term = (j: number): number =>
      patches[base + j]! + 0.5 * patches[base + j + 3]! + 0.25 * patches[base + j + 6]!;
    return term(1) + term(2);
  };
  return { xu: alongU(offset), xv: alongV(offset), yu: alongU(offset + 9), yv: alongV(offset + 9) };
}
