import type { Size } from '../geo/index.ts';
import type { Allocate, Kernels } from '../raster/index.ts';
import { badInput, internal, tooLarge } from './errors.ts';

/** A picture in the memory of the kernels: four bytes a pixel, the last of which is ignored. */
export interface JpegPicture {
  readonly rgbaAt: number;
  readonly width: number;
  readonly height: number;
  /** 1 to 100 on libjpeg's scale; 85 by default, which looks like a PNG on a map. */
  readonly quality?: number;
  /** Colour for every four pixels (`4:2:0`, the default), for every pixel (`4:4:4`), or none. */
  readonly color?: keyof typeof LAYOUTS;
}

/** `number` is that of kernels/jpeg-job.ts; a unit is the square of pixels whose blocks are stored together. */
const LAYOUTS = {
  '4:2:0': { number: 0, planeCount: 3, colorEvery: 2, unitPx: 16, unitBlocks: 6 },
  '4:4:4': { number: 1, planeCount: 3, colorEvery: 1, unitPx: 8, unitBlocks: 3 },
  grey: { number: 2, planeCount: 1, colorEvery: 1, unitPx: 8, unitBlocks: 1 },
} as const;

/** Default quality. */
const DEFAULT_QUALITY = 85;

/**
 * Encodes a baseline JPEG; transparent pixels, which are zeros, become black. The bytes depend on nothing but the
 * picture, and are their own copy.
 */
export function encodeJpeg(
  kernels: Kernels,
  allocate: Allocate,
  picture: JpegPicture,
): Uint8Array<ArrayBuffer> {
  const { width, height, quality = DEFAULT_QUALITY, color = '4:2:0' } = picture;
  const scan = encodeScan(kernels, allocate, picture);
  return joinBytes([makeHeader({ width, height, ...LAYOUTS[color] }, makeTables(quality)), ...scan]);
}

/** T.81, table B.7: the restart interval has 16 bits. */
const MAX_INTERVAL = 65_535;
const LAYOUT = LAYOUTS['4:2:0'];
const END_OF_IMAGE = Uint8Array.of(0xff, 0xd9);

/**
 * Encodes some rows of a larger JPEG, as a part of its scan; strips can be made in any order, on any thread. Between
 * restart markers no block depends on those before, so the pixels are those of the one picture.
 */
export function encodeJpegStrip(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height }: Pick<JpegPicture, 'rgbaAt' | 'width' | 'height'>,
): Uint8Array<ArrayBuffer> {
  const pieces = encodeScan(kernels, allocate, { rgbaAt, width, height });
  return joinBytes(pieces.with(-1, (pieces.at(-1) as Uint8Array).subarray(0, -END_OF_IMAGE.length)));
}

/** What a JPEG of strips begins with; all strips except the last have `stripRows` rows. */
export function toJpegStripsHead({ width, height }: Size, stripRows: number): Uint8Array {
  const interval = Math.ceil(width / LAYOUT.unitPx) * (stripRows / LAYOUT.unitPx);
  if (!Number.isInteger(interval) || interval > MAX_INTERVAL) {
    throw internal('jpeg-strips', `A JPEG of ${width} columns has no strips of ${stripRows} rows.`);
  }
  return makeHeader({ width, height, ...LAYOUT, restartInterval: interval }, makeTables(DEFAULT_QUALITY));
}

/** The marker after a strip: the end of the picture, or one of the eight restart markers in turn. */
export const toJpegStripEnd = (strip: number, isLast: boolean): Uint8Array =>
  isLast ? END_OF_IMAGE : Uint8Array.of(0xff, 0xd0 + (strip % 8));

/** Pieces in memory of their own. */
function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** A frame has 16 bits for its sides. */
const MAX_SIDE_PX = 65_535;
/** 22 bits of the first coefficient, 63 times 26 of the others; and each byte may be followed by a stuffed one. */
const MAX_BLOCK_BYTES = 2 * Math.ceil((22 + 63 * 26) / 8);
/** Bits left over from the rows before, and the marker of the end. */
const MAX_REST_BYTES = 2 * 9 + 2;
/** Rows of units are encoded together as long as this suffices for the worst: a tile of 256 pixels is one piece. */
const PIECE_BYTES = 1024 * 1024;
/** What kernels/jpeg-job.ts lays out there. */
const WORK_BYTES = 13_056;
const JOB_FIELDS = 7;

/**
 * Encodes the scan of a baseline JPEG, in pieces, with the marker of the end after it: that of libjpeg, to the bit. The
 * last piece is a view on the kernels' memory.
 */
function encodeScan(
  kernels: Kernels,
  allocate: Allocate,
  { rgbaAt, width, height, quality = DEFAULT_QUALITY, color = '4:2:0' }: JpegPicture,
): readonly Uint8Array[] {
  checkPicture(width, height, quality);
  const { number, unitPx, unitBlocks } = LAYOUTS[color];
  const tables = makeTables(quality);
  const tableBytes = Buffer.concat([...tables.steps, ...tables.firsts, ...tables.runs]);

  const rowCount = Math.ceil(height / unitPx);
  const rowBytes = Math.ceil(width / unitPx) * unitBlocks * MAX_BLOCK_BYTES;
  const pieceRows = Math.min(rowCount, Math.max(1, Math.floor(PIECE_BYTES / rowBytes)));
  const jobAt = allocate(JOB_FIELDS * 4);
  const tablesAt = allocate(tableBytes.length);
  const workAt = allocate(WORK_BYTES);
  const outAt = allocate(pieceRows * rowBytes + MAX_REST_BYTES);
  const memory = new Uint8Array(kernels.buffer());
  memory.set(tableBytes, tablesAt);
  new Uint32Array(memory.buffer, jobAt, JOB_FIELDS).set([
    ...[rgbaAt, width, height, number],
    ...[tablesAt, workAt, outAt],
  ]);

  kernels.run.jpegStart(jobAt);
  const pieces: Uint8Array[] = [];
  for (let row = 0; row < rowCount; row += pieceRows) {
    const end = Math.min(row + pieceRows, rowCount);
    const piece = memory.subarray(outAt, outAt + kernels.run.jpegRows(jobAt, row, end));
    pieces.push(end === rowCount ? piece : piece.slice());
  }
  return pieces;
}

function checkPicture(width: number, height: number, quality: number): void {
  if (!(width >= 1 && height >= 1 && width <= MAX_SIDE_PX && height <= MAX_SIDE_PX)) {
    throw tooLarge('jpeg-size', `A JPEG has 1 to ${MAX_SIDE_PX} pixels a side, not ${width} × ${height}.`);
  }
  if (!(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw badInput('jpeg-quality', `The quality of a JPEG is a whole number from 1 to 100, not ${quality}.`);
  }
}

/** What the header says about a picture. */
interface JpegFrame {
  readonly width: number;
  readonly height: number;
  /** 1 for grey, 3 for brightness and two of colour. */
  readonly planeCount: 1 | 3;
  /** How many samples of brightness there are for one of colour, in x and in y. */
  readonly colorEvery: 1 | 2;
  /** Units between restart markers; without it the scan has none. */
  readonly restartInterval?: number;
}

/** Start of image and JFIF 1.01 with square pixels of no known size. */
const START = Uint8Array.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 16],
  ...Buffer.from('JFIF\0'),
  ...[1, 1, 0, 0, 1, 0, 1, 0, 0],
]);
/** What all segments below take together when there are three planes. */
const MAX_BYTES = 629;

/** Everything before the scan: the tables, a baseline frame and one scan of all planes. */
function makeHeader(frame: JpegFrame, { steps, firsts, runs }: JpegTables): Uint8Array {
  const { width, height, planeCount, colorEvery, restartInterval } = frame;
  // Copied part by part into one array: joining arrays took 20 microseconds, a tenth of what a tile takes.
  const bytes = new Uint8Array(MAX_BYTES);
  let at = 0;
  const put = (part: Uint8Array | readonly number[]): void => {
    bytes.set(part, at);
    at += part.length;
  };
  const putTable = (marker: number, id: number, table: Uint8Array): void => {
    put([0xff, marker, 0, table.length + 3, id]);
    put(table);
  };

  put(START);
  putTable(0xdb, 0, steps[0]);
  if (planeCount === 3) putTable(0xdb, 1, steps[1]);
  put([0xff, 0xc0, 0, 8 + 3 * planeCount, 8, height >> 8, height & 255, width >> 8, width & 255, planeCount]);
  put([1, colorEvery * 0x11, 0]);
  if (planeCount === 3) put([2, 0x11, 1, 3, 0x11, 1]);
  putTable(0xc4, 0, firsts[0]);
  putTable(0xc4, 0x10, runs[0]);
  if (planeCount === 3) putTable(0xc4, 1, firsts[1]);
  if (planeCount === 3) putTable(0xc4, 0x11, runs[1]);
  if (restartInterval !== undefined) put([0xff, 0xdd, 0, 4, restartInterval >> 8, restartInterval & 255]);
  put([0xff, 0xda, 0, 6 + 2 * planeCount, planeCount, 1, 0]);
  if (planeCount === 3) put([2, 0x11, 3, 0x11]);
  put([0, 63, 0]);
  return bytes.subarray(0, at);
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

/** Steps of brightness at quality 50, in the order of the file: T.81, table K.1. */
const BRIGHTNESS_STEPS = hex(`
  100b0c0e0c0a100e0d0e1211101318281a181616183123251d283a333d3c3933
  383740485c4e404457453738506d51575f626768673e4d71797064785c656763`);

/** Steps of colour at quality 50: T.81, table K.2, whose larger half is all 99. */
const COLOR_STEPS = new Uint8Array(64).fill(99);
COLOR_STEPS.set(hex('1112121815182f1a1a2f6342384263'));

/** How many codes have 1 to 16 bits and then their symbols, here sizes of first coefficients: T.81, K.3 and K.4. */
const BRIGHTNESS_FIRSTS = hex('00010501010101010100000000000000 000102030405060708090a0b');
const COLOR_FIRSTS = hex('00030101010101010101010000000000 000102030405060708090a0b');

/** The same for runs of zeros and the sizes of the coefficients after them: T.81, tables K.5 and K.6. */
const BRIGHTNESS_RUNS = hex(`0002010303020403050504040000017d
  01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728
  292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a83848586878889
  8a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2
  e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa`);
const COLOR_RUNS = hex(`00020102040403040705040400010277
  000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a26
  2728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a828384858687
  88898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9da
  e2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa`);

/** A table each for brightness and for colour. */
type Pair = readonly [brightness: Uint8Array, color: Uint8Array];

/** The tables of a picture, in the form of its file. */
interface JpegTables {
  readonly steps: Pair;
  readonly firsts: Pair;
  readonly runs: Pair;
}

/** Tables of a quality from 1 to 100: only the steps depend on it. */
const makeTables = (quality: number): JpegTables => ({
  steps: [scaleSteps(BRIGHTNESS_STEPS, quality), scaleSteps(COLOR_STEPS, quality)],
  firsts: [BRIGHTNESS_FIRSTS, COLOR_FIRSTS],
  runs: [BRIGHTNESS_RUNS, COLOR_RUNS],
});

/** As libjpeg scales, on which everyone's idea of a quality rests; baseline files hold steps up to 255. */
function scaleSteps(steps: Uint8Array, quality: number): Uint8Array {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return steps.map((step) => Math.min(Math.max(Math.floor((step * percent + 50) / 100), 1), 255));
}
