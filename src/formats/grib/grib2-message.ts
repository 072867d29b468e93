import type { SwathError } from '../../errors.ts';
import { isSwathError } from '../../errors.ts';
import type { ByteWindow, Scaling } from './grib-bytes.ts';
import {
  damaged,
  getSigned16,
  getSigned32,
  MAX_BITS,
  MAX_DATA_BYTES,
  MAX_FIELDS,
  MAX_POINTS,
  MAX_SECTION_BYTES,
  over,
  toView,
  truncated,
  unread,
} from './grib-bytes.ts';
import type { ByteRange, GribField, GribGrid, Groups, Packing, ReadMessage } from './grib-field.ts';
import { checkScaling, refuseGrid, toGribGrid } from './grib-field.ts';
import { toGrib2Product } from './grib2-product.ts';

const HEAD_BYTES = 16;
const SECTION_HEAD_BYTES = 5;
const END = 0x37373737;

/** The shortest sections that can be read, by number. */
const MIN_SECTION_BYTES: Readonly<Record<number, number>> = { 1: 21, 2: 5, 3: 15, 4: 11, 5: 11, 6: 6, 7: 5 };
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
    if (bytes < MIN_SECTION_BYTES[number]! || at + bytes > end - 4)
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
        // Other fields may be readable; if none is, this is the reason.
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

/** Grids of code table 3.1 by the names that programs have for them. */
const GRID_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'rotated latitude and longitude'],
  [2, 'stretched latitude and longitude'],
  [3, 'stretched and rotated latitude and longitude'],
  [10, 'Mercator'],
  [12, 'transverse Mercator'],
  [20, 'polar stereographic'],
  [30, 'Lambert conformal'],
  [31, 'Albers equal area'],
  [40, 'Gaussian'],
  [41, 'rotated Gaussian'],
  [50, 'spherical harmonics'],
  [90, 'space view'],
  [100, 'triangular'],
  [101, 'unstructured'],
  [140, 'Lambert azimuthal equal area'],
  [150, 'HEALPix'],
]);

const MISSING = 0xffffffff;
const TEMPLATE_BYTES = 72;

/** The grid of section 3 of edition 2. */
export function toGrib2Grid(section: Uint8Array): GribGrid {
  const view = toView(section);
  const template = view.getUint16(12);
  if (view.getUint8(5) !== 0)
    throw unread(
      'grid-number',
      'The GRIB file names its grid only by a number; write it with a grid section.',
    );
  if (template !== 0) throw refuseGrid(GRID_NAMES.get(template) ?? `type ${template}`);
  if (section.length < TEMPLATE_BYTES) throw damaged('the header of a grid is too short');
  const [width, height] = [view.getUint32(30), view.getUint32(34)];
  if (width === MISSING || height === MISSING) throw refuseGrid('reduced latitude and longitude');
  if (view.getUint32(6) !== width * height)
    throw damaged(`a grid of ${width} × ${height} has ${view.getUint32(6)} points`);
  // Degrees are in millionths, unless a basic angle and its parts say otherwise.
  const [basic, parts] = [view.getUint32(38), view.getUint32(42)];
  const unit = basic === 0 || basic === MISSING || parts === 0 || parts === MISSING ? 1e-6 : basic / parts;
  // Millionths are divided, not multiplied: 0.1 is 100000 / 1000000 to the last bit.
  const toDegrees = (units: number): number => (unit === 1e-6 ? units / 1e6 : units * unit);
  const flags = view.getUint8(54);
  const toStep = (at: number, flag: number): number | null => {
    const units = view.getUint32(at);
    return (flags & flag) !== 0 && units !== MISSING && units !== 0 ? toDegrees(units) : null;
  };
  return toGribGrid({
    width,
    height,
    firstLat: toDegrees(getSigned32(view, 46)),
    firstLon: toDegrees(getSigned32(view, 50)),
    lastLat: toDegrees(getSigned32(view, 55)),
    lastLon: toDegrees(getSigned32(view, 59)),
    lonStep: toStep(63, 0x20),
    latStep: toStep(67, 0x10),
    unit,
    scan: view.getUint8(71),
  });
}

/** The shortest section 5 of each template that is read. */
const MIN_TEMPLATE_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 20],
  [2, 47],
  [3, 49],
  [4, 12],
  [40, 20],
  [41, 20],
  [42, 25],
]);

/** The packing of section 5 of edition 2. */
function toGrib2Packing(section: Uint8Array): Packing {
  const view = toView(section);
  const [count, template] = [view.getUint32(5), view.getUint16(9)];
  const minBytes = MIN_TEMPLATE_BYTES.get(template);
  if (minBytes === undefined)
    throw unread(
      'packing',
      `The GRIB file is in packing 5.${template}, which is not read; repack it, for example with grib_set -r -s packingType=grid_simple.`,
    );
  if (section.length < minBytes) throw damaged('the header of the numbers is too short');
  if (count > MAX_POINTS) throw over('A field', count, MAX_POINTS);
  if (template === 4) {
    const precision = view.getUint8(11);
    if (precision !== 1 && precision !== 2)
      throw unread('packing', `The GRIB file has floats of precision ${precision}; 32 and 64 bits are read.`);
    return { kind: 'ieee', count, bytes: precision === 1 ? 4 : 8 };
  }
  const scaling: Scaling = {
    reference: view.getFloat32(11),
    binary: 2 ** getSigned16(view, 15),
    decimal: 10 ** -getSigned16(view, 17),
  };
  checkScaling(scaling);
  const bits = view.getUint8(19);
  if (bits > MAX_BITS) throw damaged(`its numbers have ${bits} bits`);
  if (template === 0) return { kind: 'simple', count, bits, scaling };
  if (template === 40) return { kind: 'jpeg2000', count, bits, scaling };
  if (template === 41) return { kind: 'png', count, bits, scaling };
  if (template === 42)
    return {
      kind: 'ccsds',
      count,
      bits,
      scaling,
      flags: view.getUint8(21),
      blockSize: view.getUint8(22),
      interval: view.getUint16(23),
    };
  return { kind: 'complex', count, scaling, groups: toGroups(view, template === 3) };
}

function toGroups(view: DataView, isDifferenced: boolean): Groups {
  const groups: Groups = {
    count: view.getUint32(31),
    referenceBits: view.getUint8(19),
    width: { reference: view.getUint8(35), bits: view.getUint8(36) },
    length: {
      reference: view.getUint32(37),
      increment: view.getUint8(41),
      bits: view.getUint8(46),
      last: view.getUint32(42),
    },
    gaps: view.getUint8(22),
    order: isDifferenced ? view.getUint8(47) : 0,
    startBytes: isDifferenced ? view.getUint8(48) : 0,
  };
  if (groups.count > MAX_POINTS) throw over('A field', groups.count, MAX_POINTS);
  if (groups.gaps > 2 || (isDifferenced && groups.order !== 1 && groups.order !== 2))
    throw unread('packing', 'The GRIB file is in a variant of complex packing that is not read.');
  if (groups.width.bits > MAX_BITS || groups.length.bits > MAX_BITS || groups.startBytes > 4)
    throw damaged('groups of its numbers are too wide');
  return groups;
}
