import type { TestPacking } from './encode-numbers.ts';
import { BitWriter, packNumbers } from './encode-numbers.ts';

/** A field to be encoded for a test. Numbers are those of the code tables of its edition. */
export interface TestField {
  readonly edition: 1 | 2;
  /** 7 (NCEP) by default. */
  readonly centre?: number;
  /** Table and number in edition 1; discipline, category and number in edition 2. */
  readonly parameter: readonly number[];
  /** Type and number; a layer in edition 2 has two numbers. Depths of edition 2 are in centimetres here. */
  readonly level: readonly [type: number, value?: number, to?: number];
  /** When the run began. */
  readonly run: string;
  /** Hours after the run; with a beginning it is a period. */
  readonly hours?: number;
  readonly fromHours?: number;
  /** Time range indicator of edition 1 (0), or the statistic of a period in edition 2 (1, a sum). */
  readonly statistic?: number;
  readonly grid: {
    readonly west: number;
    readonly north: number;
    readonly lonStep: number;
    readonly latStep: number;
    readonly width: number;
    readonly height: number;
  };
  /** Flags of the scanning mode: 0, from the north west along rows. */
  readonly scan?: number;
  readonly packing?: TestPacking;
  readonly bits?: number;
  readonly binaryScale?: number;
  readonly decimalScale?: number;
  /** In the order of the file, before the decimal scale; NaN is a gap. */
  readonly values: readonly number[];
}

const HOUR_MS = 3_600_000;
const NO_NUMBER = 0xffffffff;

/** A message with one field; of edition 2 also with several that share the grid of the first. */
export function encodeGrib(first: TestField, ...more: readonly TestField[]): Uint8Array {
  if (first.edition === 1) return encodeGrib1(first);
  const fields = [first, ...more].flatMap(toFieldSections);
  const body = Buffer.concat([toIdentification(first), toGridSection(first), ...fields, Buffer.from('7777')]);
  const head = new BitWriter().put(0x47524942, 32).put(0, 16).put(first.parameter[0]!, 8).put(2, 8);
  return Buffer.concat([
    head
      .put(0, 32)
      .put(body.length + 16, 32)
      .toBytes(),
    body,
  ]);
}

const toSection = (number: number, body: Uint8Array): Uint8Array =>
  Buffer.concat([
    new BitWriter()
      .put(body.length + 5, 32)
      .put(number, 8)
      .toBytes(),
    body,
  ]);

function putMoment(writer: BitWriter, ms: number): BitWriter {
  const date = new Date(ms);
  return writer
    .put(date.getUTCFullYear(), 16)
    .put(date.getUTCMonth() + 1, 8)
    .put(date.getUTCDate(), 8)
    .put(date.getUTCHours(), 8)
    .put(date.getUTCMinutes(), 8)
    .put(date.getUTCSeconds(), 8);
}

function toIdentification({ centre = 7, run }: TestField): Uint8Array {
  const writer = new BitWriter().put(centre, 16).put(0, 16).put(30, 8).put(1, 8).put(1, 8);
  return toSection(1, putMoment(writer, Date.parse(run)).put(0, 8).put(1, 8).toBytes());
}

/** The corners of a grid in the order of its scanning mode. */
function toCorners({ grid, scan = 0 }: TestField) {
  const { west, north, lonStep, latStep, width, height } = grid;
  const [east, south] = [west + lonStep * (width - 1), north - latStep * (height - 1)];
  const [isEastFirst, isSouthFirst] = [(scan & 0x80) !== 0, (scan & 0x40) !== 0];
  return {
    first: [isSouthFirst ? south : north, isEastFirst ? east : west] as const,
    last: [isSouthFirst ? north : south, isEastFirst ? west : east] as const,
  };
}

function toGridSection(field: TestField): Uint8Array {
  const { grid, scan = 0 } = field;
  const { first, last } = toCorners(field);
  const micro = (degrees: number): number => Math.round(degrees * 1e6);
  const writer = new BitWriter()
    .put(0, 8)
    .put(grid.width * grid.height, 32)
    .put(0, 32);
  writer.put(6, 8);
  for (let i = 0; i < 15; i++) writer.put(0, 8);
  writer.put(grid.width, 32).put(grid.height, 32).put(0, 32).put(NO_NUMBER, 32);
  writer.putSigned(micro(first[0]), 32).putSigned(micro(first[1]), 32).put(0x30, 8);
  writer.putSigned(micro(last[0]), 32).putSigned(micro(last[1]), 32);
  writer.put(micro(grid.lonStep), 32).put(micro(grid.latStep), 32).put(scan, 8);
  return toSection(3, writer.toBytes());
}

function toFieldSections(field: TestField): readonly Uint8Array[] {
  const { packing = 'simple', bits, binaryScale, decimalScale = 0, values } = field;
  const hasGaps = values.some(Number.isNaN);
  const isGrouped = packing !== 'simple' && packing !== 'ieee';
  const isMapped = hasGaps && !isGrouped;
  const stored = isMapped ? values.filter((value) => !Number.isNaN(value)) : values;
  const packed = packNumbers(stored, packing, bits === undefined ? { binaryScale } : { bits, binaryScale });
  const template = { simple: 0, complex: 2, 'differences-1': 3, 'differences-2': 3, ieee: 4 }[packing];
  const representation = new BitWriter().put(stored.length, 32).put(template, 16);
  if (packing === 'ieee') representation.put(1, 8);
  else {
    const float = new DataView(new ArrayBuffer(4));
    float.setFloat32(0, packed.reference);
    representation
      .put(float.getUint32(0), 32)
      .putSigned(packed.binaryScale, 16)
      .putSigned(decimalScale, 16)
      .put(packed.bits, 8)
      .put(0, 8);
  }
  const bitmap = isMapped ? Buffer.concat([Uint8Array.of(0), toBitmap(values)]) : Uint8Array.of(255);
  return [
    toProductSection(field),
    toSection(5, Buffer.concat([representation.toBytes(), packed.template])),
    toSection(6, bitmap),
    toSection(7, packed.data),
  ];
}

function toBitmap(values: readonly number[]): Uint8Array {
  const writer = new BitWriter();
  for (const value of values) writer.put(Number.isNaN(value) ? 0 : 1, 1);
  return writer.toBytes();
}

function toProductSection({
  parameter,
  level,
  run,
  hours = 0,
  fromHours,
  statistic = 1,
}: TestField): Uint8Array {
  const [type, value, to] = level;
  const writer = new BitWriter().put(0, 16).put(fromHours === undefined ? 0 : 8, 16);
  writer.put(parameter[1]!, 8).put(parameter[2]!, 8).put(2, 8).put(0, 8).put(0, 8).put(0, 16).put(0, 8);
  writer.put(1, 8).putSigned(fromHours ?? hours, 32);
  const putSurface = (number: number, at: number | undefined): void => {
    writer.put(number, 8);
    if (at === undefined) writer.put(0xff, 8).put(NO_NUMBER, 32);
    // Depths below the ground have two decimals.
    else writer.put(type === 106 ? 2 : 0, 8).put(at, 32);
  };
  putSurface(type, value);
  putSurface(to === undefined ? 0xff : type, to);
  if (fromHours !== undefined) {
    putMoment(writer, Date.parse(run) + hours * HOUR_MS)
      .put(1, 8)
      .put(0, 32);
    writer
      .put(statistic, 8)
      .put(2, 8)
      .put(1, 8)
      .put(hours - fromHours, 32)
      .put(1, 8)
      .put(0, 32);
  }
  return toSection(4, writer.toBytes());
}

function encodeGrib1(field: TestField): Uint8Array {
  const { centre = 7, parameter, level, run, hours = 0, fromHours, statistic = 0, grid, scan = 0 } = field;
  const { decimalScale = 0, bits, binaryScale, values } = field;
  const hasGaps = values.some(Number.isNaN);
  const date = new Date(run);
  const product = new BitWriter().put(28, 24).put(parameter[0]!, 8).put(centre, 8).put(0, 8).put(255, 8);
  product
    .put(hasGaps ? 0xc0 : 0x80, 8)
    .put(parameter[1]!, 8)
    .put(level[0], 8);
  if (level[2] === undefined) product.put(level[1] ?? 0, 16);
  else product.put(level[1]!, 8).put(level[2], 8);
  const year = date.getUTCFullYear();
  const century = Math.floor((year - 1) / 100) + 1;
  product
    .put(year - (century - 1) * 100, 8)
    .put(date.getUTCMonth() + 1, 8)
    .put(date.getUTCDate(), 8);
  product.put(date.getUTCHours(), 8).put(date.getUTCMinutes(), 8).put(1, 8);
  if (statistic === 10) product.put(hours, 16);
  else product.put(fromHours ?? hours, 8).put(fromHours === undefined ? 0 : hours, 8);
  product.put(statistic, 8).put(0, 16).put(0, 8).put(century, 8).put(0, 8).putSigned(decimalScale, 16);
  const { first, last } = toCorners(field);
  const milli = (degrees: number): number => Math.round(degrees * 1e3);
  const corners = new BitWriter().put(32, 24).put(0, 8).put(255, 8).put(0, 8);
  corners
    .put(grid.width, 16)
    .put(grid.height, 16)
    .putSigned(milli(first[0]), 24)
    .putSigned(milli(first[1]), 24);
  corners.put(0x80, 8).putSigned(milli(last[0]), 24).putSigned(milli(last[1]), 24);
  corners.put(milli(grid.lonStep), 16).put(milli(grid.latStep), 16).put(scan, 8).put(0, 32);
  const stored = values.filter((value) => !Number.isNaN(value));
  const packed = packNumbers(stored, 'simple', bits === undefined ? { binaryScale } : { bits, binaryScale });
  const bitmap = toBitmap(values);
  const map = new BitWriter()
    .put(bitmap.length + 6, 24)
    .put(8 * bitmap.length - values.length, 8)
    .put(0, 16);
  const data = new BitWriter()
    .put(packed.data.length + 11, 24)
    .put(8 * packed.data.length - stored.length * packed.bits, 8);
  data.putSigned(packed.binaryScale, 16).put(toIbmFloat(packed.reference), 32).put(packed.bits, 8);
  const body = Buffer.concat([
    product.toBytes(),
    corners.toBytes(),
    ...(hasGaps ? [map.toBytes(), bitmap] : []),
    data.toBytes(),
    packed.data,
    Buffer.from('7777'),
  ]);
  return Buffer.concat([
    new BitWriter()
      .put(0x47524942, 32)
      .put(body.length + 8, 24)
      .put(1, 8)
      .toBytes(),
    body,
  ]);
}

/** A float of the IBM System/360 that is exact for whole numbers up to 24 bits. */
function toIbmFloat(value: number): number {
  if (value === 0) return 0;
  let [exponent, fraction] = [64, Math.abs(value)];
  while (fraction >= 1) [exponent, fraction] = [exponent + 1, fraction / 16];
  while (fraction < 1 / 16) [exponent, fraction] = [exponent - 1, fraction * 16];
  return (value < 0 ? 2 ** 31 : 0) + exponent * 2 ** 24 + Math.floor(fraction * 2 ** 24);
}
