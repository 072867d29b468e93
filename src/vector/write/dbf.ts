import type { Column, ColumnType, TableBatch } from '../tables.ts';
import { cellOf, toIsoTime } from '../tables.ts';

/** A column of a dBASE table. */
export interface DbfColumn {
  readonly name: string;
  readonly source: number;
  readonly type: ColumnType;
  readonly code: string;
  readonly width: number;
  readonly decimals: number;
}

/** Widths of the format: text has at most 254 bytes; the digits of any number fit into 24. */
const WIDTHS: Readonly<
  Record<Exclude<ColumnType, 'geometry'>, Pick<DbfColumn, 'code' | 'width' | 'decimals'>>
> = {
  text: { code: 'C', width: 254, decimals: 0 },
  number: { code: 'N', width: 24, decimals: 15 },
  integer: { code: 'N', width: 18, decimals: 0 },
  boolean: { code: 'L', width: 1, decimals: 0 },
  date: { code: 'D', width: 8, decimals: 0 },
  timestamp: { code: 'C', width: 24, decimals: 0 },
};

const MAX_NAME = 10;

/** Columns without the geometries, under names of at most ten letters, digits and underscores that no two share. */
export function toDbfColumns(columns: readonly Column[]): readonly DbfColumn[] {
  const taken = new Set<string>();
  return columns.flatMap(({ name, type }, source) => {
    if (type === 'geometry') return [];
    const plain = name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9_]+/g, (found) => (/^\p{M}+$/u.test(found) ? '' : '_'));
    const base = plain.replace(/^(?=[^A-Za-z])/, 'f') || 'f';
    let short = base.slice(0, MAX_NAME);
    // dBASE does not tell small letters from capital ones.
    for (let i = 1; taken.has(short.toLowerCase()); i++) {
      const suffix = `_${i}`;
      short = base.slice(0, MAX_NAME - suffix.length) + suffix;
    }
    taken.add(short.toLowerCase());
    return [{ name: short, source, type, ...WIDTHS[type] }];
  });
}

/** Bytes of a row: one mark and its values. */
export const rowBytes = (columns: readonly DbfColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, 1);

/** The header of a table; the code page is in a .cpg file. */
export function toDbfHeader(columns: readonly DbfColumn[], rows: number): Buffer {
  const header = Buffer.alloc(32 + 32 * columns.length + 1);
  // dBASE III, and a day that is always the same: equal rows make equal files.
  header.set([3, 95, 7, 26], 0);
  header.writeUInt32LE(rows, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(rowBytes(columns), 10);
  columns.forEach(({ name, code, width, decimals }, i) => {
    const at = 32 + 32 * i;
    header.write(name, at, 'latin1');
    header.write(code, at + 11, 'latin1');
    header[at + 16] = width;
    header[at + 17] = decimals;
  });
  header[header.length - 1] = 0x0d;
  return header;
}

/** The rows of a batch; `noteWidth` gets the bytes that the text of a column has needed. */
export function toDbfRows(
  columns: readonly DbfColumn[],
  { rows, columns: values }: TableBatch,
  noteWidth: (column: number, bytes: number) => void,
): Buffer {
  const length = rowBytes(columns);
  const buffer = Buffer.alloc(rows * length, 0x20);
  for (let row = 0; row < rows; row++) {
    let at = row * length + 1;
    columns.forEach(({ source, type, code, width }, i) => {
      const text = toText(cellOf(values[source]!, row), type);
      if (code === 'N') buffer.write(text.slice(0, width).padStart(width), at, 'latin1');
      // A character that does not fit is left out whole.
      else noteWidth(i, buffer.write(text, at, width, 'utf8'));
      at += width;
    });
  }
  return buffer;
}

function toText(value: ReturnType<typeof cellOf>, type: ColumnType): string {
  if (value === null) return type === 'boolean' ? '?' : '';
  switch (type) {
    case 'boolean':
      return value === true ? 'T' : 'F';
    case 'date':
      return String(value).replaceAll('-', '').slice(0, 8);
    case 'timestamp':
      return toIsoTime(value) ?? '';
    case 'integer':
      return Number.isFinite(value) ? String(Math.trunc(value as number)) : '';
    case 'number':
      return Number.isFinite(value) ? String(value) : '';
    default:
      return String(value);
  }
}
