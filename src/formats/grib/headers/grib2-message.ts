import type { SwathError } from '../../../errors.ts';
import { isSwathError } from '../../../errors.ts';
import { damaged, over, truncated, unread } from '../bytes/grib-errors.ts';
import { toView } from '../bytes/numbers.ts';
import { MAX_DATA_BYTES, MAX_FIELDS, MAX_SECTION_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import type { ByteRange, GribField } from './grib-field.ts';
import { toGrib2Grid } from './grib2-grid.ts';
import { toGrib2Packing } from './grib2-packing.ts';
import { toGrib2Product } from './grib2-product.ts';
import type { GribGrid } from './grid.ts';
import type { ReadMessage } from './message.ts';

const HEAD_BYTES = 16;
const SECTION_HEAD_BYTES = 5;
const END = 0x37373737;

/** The shortest sections that can be read, by number. */
const MIN_BYTES: Readonly<Record<number, number>> = { 1: 21, 2: 5, 3: 15, 4: 11, 5: 11, 6: 6, 7: 5 };
/** Sections after each that may follow it; 2 to 4 begin a further field of the message. */
const NEXT: Readonly<Record<number, readonly number[]>> = {
  0: [1],
  1: [2, 3],
  2: [3],
  3: [4],
  4: [5],
  5: [6],
  6: [7],
  7: [2, 3, 4],
};

/** Sections that hold for the next field. */
interface Current {
  readonly discipline: number;
  identification: Uint8Array;
  grid: Uint8Array;
  product: Uint8Array;
  representation: Uint8Array;
  /** Null without a bitmap. */
  bitmap: ByteRange | null;
  bitmapNumber: number;
}

/** Reads what a message of edition 2 says about its fields; the numbers are left where they are. */
export async function readGrib2Message(
  window: ByteWindow,
  start: number,
  toSharedGrid: (section: Uint8Array) => GribGrid = toGrib2Grid,
): Promise<ReadMessage> {
  const head = toView(await window.take(start, HEAD_BYTES, 'the head of a message'));
  const length = Number(head.getBigUint64(8));
  const end = start + length;
  if (!(end <= window.size)) throw truncated('a message');
  const empty = new Uint8Array();
  const current: Current = {
    discipline: head.getUint8(6),
    identification: empty,
    grid: empty,
    product: empty,
    representation: empty,
    bitmap: null,
    bitmapNumber: NO_BITMAP,
  };
  const fields: GribField[] = [];
  let refusal: SwathError | null = null;
  let fieldCount = 0;
  let before = 0;
  let at = start + HEAD_BYTES;
  for (;;) {
    const first = toView(await window.take(at, 4, 'a section')).getUint32(0);
    if (first === END) break;
    const section = toView(await window.take(at, SECTION_HEAD_BYTES, 'a section'));
    const [bytes, number] = [section.getUint32(0), section.getUint8(4)];
    if (!NEXT[before]!.includes(number)) throw damaged(`section ${number} follows section ${before}`);
    if (bytes < MIN_BYTES[number]! || at + bytes > end - 4)
      throw damaged(`section ${number} has ${bytes} bytes`);
    const readWhole = async (): Promise<Uint8Array> => {
      if (bytes > MAX_SECTION_BYTES) throw over(`Section ${number}`, bytes, MAX_SECTION_BYTES);
      return (await window.take(at, bytes, 'a section')).slice();
    };
    if (number === 1) current.identification = await readWhole();
    else if (number === 3) current.grid = await readWhole();
    else if (number === 4) current.product = await readWhole();
    else if (number === 5) current.representation = await readWhole();
    else if (number === 6) {
      const indicator = (await window.take(at + 5, 1, 'a bitmap'))[0]!;
      // The bitmap of an earlier field of the message holds on.
      if (indicator !== SAME_BITMAP) {
        current.bitmapNumber = indicator;
        current.bitmap = indicator === 0 ? { offset: at + 6, length: bytes - 6 } : null;
      }
    } else if (number === 7) {
      fieldCount += 1;
      if (fieldCount > MAX_FIELDS) throw over('A message', fieldCount, MAX_FIELDS);
      const data = { offset: at + SECTION_HEAD_BYTES, length: bytes - SECTION_HEAD_BYTES };
      if (data.length > MAX_DATA_BYTES) throw over('A field', data.length, MAX_DATA_BYTES);
      try {
        fields.push(toField(current, data, toSharedGrid));
      } catch (error) {
        // Other fields may do; if there is none, this is why.
        if (!isSwathError(error) || error.tag !== 'unsupported') throw error;
        refusal ??= error;
      }
    }
    at += bytes;
    before = number;
  }
  if (at + 4 !== end || before !== 7) throw damaged('a message ends too early');
  return { end, fields, refusal };
}

const SAME_BITMAP = 254;
const NO_BITMAP = 255;

function toField(
  { discipline, identification, grid, product, representation, bitmap, bitmapNumber }: Current,
  data: ByteRange,
  toSharedGrid: (section: Uint8Array) => GribGrid,
): GribField {
  if (bitmap === null && bitmapNumber !== NO_BITMAP)
    throw unread('bitmap-number', `The GRIB file names a bitmap (${bitmapNumber}) that it does not hold.`);
  const id = toView(identification);
  const { category, number, level, time } = toGrib2Product(product, id);
  return {
    edition: 2,
    centre: id.getUint16(5),
    parameter: [discipline, category, number],
    level,
    grid: toSharedGrid(grid),
    ...time,
    packing: toGrib2Packing(representation),
    data,
    bitmap,
  };
}
