import type { SwathError } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import type { Jp2Decoder } from '../jp2/openjpeg.ts';
import { makeJp2Decoder } from '../jp2/openjpeg.ts';
import type { ByteWindow, Scaling } from './grib-bytes.ts';
import {
  damaged,
  HEAD_READ_BYTES,
  MAX_FIELDS,
  MAX_GAP_BYTES,
  makeByteWindow,
  over,
  SPARE_BYTES,
  toView,
  truncated,
  unpackValues,
  unread,
} from './grib-bytes.ts';
import type { ByteRange, GribField, GribGrid, Packing } from './grib-field.ts';
import { readGrib1Message } from './grib1-message.ts';
import { readGrib2Message, toGrib2Grid } from './grib2-message.ts';
import { unpackCcsds } from './packing/unpack-ccsds.ts';
import { unpackComplex } from './packing/unpack-complex.ts';
import { unpackJpeg2000, unpackPng } from './packing/unpack-pictures.ts';
import { unpackSecondOrder } from './packing/unpack-second-order.ts';

/** An opened GRIB file; its source stays the caller's to close. */
export interface GribFile {
  /** Those that are understood, in the order of the file. */
  readonly fields: readonly GribField[];
  /** Why the first field that was left out was; null if all were understood. */
  readonly refusal: SwathError | null;
  /** The values of a field: row by row from the north, each from the west, NaN where there is a gap. */
  readValues(field: GribField): Promise<Float32Array>;
}

/** Opens a GRIB file of edition 1 or 2, or of both: headers are read now, the numbers of a field on request. */
export async function openGrib(source: ByteSource): Promise<GribFile> {
  const { fields, refusal } = await readGribIndex(source);
  // Loaded with the first field that needs it.
  const jp2Decoder = makeJp2Decoder();
  const readBytes = async ({ offset, length }: ByteRange): Promise<Uint8Array> => {
    if (offset + length > source.size) throw truncated('a field');
    const bytes = new Uint8Array(length + SPARE_BYTES);
    const target = bytes.subarray(0, length);
    if (source.readInto !== undefined) await source.readInto(target, offset);
    else target.set(await source.read(offset, length));
    return bytes;
  };
  return {
    fields,
    refusal,
    async readValues({ grid, bitmap, data, packing }) {
      const points = grid.width * grid.height;
      if (bitmap === null)
        return arrange(await unpackField(await readBytes(data), packing, points, jp2Decoder), grid);
      const present = (await readBytes(bitmap)).subarray(0, bitmap.length);
      const count = countPresent(present, points);
      const values = await unpackField(await readBytes(data), packing, count, jp2Decoder);
      return arrange(spread(values, present, points), grid);
    },
  };
}

/** The fields of a file, in its order. */
interface GribIndex {
  readonly fields: readonly GribField[];
  /** Why the first field that was left out was; null if all were understood. */
  readonly refusal: SwathError | null;
}

const HEAD_BYTES = 8;

/** Offset of the first message in some bytes: GRIB and, three or more bytes later, edition 1 or 2; -1 without one. */
export function findGrib(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf('GRIB'); at >= 0; at = buffer.indexOf('GRIB', at + 1)) {
    if (buffer[at + 7] === 1 || buffer[at + 7] === 2) return at;
  }
  return -1;
}

/** Reads the headers of all messages of a file, not their numbers. */
async function readGribIndex(source: ByteSource): Promise<GribIndex> {
  const window = makeByteWindow(source);
  const fields: GribField[] = [];
  const toSharedGrid = shareGrids();
  let refusal: SwathError | null = null;
  for (let at = await findMessage(window, 0); at !== null; ) {
    const edition = (await window.take(at, HEAD_BYTES, 'the head of a message'))[7];
    const message =
      edition === 1 ? await readGrib1Message(window, at) : await readGrib2Message(window, at, toSharedGrid);
    await checkEnd(window, message.end);
    for (const field of message.fields) fields.push(field);
    if (fields.length > MAX_FIELDS) throw over('The index', fields.length, MAX_FIELDS);
    refusal ??= message.refusal;
    at = await findMessage(window, message.end);
  }
  if (fields.length === 0 && refusal === null)
    throw unread('none', 'The file has no message of GRIB edition 1 or 2.');
  return { fields, refusal };
}

async function checkEnd(window: ByteWindow, end: number): Promise<void> {
  const last = await window.take(end - 4, 4, 'a message');
  if (!last.every((byte) => byte === 0x37)) throw damaged('a message does not end with 7777');
}

/** The next message from an offset on; null at the end of the file. */
async function findMessage(window: ByteWindow, from: number): Promise<number | null> {
  for (let at = from; at + HEAD_BYTES <= window.size; at += HEAD_READ_BYTES - HEAD_BYTES + 1) {
    const length = Math.min(HEAD_READ_BYTES, window.size - at);
    // The next message begins in the bytes that are there already, or at once: no need to read more than its head.
    const next = await window.take(at, HEAD_BYTES, 'a message');
    if (findGrib(next) === 0) return at;
    const found = findGrib(await window.take(at, length, 'a message'));
    if (found >= 0) return at + found;
    if (at - from > MAX_GAP_BYTES)
      throw from === 0
        ? unread('none', 'The file has no message of GRIB edition 1 or 2.')
        : damaged(`more than ${MAX_GAP_BYTES} bytes that are not GRIB follow a message`);
  }
  return null;
}

/** Fields of a file share few grids; an index of 100,000 fields holds each of them once. */
function shareGrids(): (section: Uint8Array) => GribGrid {
  let latest: { readonly section: Uint8Array; readonly grid: GribGrid } | null = null;
  return (section) => {
    if (latest === null || Buffer.compare(latest.section, section) !== 0)
      latest = { section, grid: toGrib2Grid(section) };
    return latest.grid;
  };
}

/** The stored values of a field, `count` of them, in the order of the file. The bytes end with `SPARE_BYTES` more. */
async function unpackField(
  bytes: Uint8Array,
  packing: Packing,
  count: number,
  jp2Decoder: Jp2Decoder,
): Promise<Float32Array> {
  if (packing.count !== null && packing.count !== count)
    throw damaged(`a field has ${packing.count} values, and its grid and bitmap ask for ${count}`);
  if (packing.kind === 'ieee') return unpackIeee(bytes, count, packing.bytes);
  const { scaling } = packing;
  if (packing.kind === 'simple') return unpackValues(bytes, packing.bits, count, scaling);
  if (packing.kind === 'second-order') return unpackSecondOrder(bytes, count, scaling, packing);
  if (packing.kind === 'complex')
    // A field without groups has the reference everywhere.
    return packing.groups.count === 0
      ? unpackValues(bytes, 0, count, scaling)
      : unpackComplex(bytes, count, scaling, packing.groups);
  // Without bits all values are the reference, and nothing is stored.
  if (packing.bits === 0 || count === 0) return unpackValues(bytes, 0, count, scaling);
  const stored = bytes.subarray(0, bytes.length - SPARE_BYTES);
  if (packing.kind === 'ccsds') return scaleNumbers(unpackCcsds(bytes, count, packing), scaling);
  if (packing.kind === 'png') return scaleNumbers(unpackPng(stored, count), scaling);
  return scaleNumbers(await unpackJpeg2000(stored, count, jp2Decoder), scaling);
}

/** Floats as they are stored, of four or eight bytes each (data template 7.4). */
function unpackIeee(bytes: Uint8Array, count: number, bytesEach: 4 | 8): Float32Array {
  if (count * bytesEach > bytes.length - SPARE_BYTES)
    throw damaged('its floats do not fit into their section');
  const view = toView(bytes);
  const values = new Float32Array(count);
  if (bytesEach === 4) for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i);
  else for (let i = 0; i < count; i++) values[i] = view.getFloat64(8 * i);
  return values;
}

function scaleNumbers(
  numbers: Uint8Array | Uint16Array | Float64Array,
  { reference, binary, decimal }: Scaling,
): Float32Array {
  const values = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) values[i] = (numbers[i]! * binary + reference) * decimal;
  return values;
}

/** How many points of a bitmap have a value. */
function countPresent(bitmap: Uint8Array, points: number): number {
  if (8 * bitmap.length < points) throw damaged('a bitmap is shorter than its grid');
  let present = 0;
  const whole = points >> 3;
  for (let i = 0; i < whole; i++) present += ONES[bitmap[i]!]!;
  if ((points & 7) !== 0) present += ONES[bitmap[whole]! & (0xff00 >> (points & 7))]!;
  return present;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Values of the points that a bitmap says are there, with NaN at the others. */
function spread(values: Float32Array, bitmap: Uint8Array, points: number): Float32Array {
  const all = new Float32Array(points);
  for (let i = 0, next = 0; i < points; i++)
    all[i] = (bitmap[i >> 3]! & (0x80 >> (i & 7))) === 0 ? Number.NaN : values[next++]!;
  return all;
}

/** The points row by row from the north, each row from the west, whichever way they are stored. */
function arrange(values: Float32Array, { width, height, scan }: GribGrid): Float32Array {
  const { isEastFirst, isSouthFirst, isByColumn, isAlternating } = scan;
  if (!isEastFirst && !isSouthFirst && !isByColumn && !isAlternating) return values;
  const arranged = new Float32Array(values.length);
  const [lines, length] = isByColumn ? [width, height] : [height, width];
  const [lineStep, step] = isByColumn ? [1, width] : [width, 1];
  const isLineBackwards = isByColumn ? isEastFirst : isSouthFirst;
  const isBackwards = isByColumn ? isSouthFirst : isEastFirst;
  for (let line = 0, i = 0; line < lines; line++) {
    const start = (isLineBackwards ? lines - 1 - line : line) * lineStep;
    const isTurned = isBackwards !== (isAlternating && line % 2 === 1);
    let target = start + (isTurned ? (length - 1) * step : 0);
    const advance = isTurned ? -step : step;
    for (let k = 0; k < length; k++, i++, target += advance) arranged[target] = values[i]!;
  }
  return arranged;
}
