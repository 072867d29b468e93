/** Takes exact numbers of bytes from chunks of any size. */
export class ByteStream {
  readonly #chunks: AsyncIterator<Buffer>;
  #current: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes; null if the stream ends before them. */
  async take(length: number): Promise<Buffer | null> {
    if (this.#current.length >= length) return this.#cut(length);
    const parts = [this.#current];
    let have = this.#current.length;
    while (have < length) {
      const { done, value } = await this.#chunks.next();
      if (done) {
        this.#current = Buffer.alloc(0);
        return null;
      }
      parts.push(value);
      have += value.length;
    }
    this.#current = Buffer.concat(parts);
    return this.#cut(length);
  }

  #cut(length: number): Buffer {
    const taken = this.#current.subarray(0, length);
    this.#current = this.#current.subarray(length);
    return taken;
  }

  /** Leaves bytes out; false if the stream ends before. */
  async skip(length: number): Promise<boolean> {
    let left = length;
    while (left > this.#current.length) {
      left -= this.#current.length;
      const { done, value } = await this.#chunks.next();
      if (done) {
        this.#current = Buffer.alloc(0);
        return false;
      }
      this.#current = value;
    }
    this.#current = this.#current.subarray(left);
    return true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
