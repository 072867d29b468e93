import { createHash } from 'node:crypto';

/** A file that is made of few distinct parts and is never held as a whole: real sizes at the cost of some kilobytes. */
export interface VirtualFile {
  readonly size: number;
  readonly type: string;
  /** Changes with the bytes. */
  readonly etag: string;
  /** Bytes from `start` to before `end`. */
  read(start: number, end: number): Uint8Array;
}

/** Puts a file together of parts; a part may appear any number of times. */
export function makeVirtualFile(parts: readonly Uint8Array[], type: string): VirtualFile {
  const starts = new Float64Array(parts.length + 1);
  for (const [i, { length }] of parts.entries()) starts[i + 1] = starts[i]! + length;
  const size = starts[parts.length]!;
  const digest = createHash('sha256').update(String(size));
  for (const part of new Set(parts)) digest.update(part);
  const etag = `"${digest.digest('hex').slice(0, 32)}"`;
  /** The last part that begins at or before a position. */
  const findPart = (position: number): number => {
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    size,
    type,
    etag,
    read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      let at = 0;
      for (let i = findPart(start); at < bytes.length; i++) {
        const from = Math.max(0, start - starts[i]!);
        const piece = parts[i]!.subarray(from, from + bytes.length - at);
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes;
    },
  };
}

/** A small file of text. */
export const makeTextFile = (text: string, type: string): VirtualFile =>
  makeVirtualFile([Buffer.from(text)], type);
