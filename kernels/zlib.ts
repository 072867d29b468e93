import { adler32 } from "./adler";
import { beginStream, deflateBlock, endStream } from "./deflate";

/**
 * The zlib stream of `bytes` bytes at `from` to `out`; returns its bytes. Codes are built again for each `blockBytes`,
 * since neighbouring rows are more alike than distant ones. `pairs` has room for the table of pairs, `out` for all
 * bytes stored: src/formats/tiff/codecs/byte-codecs.ts. The byte before `from` is written, and up to 16 after the end are
 * read.
 */
export function zlib(from: usize, bytes: usize, out: usize, pairs: usize, blockBytes: usize): usize {
  const end = from + bytes;
  // Nothing precedes the stream, so its first byte must not look like a repetition.
  store<u8>(from - 1, ~load<u8>(from));
  beginStream(out, pairs);
  let sum: u32 = 1;
  for (let at = from; at < end; at += blockBytes) {
    const blockEnd = min(at + blockBytes, end);
    sum = adler32(sum, at, blockEnd - at);
    deflateBlock(at, blockEnd, blockEnd == end);
  }
  return endStream(sum) - out;
}
