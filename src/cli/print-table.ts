import type { Terminal } from './terminal.ts';

/** Rows of texts under a header, in columns as wide as their longest text. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that are printed as dim as the header. */
  readonly isDim?: (row: readonly string[]) => boolean;
}

/** Prints a table. */
export function printTable(
  { line, style }: Pick<Terminal, 'line' | 'style'>,
  { header, rows, isDim = () => false }: Table,
): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  line(style.dim(format(header)));
  for (const row of rows) line(isDim(row) ? style.dim(format(row)) : format(row));
}
