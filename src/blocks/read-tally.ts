import type { JobFigures } from '../pool/index.ts';
import type { ByteSource, OpenSource } from '../sources/index.ts';

/** What a thread has read since it was last asked. */
export interface ReadTally {
  /** Counts a block of a window: decoded here, or found in the cache of all threads. */
  addBlock(how: 'decoded' | 'cached'): void;
  /** Counts the bytes that are read of the files it opens. */
  countBytes(open: OpenSource): OpenSource;
  /** The figures, which then begin at zero again. */
  take(): JobFigures;
}

/** Builds the tally of one thread, which runs one job at a time. */
export function makeReadTally(): ReadTally {
  let [decodedBlocks, cachedBlocks, readBytes] = [0, 0, 0];
  const add = (length: number): void => {
    readBytes += length;
  };
  return {
    addBlock(how) {
      if (how === 'decoded') decodedBlocks += 1;
      else cachedBlocks += 1;
    },
    countBytes: (open) => async (href, signal, known) => withCount(await open(href, signal, known), add),
    take() {
      const figures = { decodedBlocks, cachedBlocks, readBytes };
      [decodedBlocks, cachedBlocks, readBytes] = [0, 0, 0];
      return figures;
    },
  };
}

/** A source that reports the length of everything that is read of it. */
function withCount(source: ByteSource, add: (length: number) => void): ByteSource {
  const { read, readOnce, readInto, withBytes } = source;
  return {
    ...source,
    read(offset, length, signal) {
      add(length);
      return read.call(source, offset, length, signal);
    },
    ...(readOnce === undefined
      ? {}
      : {
          readOnce(offset, length, signal) {
            add(length);
            return readOnce.call(source, offset, length, signal);
          },
        }),
    ...(readInto === undefined
      ? {}
      : {
          readInto(target, offset, signal) {
            add(target.length);
            return readInto.call(source, target, offset, signal);
          },
        }),
    ...(withBytes === undefined
      ? {}
      : {
          withBytes(range, use, signal) {
            add(range.length);
            return withBytes.call(source, range, use, signal) as never;
          },
        }),
  };
}
