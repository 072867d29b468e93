/** Writes numbers of any width, highest bit first. */
export class BitWriter {
  readonly #bits: number[] = [];

  put(number: number, width: number): this {
    if (!(Number.isInteger(number) && number >= 0 && number < 2 ** width))
      throw new Error(`${number} does not have ${width} bits`);
    for (let bit = width - 1; bit >= 0; bit--) this.#bits.push(Math.floor(number / 2 ** bit) % 2);
    return this;
  }

  /** A sign and a magnitude, as GRIB writes numbers below zero. */
  putSigned(number: number, width: number): this {
    return this.put(number < 0 ? 1 : 0, 1).put(Math.abs(number), width - 1);
  }

  /** Fills up the last byte. */
  align(): this {
    while (this.#bits.length % 8 !== 0) this.#bits.push(0);
    return this;
  }

  toBytes(): Uint8Array {
    this.align();
    return new Uint8Array(this.#bits.length / 8).map((_, i) =>
      this.#bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0),
    );
  }
}

/** How numbers are to be packed. */
export type TestPacking = 'simple' | 'complex' | 'differences-1' | 'differences-2' | 'ieee';

/** Packed values, and what their header must say. */
interface PackedNumbers {
  readonly reference: number;
  readonly binaryScale: number;
  readonly bits: number;
  /** The rest of the template after the type of values, of complex packing. */
  readonly template: Uint8Array;
  readonly data: Uint8Array;
}

const GROUP = 8;
const WIDTH_BITS = 5;

/** Packs values; NaN only in complex packing. The reference is a float32, and of few digits for the floats of edition 1. */
export function packNumbers(
  values: readonly number[],
  packing: TestPacking,
  { bits = 16, binaryScale }: { readonly bits?: number; readonly binaryScale?: number | undefined },
): PackedNumbers {
  if (packing === 'ieee') {
    const data = new Uint8Array(4 * values.length);
    const view = new DataView(data.buffer);
    for (const [i, value] of values.entries()) view.setFloat32(4 * i, value);
    return { reference: 0, binaryScale: 0, bits: 0, template: new Uint8Array(), data };
  }
  const present = values.filter((value) => !Number.isNaN(value));
  const reference = present.length === 0 ? 0 : Math.floor(Math.min(...present));
  const range = present.length === 0 ? 0 : Math.max(...present) - reference;
  const scale = binaryScale ?? (range === 0 ? 0 : Math.ceil(Math.log2(range / (2 ** bits - 1))));
  const numbers = values.map((value) =>
    Number.isNaN(value) ? null : Math.round((value - reference) / 2 ** scale),
  );
  if (packing === 'simple') {
    const writer = new BitWriter();
    for (const number of numbers) writer.put(number!, bits);
    return { reference, binaryScale: scale, bits, template: new Uint8Array(), data: writer.toBytes() };
  }
  const order = packing === 'complex' ? 0 : packing === 'differences-1' ? 1 : 2;
  return { reference, binaryScale: scale, ...packGroups(numbers, order) };
}

/** Groups of eight numbers; gaps are coded as all bits set (missing value management 1). */
function packGroups(
  numbers: readonly (number | null)[],
  order: 0 | 1 | 2,
): Pick<PackedNumbers, 'bits' | 'template' | 'data'> {
  const { differences, starts, smallest } = toDifferences(numbers, order);
  const groups: (number | null)[][] = [];
  for (let i = 0; i < differences.length; i += GROUP) groups.push(differences.slice(i, i + GROUP));
  const coded = groups.map((group) => {
    const there = group.filter((number) => number !== null);
    const base = there.length === 0 ? null : Math.min(...there);
    const range = base === null ? 0 : Math.max(...there) - base;
    const isPlain = there.length === group.length && range === 0;
    return { group, base, width: base === null || isPlain ? 0 : Math.ceil(Math.log2(range + 2)) };
  });
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(...coded.map(({ base }) => base ?? 0)) + 2)));
  const writer = new BitWriter();
  if (order > 0) {
    for (const start of starts) writer.put(start, 32);
    writer.putSigned(smallest, 32);
  }
  for (const { base } of coded) writer.put(base ?? 2 ** bits - 1, bits);
  writer.align();
  for (const { width } of coded) writer.put(width, WIDTH_BITS);
  writer.align();
  for (const { group, base, width } of coded)
    for (const number of group)
      if (width > 0) writer.put(number === null ? 2 ** width - 1 : number - base!, width);
  const template = new BitWriter()
    // Splitting method, kinds of gaps, their values.
    .put(1, 8)
    .put(1, 8)
    .put(0xffffffff, 32)
    .put(0xffffffff, 32)
    .put(groups.length, 32)
    .put(0, 8)
    .put(WIDTH_BITS, 8)
    .put(GROUP, 32)
    .put(1, 8)
    .put(groups.at(-1)!.length, 32)
    .put(0, 8);
  if (order > 0) template.put(order, 8).put(4, 8);
  return { bits, template: template.toBytes(), data: writer.toBytes() };
}

/** Differences from the smallest one, with the first numbers as zeros; gaps are passed over. */
function toDifferences(numbers: readonly (number | null)[], order: 0 | 1 | 2) {
  if (order === 0) return { differences: [...numbers], starts: [], smallest: 0 };
  const there = numbers.filter((number) => number !== null);
  const raw = there.map((number, i) =>
    i < order ? 0 : order === 1 ? number - there[i - 1]! : number - 2 * there[i - 1]! + there[i - 2]!,
  );
  const smallest = Math.min(...raw.slice(order), 0);
  let next = 0;
  const differences = numbers.map((number) => {
    if (number === null) return null;
    const i = next++;
    return i < order ? 0 : raw[i]! - smallest;
  });
  return { differences, starts: Array.from({ length: order }, (_, i) => there[i] ?? 0), smallest };
}
