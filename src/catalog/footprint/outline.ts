import type { Affine, Lattice } from '../../geo/index.ts';
import { applyAffine } from '../../geo/index.ts';
import type { Position } from '../../proj/index.ts';

/** Size and placement of an image. */
export interface PlacedImage {
  readonly width: number;
  readonly height: number;
  readonly transform: Affine;
  readonly lattice?: Lattice;
}

/** Corners of an image in its reference system, from the upper left around it; of a lattice all nodes of its edge. */
export function toOutline({ width, height, transform, lattice }: PlacedImage): Position[] {
  if (lattice !== undefined) return toLatticeEdge(lattice);
  const corners = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
  ] as const;
  return corners.map(([col, row]) => applyAffine(transform, col, row));
}

function toLatticeEdge({ cols, rows, x, y }: Lattice): Position[] {
  const [lastCol, lastRow] = [cols.length - 1, rows.length - 1];
  const edge: (readonly [col: number, row: number])[] = [
    ...rows.map((_, row) => [0, row] as const),
    ...cols.slice(1).map((_, col) => [col + 1, lastRow] as const),
    ...rows.slice(1).map((_, row) => [lastCol, lastRow - row - 1] as const),
    ...cols.slice(1, -1).map((_, col) => [lastCol - col - 1, 0] as const),
  ];
  return edge.map(([col, row]) => [x[row * cols.length + col]!, y[row * cols.length + col]!]);
}
