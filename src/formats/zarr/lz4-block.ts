import { sourceBroken } from '../../errors.ts';

const damaged = () => sourceBroken('zarr-damaged', 'A chunk of the Zarr folder is damaged.');

/** Unpacks an LZ4 block of a known length (LZ4 Block Format Description); more or less than that is damage. */
export function decodeLz4(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  let [at, end] = [0, 0];
  const readLength = (start: number): number => {
    let sum = start;
    if (start < 15) return sum;
    for (let byte = 255; byte === 255; sum += byte) {
      if (at >= packed.length) throw damaged();
      byte = packed[at++]!;
    }
    return sum;
  };
  while (at < packed.length) {
    const token = packed[at++]!;
    const literals = readLength(token >> 4);
    if (at + literals > packed.length || end + literals > length) throw damaged();
    out.set(packed.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    // The last sequence has literals only.
    if (at === packed.length) break;
    if (at + 2 > packed.length) throw damaged();
    const distance = packed[at]! | (packed[at + 1]! << 8);
    at += 2;
    const match = readLength(token & 15) + 4;
    if (distance === 0 || distance > end || end + match > length) throw damaged();
    // Byte by byte: a match may reach into what it writes.
    for (const stop = end + match; end < stop; end++) out[end] = out[end - distance]!;
  }
  if (end !== length) throw damaged();
  return out;
}
