/** True on nearly every machine that runs Node; s390x is the exception. */
export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of every `size`-byte sample in place. */
export function swapSamples(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) buffer.swap16();
  else if (size === 4) buffer.swap32();
  else buffer.swap64();
}
