/** PackBits of TIFF 6.0, section 9: runs and literals, stopped at `expectedBytes`. */
export function decodePackBits(stored: Uint8Array, expectedBytes: number): Uint8Array {
  const out = new Uint8Array(expectedBytes);
  let written = 0;
  for (let at = 0; at < stored.length && written < expectedBytes; ) {
    const head = stored[at++]!;
    // 128 means nothing
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    const length = Math.min(count, expectedBytes - written);
    if (head < 128) {
      if (at + length > stored.length) throw new Error('PackBits data end within a literal');
      out.set(stored.subarray(at, at + length), written);
      at += count;
    } else {
      if (at === stored.length) throw new Error('PackBits data end within a run');
      out.fill(stored[at++]!, written, written + length);
    }
    written += length;
  }
  return out.subarray(0, written);
}
