/** Writes the fields of a protocol buffer message, in the order of the calls. */
export interface ProtobufWriter {
  /** A varint field. */
  uint(field: number, value: number): ProtobufWriter;
  /** A varint field in zigzag encoding, for numbers below zero. */
  sint(field: number, value: number): ProtobufWriter;
  /** A 64-bit field. */
  double(field: number, value: number): ProtobufWriter;
  /** A length-delimited field: a nested message, or packed numbers. */
  bytes(field: number, value: Uint8Array): ProtobufWriter;
  /** A length-delimited field of text in UTF-8. */
  text(field: number, value: string): ProtobufWriter;
  /** A varint without a field number: one of packed numbers. */
  varint(value: number): ProtobufWriter;
  /** What was written so far. */
  toBytes(): Uint8Array<ArrayBuffer>;
}

/** How a field is stored (Protocol Buffers encoding, wire types). */
const WIRE = { varint: 0, fixed64: 1, lengthDelimited: 2 } as const;

/** Numbers are exact up to 2^53; this many groups of seven bits hold them. */
const MAX_VARINT_BYTES = 8;

const FIRST_BYTES = 256;

/** Interleaves numbers below zero with the others, so that small ones of both signs are short. */
export const toZigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Makes a writer of one message. */
export function makeProtobufWriter(): ProtobufWriter {
  let buffer = new Uint8Array(FIRST_BYTES);
  let length = 0;
  const reserve = (count: number): void => {
    if (length + count <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, length + count));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  const varint = (value: number): void => {
    reserve(MAX_VARINT_BYTES);
    let rest = value;
    // Division instead of shifts, which end at 32 bits.
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[length++] = (rest % 0x80) | 0x80;
    buffer[length++] = rest;
  };
  const tag = (field: number, wire: number): void => varint(field * 8 + wire);
  const writer: ProtobufWriter = {
    uint: (field, value) => {
      tag(field, WIRE.varint);
      varint(value);
      return writer;
    },
    sint: (field, value) => writer.uint(field, toZigzag(value)),
    double: (field, value) => {
      tag(field, WIRE.fixed64);
      reserve(8);
      new DataView(buffer.buffer).setFloat64(length, value, true);
      length += 8;
      return writer;
    },
    bytes: (field, value) => {
      tag(field, WIRE.lengthDelimited);
      varint(value.length);
      reserve(value.length);
      buffer.set(value, length);
      length += value.length;
      return writer;
    },
    text: (field, value) => writer.bytes(field, new TextEncoder().encode(value)),
    varint: (value) => {
      varint(value);
      return writer;
    },
    toBytes: () => buffer.slice(0, length),
  };
  return writer;
}
