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
    return Uint8Array.from({ length: this.#bits.length / 8 }, (_, i) =>
      this.#bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0),
    );
  }
}
