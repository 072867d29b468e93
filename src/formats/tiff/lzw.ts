/** Codes with a meaning of their own; strings come behind them. */
const CLEAR = 256;
const END = 257;
const FIRST_STRING = 258;
const MAX_CODES = 4096;

/**
 * Files from before 1990 pack codes from the lowest bit of a byte upwards and widen them one code later. Their first
 * code, a clear of nine bits, tells them apart, as in libtiff.
 */
const isOldStyle = (stored: Uint8Array): boolean => stored[0] === 0 && (stored[1]! & 1) === 1;

/**
 * LZW of TIFF 6.0, section 13. String number n is what the n-th code since the last clear wrote, and one byte more: the
 * first of what came behind it. So the table needs to know only where each code began to write. Stops at
 * `expectedBytes`, as libtiff does; a stream that ends or breaks before gives fewer bytes or throws.
 */
export function decodeLzw(stored: Uint8Array, expectedBytes: number): Uint8Array {
  const old = isOldStyle(stored);
  const out = new Uint8Array(expectedBytes);
  const starts = new Uint32Array(MAX_CODES + 1);
  // codes widen one before they must in the usual files: a slip of the first encoder that became the standard
  const late = old ? 1 : 0;
  let count = FIRST_STRING;
  let width = 9;
  let mask = (1 << width) - 1;
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  let written = 0;

  while (written < expectedBytes) {
    let code: number;
    if (old) {
      while (bitCount < width && at < stored.length) {
        bits |= stored[at++]! << bitCount;
        bitCount += 8;
      }
      if (bitCount < width) break;
      code = bits & mask;
      bits >>>= width;
      bitCount -= width;
    } else {
      // two bytes at once while there are: a quarter faster; 11 + 16 bits are the most that count
      if (bitCount < width && at + 1 < stored.length) {
        bits = (bits << 16) | (stored[at]! << 8) | stored[at + 1]!;
        at += 2;
        bitCount += 16;
      } else if (bitCount < width && at < stored.length) {
        bits = (bits << 8) | stored[at++]!;
        bitCount += 8;
      }
      if (bitCount < width) break;
      bitCount -= width;
      code = (bits >>> bitCount) & mask;
    }

    if (code === CLEAR) {
      count = FIRST_STRING;
      width = 9;
      mask = (1 << width) - 1;
      continue;
    }
    if (code === END) break;

    if (count <= MAX_CODES) starts[count++] = written;
    if (code < CLEAR) {
      out[written++] = code;
    } else {
      if (code > count - 2) throw new Error(`LZW code ${code} has no meaning yet`);
      const from = starts[code]!;
      const back = written - from;
      const end = Math.min(written + starts[code + 1]! - from + 1, expectedBytes);
      // byte by byte: a code that is only being made reads what this loop writes
      for (; written < end; written++) out[written] = out[written - back]!;
    }
    if (count > mask + late && width < 12) {
      width++;
      mask = (1 << width) - 1;
    }
  }
  return out.subarray(0, written);
}
