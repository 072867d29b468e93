/** What a FlatBuffer consists of, as far as Arrow needs it. A null field is left out and has its default. */
export type Flat =
  | { readonly scalar: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly table: readonly (Flat | null)[] }
  | { readonly list: readonly Flat[] }
  /** Structures of 64-bit numbers, in a row. */
  | { readonly words: readonly number[]; readonly count: number };

export const byte = (value: number): Flat => ({ scalar: 1, value });
export const short = (value: number): Flat => ({ scalar: 2, value });
export const int = (value: number): Flat => ({ scalar: 4, value });
export const long = (value: number): Flat => ({ scalar: 8, value });

/** Writes a FlatBuffer with this table at its root. Everything that is referred to comes after its reference. */
export function toFlatBuffer(root: Flat): Uint8Array {
  const writer = new FlatWriter();
  const at = writer.reserve(4, 4);
  writer.refer(at, writer.write(root));
  return writer.bytes();
}

class FlatWriter {
  #view = new DataView(new ArrayBuffer(1024));
  #length = 0;

  /** Takes zeroed bytes at an aligned position. */
  reserve(size: number, align: number): number {
    const at = Math.ceil(this.#length / align) * align;
    this.#length = at + size;
    if (this.#length > this.#view.byteLength) {
      const grown = new Uint8Array(Math.max(2 * this.#view.byteLength, this.#length));
      grown.set(new Uint8Array(this.#view.buffer));
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  refer(from: number, to: number): void {
    this.#view.setUint32(from, to - from, true);
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#length);
  }

  /** Writes a node that is referred to; returns where it is. */
  write(node: Flat): number {
    if ('table' in node) return this.#writeTable(node.table);
    if ('text' in node) {
      const text = Buffer.from(node.text);
      const at = this.reserve(4 + text.length + 1, 4);
      this.#view.setUint32(at, text.length, true);
      new Uint8Array(this.#view.buffer).set(text, at + 4);
      return at;
    }
    if ('list' in node) {
      const at = this.reserve(4 + 4 * node.list.length, 4);
      this.#view.setUint32(at, node.list.length, true);
      for (const [i, item] of node.list.entries()) this.refer(at + 4 + 4 * i, this.write(item));
      return at;
    }
    if ('words' in node) {
      // The first structure is aligned to eight bytes, the length is before it.
      const at = this.reserve(8 + 8 * node.words.length, 8) + 4;
      this.#view.setUint32(at, node.count, true);
      node.words.forEach((word, i) => {
        this.#view.setBigInt64(at + 4 + 8 * i, BigInt(word), true);
      });
      return at;
    }
    throw new TypeError('a scalar is not referred to');
  }

  #writeTable(fields: readonly (Flat | null)[]): number {
    const offsets: number[] = [];
    let size = 4;
    for (const field of fields) {
      const width = field === null ? 0 : 'scalar' in field ? field.scalar : 4;
      if (width > 0) size = Math.ceil(size / width) * width;
      offsets.push(width === 0 ? 0 : size);
      size += width;
    }
    const directory = this.reserve(4 + 2 * fields.length, 2);
    const at = this.reserve(size, 8);
    this.#view.setUint16(directory, 4 + 2 * fields.length, true);
    this.#view.setUint16(directory + 2, size, true);
    offsets.forEach((offset, i) => {
      this.#view.setUint16(directory + 4 + 2 * i, offset, true);
    });
    this.#view.setInt32(at, at - directory, true);
    fields.forEach((field, i) => {
      if (field === null) return;
      const place = at + offsets[i]!;
      if (!('scalar' in field)) this.refer(place, this.write(field));
      else if (field.scalar === 1) this.#view.setUint8(place, field.value);
      else if (field.scalar === 2) this.#view.setInt16(place, field.value, true);
      else if (field.scalar === 4) this.#view.setInt32(place, field.value, true);
      else this.#view.setBigInt64(place, BigInt(field.value), true);
    });
    return at;
  }
}
