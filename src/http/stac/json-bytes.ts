/**
 * JSON as bytes, which is what is sent: joining the pieces of an item as text, and turning that into bytes, takes longer than
 * all else that is done for it.
 */

/** Most items. */
const FIRST_BYTES = 16 * 1_024;

/** A UTF-16 unit has at most three bytes. */
const BYTES_A_UNIT = 3;

/** A place for one item after the other. */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    this.#makeRoom(BYTES_A_UNIT * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  copy(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Replaces what stands in some places, counted from `begin`, with a text of ASCII that is as long. */
  overwrite(text: string, begin: number, places: readonly number[]): void {
    const [place] = places;
    if (place === undefined) return;
    const first = begin + place;
    this.#bytes.write(text, first, 'latin1');
    for (let i = 1; i < places.length; i += 1)
      this.#bytes.copyWithin(begin + (places[i] as number), first, first + text.length);
  }

  /** Takes back the comma behind the last entry, if one stands there. */
  dropComma(): void {
    if (this.#bytes[this.#length - 1] === COMMA) this.#length -= 1;
  }

  /** Bytes from some place on. They stay until the next item is written. */
  since(begin: number): Buffer {
    return this.#bytes.subarray(begin, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.since(0));
    this.#bytes = larger;
  }
}

const COMMA = 0x2c;
