/** Bits of a packet header; a byte after 0xFF holds seven of them (ISO/IEC 15444-1, B.10.1). */
export interface HeaderBits {
  /** The next bits as a number, the first one highest; zeros after the end of the bytes. */
  take(count: number): number;
  /** Bytes that are used up, with the one that must follow a last 0xFF; null when there were too few. */
  end(): number | null;
}

/** Begins at the first bit of the bytes from `start`. */
export function makeHeaderBits(bytes: Uint8Array, start: number): HeaderBits {
  let at = start;
  let byte = 0;
  let left = 0;
  const takeBit = (): number => {
    if (left === 0) {
      left = byte === 0xff ? 7 : 8;
      byte = bytes[at++] ?? 0;
    }
    return (byte >> --left) & 1;
  };
  return {
    take(count) {
      let value = 0;
      for (let i = 0; i < count; i++) value = value * 2 + takeBit();
      return value;
    },
    end() {
      const end = byte === 0xff ? at + 1 : at;
      return end > bytes.length ? null : end - start;
    },
  };
}
