import type { Column, TableBatch } from '../index.ts';

/** A table with a column of each type. */
export const COLUMNS: readonly Column[] = [
  { name: 'field', type: 'text' },
  { name: 'mean', type: 'number' },
  { name: 'count', type: 'integer' },
  { name: 'clear', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'time', type: 'timestamp' },
  { name: 'shape', type: 'geometry' },
];

/** The corner of the square of a row. */
export const cornerOf = (row: number): readonly [number, number] => [
  10 + (row % 100) / 10,
  48 + row / 100_000,
];

/** A square of a hundredth of a degree. */
export function squareOf(row: number) {
  const [x, y] = cornerOf(row);
  const ring = [
    [x, y],
    [x + 0.01, y],
    [x + 0.01, y + 0.01],
    [x, y + 0.01],
    [x, y],
  ] as const;
  return { type: 'Polygon', coordinates: [ring] } as const;
}

/** Rows of the table; every seventh has nothing but its name. */
export function makeBatch(start: number, rows: number): TableBatch {
  const numbers = Array.from({ length: rows }, (_, i) => start + i);
  const unless7 = <T>(make: (row: number) => T) => numbers.map((row) => (row % 7 === 6 ? null : make(row)));
  return {
    rows,
    columns: [
      numbers.map((row) => `Feld "${row}", ä`),
      Float64Array.from(numbers, (row) => (row % 7 === 6 ? Number.NaN : row / 4)),
      unless7((row) => row * 1_000_000_007),
      unless7((row) => row % 2 === 0),
      unless7((row) => new Date(Date.UTC(2024, 0, 1 + (row % 300))).toISOString().slice(0, 10)),
      unless7((row) => Date.UTC(2024, 5, 1, 0, 0, row % 86_400, row % 1_000)),
      unless7(squareOf),
    ],
  };
}

/** The values of row 3, without its shape. */
export const ROW_3 = {
  field: 'Feld "3", ä',
  mean: 0.75,
  count: 3_000_000_021,
  clear: false,
  day: '2024-01-04',
  time: '2024-06-01T00:00:03.003Z',
} as const;
