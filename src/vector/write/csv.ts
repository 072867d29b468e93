import { toWkt } from '../geometry/wkt.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, TableEncoder } from '../tables.ts';
import { cellOf, toIsoTime } from '../tables.ts';

/** Writes CSV (RFC 4180) in UTF-8: a header, geometries as well-known text, nothing where there is no value. */
export function makeCsvEncoder(columns: readonly Column[]): TableEncoder {
  return {
    begin: () => Buffer.from(`${columns.map(({ name }) => quote(name)).join(',')}\r\n`),
    encode: ({ rows, columns: values }) => {
      let text = '';
      for (let row = 0; row < rows; row++) {
        for (let i = 0; i < columns.length; i++)
          text += (i === 0 ? '' : ',') + toCell(cellOf(values[i]!, row), columns[i]!.type);
        text += '\r\n';
      }
      return Buffer.from(text);
    },
    end: () => new Uint8Array(0),
  };
}

function toCell(value: ReturnType<typeof cellOf>, type: ColumnType): string {
  if (value === null) return '';
  if (type === 'geometry') return quote(toWkt(value as ShapeGeometry));
  if (type === 'timestamp') return toIsoTime(value) ?? '';
  return typeof value === 'string' ? quote(value) : String(value);
}

/** Empty text is quoted, because nothing means null. */
const quote = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
