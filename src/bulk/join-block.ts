import type { JoinedColumn } from './joined-days.ts';
import { isOfUtc, roundWeather, SCALE, toLocalDay } from './joined-days.ts';

/** Shapes whose days are read, stored and written together. */
export const JOIN_BLOCK = 256;

/** The joined values of consecutive shapes of a chunk, by shape, then by day, then by column; NaN for none. */
export interface JoinBlock {
  /** Days since 1970, in their order. */
  readonly days: readonly number[];
  /** The first day that sums of the oldest rows include. */
  readonly startDay: number;
  /** Of each shape. */
  readonly utcOffsetHours: readonly number[];
  readonly values: Float64Array<ArrayBuffer>;
}

/** Bytes of the length of the header. */
const LENGTH_BYTES = 4;

/** A block as it is stored: a header in JSON, filled up so that the numbers begin at a multiple of their size. */
export function writeJoinBlock({ values, ...header }: JoinBlock): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil((LENGTH_BYTES + text.length) / 8) * 8;
  const bytes = new Uint8Array(length + values.byteLength).fill(0x20, 0, length);
  new DataView(bytes.buffer).setUint32(0, length, true);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), length);
  return bytes;
}

/** Reads a block. */
export function readJoinBlock(bytes: Uint8Array): JoinBlock {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, length));
  const header = JSON.parse(text) as Omit<JoinBlock, 'values'>;
  // A copy: bytes of a file may begin anywhere in their memory.
  return { ...header, values: new Float64Array(new Uint8Array(bytes.subarray(length)).buffer) };
}

/** A cell of a joined column. */
type JoinedCell = number | null;

/** The joined cells of each row of a shape. `times` are those of its scenes, in the order of its rows, in milliseconds. */
export function joinRows(
  block: JoinBlock,
  columns: readonly JoinedColumn[],
  { shape, times }: { readonly shape: number; readonly times: readonly number[] },
): readonly (readonly JoinedCell[])[] {
  const { days, startDay, values } = block;
  const size = days.length * columns.length;
  const own = values.subarray(shape * size, (shape + 1) * size);
  const places = new Map(days.map((day, i) => [day, i]));
  const clocks = { local: block.utcOffsetHours[shape] ?? 0, utc: 0 };
  const dayLists = {
    local: times.map((ms) => toLocalDay(ms, clocks.local)),
    utc: times.map((ms) => toLocalDay(ms, clocks.utc)),
  };
  const rowDays = [...new Set(dayLists.local)].toSorted((one, other) => one - other);
  return times.map((_, row) =>
    columns.map((column, c) => {
      const day = dayLists[isOfUtc(column) ? 'utc' : 'local'][row] as number;
      const at = places.get(day);
      if (at === undefined) return null;
      const { over } = column;
      if (over.kind !== 'since-last') return toCell(own[at * columns.length + c] as number);
      const before = rowDays[rowDays.indexOf(day) - 1];
      let sum = 0;
      for (let i = before === undefined ? 0 : (places.get(before) as number) + 1; i <= at; i += 1)
        sum += own[i * columns.length + c] as number;
      const first = before ?? Math.min(startDay, days[0] as number) - 1;
      return toCell(over.fold === 'sum' ? sum / SCALE : roundWeather(sum / SCALE / (day - first)));
    }),
  );
}

const toCell = (value: number): JoinedCell => (Number.isNaN(value) ? null : value);
