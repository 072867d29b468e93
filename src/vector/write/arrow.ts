import { DAY_MS } from '../../units.ts';
import { toWkb } from '../geometry/wkb.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column, ColumnType, ColumnValues, TableBatch, TableEncoder } from '../tables.ts';
import { cellOf, toMilliseconds } from '../tables.ts';
import type { Flat } from './flat-buffer.ts';
import { byte, int, long, short, toFlatBuffer } from './flat-buffer.ts';

/** Numbers of the Arrow format (format/Message.fbs, format/Schema.fbs). */
const VERSION_5 = 4;
const HEADER = { schema: 1, batch: 3 } as const;

/** The type of each column: its number in the union of types, and its own table. */
const TYPES: Readonly<Record<ColumnType, { readonly code: number; readonly table: Flat }>> = {
  text: { code: 5, table: { table: [] } },
  number: { code: 3, table: { table: [short(2)] } },
  integer: { code: 2, table: { table: [int(64), byte(1)] } },
  boolean: { code: 6, table: { table: [] } },
  date: { code: 8, table: { table: [short(0)] } },
  timestamp: { code: 10, table: { table: [short(1), { text: 'UTC' }] } },
  geometry: { code: 4, table: { table: [] } },
};

/** GeoArrow: well-known binary in longitude and latitude. */
const GEOMETRY_METADATA: readonly (readonly [string, string])[] = [
  ['ARROW:extension:name', 'geoarrow.wkb'],
  ['ARROW:extension:metadata', '{"crs":"OGC:CRS84","crs_type":"authority_code"}'],
];

/** Writes an Arrow IPC stream: the schema, a record batch for each batch, the mark of the end. */
export function makeArrowEncoder(columns: readonly Column[]): TableEncoder {
  return {
    begin: () => toMessage(HEADER.schema, toSchema(columns), []),
    encode: (batch) => (batch.rows === 0 ? new Uint8Array(0) : toRecordBatch(columns, batch)),
    end: () => Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0),
  };
}

const toSchema = (columns: readonly Column[]): Flat => ({
  table: [
    short(0),
    {
      list: columns.map(({ name, type }) => {
        const { code, table } = TYPES[type];
        const metadata = type === 'geometry' ? GEOMETRY_METADATA : [];
        const pairs: Flat = {
          list: metadata.map(([key, value]) => ({ table: [{ text: key }, { text: value }] })),
        };
        return { table: [{ text: name }, byte(1), byte(code), table, null, { list: [] }, pairs] };
      }),
    },
  ],
});

/** A message: its length, a FlatBuffer, and the buffers of its body, all aligned to eight bytes. */
function toMessage(type: number, header: Flat, body: readonly Uint8Array[]): Uint8Array {
  const bodyBytes = body.reduce((sum, { length }) => sum + pad(length), 0);
  const metadata = toFlatBuffer({ table: [short(VERSION_5), byte(type), header, long(bodyBytes)] });
  const size = pad(metadata.length);
  const message = new Uint8Array(8 + size + bodyBytes);
  const view = new DataView(message.buffer);
  view.setUint32(0, 0xffff_ffff, true);
  view.setInt32(4, size, true);
  message.set(metadata, 8);
  let at = 8 + size;
  for (const bytes of body) {
    message.set(bytes, at);
    at += pad(bytes.length);
  }
  return message;
}

const pad = (length: number): number => Math.ceil(length / 8) * 8;

function toRecordBatch(columns: readonly Column[], { rows, columns: values }: TableBatch): Uint8Array {
  const [nodes, places, body]: [number[], number[], Uint8Array[]] = [[], [], []];
  let offset = 0;
  const add = (bytes: Uint8Array): void => {
    places.push(offset, bytes.length);
    body.push(bytes);
    offset += pad(bytes.length);
  };
  columns.forEach(({ type }, i) => {
    const { nulls, valid, buffers } = encodeColumn(values[i]!, rows, type);
    nodes.push(rows, nulls);
    // Without nulls the bitmap may be left out.
    add(nulls === 0 ? new Uint8Array(0) : valid);
    buffers.forEach(add);
  });
  const header: Flat = {
    table: [long(rows), { words: nodes, count: columns.length }, { words: places, count: places.length / 2 }],
  };
  return toMessage(HEADER.batch, header, body);
}

interface Encoded {
  readonly nulls: number;
  readonly valid: Uint8Array;
  readonly buffers: readonly Uint8Array[];
}

function encodeColumn(values: ColumnValues, rows: number, type: ColumnType): Encoded {
  const valid = new Uint8Array(Math.ceil(rows / 8));
  const cells: unknown[] = [];
  let nulls = 0;
  for (let row = 0; row < rows; row++) {
    const cell = toArrow(cellOf(values, row), type);
    cells.push(cell);
    if (cell === null) nulls++;
    else setBit(valid, row);
  }
  return { nulls, valid, buffers: encodeCells(cells, type) };
}

const setBit = (bits: Uint8Array, index: number): void => {
  bits[index >> 3]! |= 1 << (index & 7);
};

function toArrow(value: ReturnType<typeof cellOf>, type: ColumnType): unknown {
  if (value === null) return null;
  switch (type) {
    case 'text':
      return Buffer.from(String(value));
    case 'geometry':
      return toWkb(value as ShapeGeometry);
    case 'integer':
      return Number.isFinite(value) ? BigInt(Math.trunc(value as number)) : null;
    case 'date': {
      const time = toMilliseconds(value);
      return time === null ? null : Math.floor(time / DAY_MS);
    }
    case 'timestamp': {
      const time = toMilliseconds(value);
      return time === null ? null : BigInt(Math.round(time));
    }
    default:
      return value;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

function encodeCells(cells: readonly unknown[], type: ColumnType): Uint8Array[] {
  switch (type) {
    case 'number':
      return [bytesOf(Float64Array.from(cells, (cell) => (cell as number | null) ?? 0))];
    case 'integer':
    case 'timestamp':
      return [bytesOf(BigInt64Array.from(cells, (cell) => (cell as bigint | null) ?? 0n))];
    case 'date':
      return [bytesOf(Int32Array.from(cells, (cell) => (cell as number | null) ?? 0))];
    case 'boolean': {
      const bits = new Uint8Array(Math.ceil(cells.length / 8));
      cells.forEach((cell, i) => {
        if (cell === true) setBit(bits, i);
      });
      return [bits];
    }
    default: {
      const offsets = new Int32Array(cells.length + 1);
      const parts = cells.filter((cell) => cell !== null) as Uint8Array[];
      let end = 0;
      cells.forEach((cell, i) => {
        end += (cell as Uint8Array | null)?.length ?? 0;
        offsets[i + 1] = end;
      });
      return [bytesOf(offsets), Buffer.concat(parts)];
    }
  }
}
