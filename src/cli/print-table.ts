import type { Terminal } from './terminal.ts';

/** Prints rows in columns; the first one is the head. */
export function printTable(rows: readonly (readonly string[])[], { line, style }: Terminal): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const print = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  for (const [i, row] of rows.entries()) line(i === 0 ? style.dim(print(row)) : print(row));
}
