import type { Grid } from '../../geo/index.ts';

/** Which grids a person is likely to look at after this one: its neighbours, and its four quarters at the next zoom. */
export function listNextGrids(grid: Grid): readonly Grid[] {
  const { width, height } = grid;
  const [x0, dx, rx, y0, ry, dy] = grid.transform;
  const shift = (columns: number, rows: number, scale = 1): Grid => ({
    ...grid,
    transform: [
      x0 + columns * dx + rows * rx,
      scale * dx,
      scale * rx,
      y0 + columns * ry + rows * dy,
      scale * ry,
      scale * dy,
    ],
  });
  const neighbours = [
    [width, 0],
    [-width, 0],
    [0, height],
    [0, -height],
  ] as const;
  const quarters = [
    [0, 0],
    [width / 2, 0],
    [0, height / 2],
    [width / 2, height / 2],
  ] as const;
  return [
    ...neighbours.map(([columns, rows]) => shift(columns, rows)),
    ...quarters.map(([columns, rows]) => shift(columns, rows, 0.5)),
  ];
}
