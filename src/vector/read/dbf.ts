import { badInput, tooLarge } from '../errors.ts';
import type { PropertyValue, VectorLimits } from '../shapes.ts';
import type { ByteStream } from './byte-stream.ts';
import type { Decode } from './text-encoding.ts';
import { decodeOf } from './text-encoding.ts';

/** A column of a dBASE table. */
interface DbfField {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The header of a dBASE table. */
export interface DbfTable {
  readonly fields: readonly DbfField[];
  readonly recordBytes: number;
  readonly decode: Decode;
}

const damaged = (why: string) =>
  badInput('bad-shape-file', `The table of the Shapefile (.dbf) cannot be read: ${why}.`);

/** Reads the header; fields that do not fit into a record are refused, so that no value is read from another. */
export async function readDbfHeader(
  stream: ByteStream,
  { maxColumns }: VectorLimits,
  codePage: string | null,
): Promise<DbfTable> {
  const head = await stream.take(32);
  if (head === null) throw damaged('it is truncated');
  const [headerBytes, recordBytes] = [head.readUInt16LE(8), head.readUInt16LE(10)];
  if (headerBytes < 33 || recordBytes < 1) throw damaged('its header is damaged');
  const rest = await stream.take(headerBytes - 32);
  if (rest === null) throw damaged('it is truncated');
  const decode = decodeOf(codePage, head[29] ?? 0);
  const fields: DbfField[] = [];
  let start = 1;
  for (let at = 0; at + 32 <= rest.length && rest[at] !== 0x0d; at += 32) {
    const length = rest[at + 16] ?? 0;
    const rawName = rest.subarray(at, at + 11);
    const nameEnd = rawName.indexOf(0);
    const name = decode(nameEnd < 0 ? rawName : rawName.subarray(0, nameEnd)).trim();
    const type = String.fromCharCode(rest[at + 11] ?? 0);
    if (fields.length >= maxColumns)
      throw tooLarge('too-many-columns', `The table has more than ${maxColumns} columns.`);
    fields.push({
      name: toUnique(name || `column_${fields.length + 1}`, fields),
      type,
      start,
      end: start + length,
    });
    start += length;
  }
  if (start > recordBytes) throw damaged('its fields are longer than its rows');
  return { fields, recordBytes, decode };
}

function toUnique(name: string, fields: readonly DbfField[]): string {
  const isTaken = (wanted: string): boolean => fields.some((field) => field.name === wanted);
  let unique = name;
  for (let i = 2; isTaken(unique); i++) unique = `${name}_${i}`;
  return unique;
}

/** The values of a record; null if it is marked as deleted. */
export function readDbfRecord(
  record: Buffer,
  { fields, decode }: DbfTable,
): [string, PropertyValue][] | null {
  if (record[0] === 0x2a) return null;
  return fields.map((field) => [
    field.name,
    readValue(record.subarray(field.start, field.end), field.type, decode),
  ]);
}

function readValue(bytes: Buffer, type: string, decode: Decode): PropertyValue {
  switch (type) {
    case 'N':
    case 'F':
      return readNumber(bytes.toString('latin1'));
    case 'L': {
      const [letter = ' '] = bytes.toString('latin1');
      return 'YyTt'.includes(letter) ? true : 'NnFf'.includes(letter) ? false : null;
    }
    case 'D': {
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(bytes.toString('latin1').trim()) ?? [];
      return year === undefined || year === '0000' ? null : `${year}-${month}-${day}`;
    }
    case 'I':
      return bytes.length === 4 ? bytes.readInt32LE() : null;
    case 'O':
    case 'B': {
      const value = bytes.length === 8 ? bytes.readDoubleLE() : Number.NaN;
      return Number.isFinite(value) ? value : null;
    }
    default: {
      const text = decode(bytes).replace(/[\s\0]+$/, '');
      return text === '' ? null : text;
    }
  }
}

/** Text of digits; asterisks mean that the value did not fit. A whole number beyond 2^53 stays text. */
function readNumber(padded: string): PropertyValue {
  const text = padded.replaceAll('\0', ' ').trim();
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(text) ? text : value;
}
