import type { ArenaHandle, ArenaSlice, ByteRange, ByteSource } from '../../sources/index.ts';
import { copySlice, readSlice } from '../../sources/index.ts';

/** The bytes fetched for a job, as plain data that goes with it to its thread. */
export interface Offer {
  readonly files: readonly OfferedFile[];
  /** Bytes that were not in memory before: they came from a store or the disk cache. Absent for a part of a fetch. */
  readonly broughtBytes?: number;
}

/** A file that is open on the network thread, and those of its ranges that are in memory. */
export interface OfferedFile {
  readonly href: string;
  readonly source: Pick<ByteSource, 'id' | 'version' | 'size'>;
  readonly ranges: readonly OfferedRange[];
}

/** A range and where its bytes lie. */
export interface OfferedRange extends ByteRange {
  readonly slice: ArenaSlice;
}

/** The bytes fetched for the job that a thread runs. */
export interface Offers {
  /** Replaces the offer of the previous job; null for a job without one. */
  begin(offer: Offer | null): void;
  /** A file by its address; null if it was not fetched. */
  find(href: string): OfferedFile['source'] | null;
  /** Whether a range of one state of a file was fetched. */
  has(href: string, version: string, range: ByteRange): boolean;
  /** A copy of a range of one state of a file; null if it was not fetched, or is not there any more. */
  read(href: string, version: string, range: ByteRange): Uint8Array<ArrayBuffer> | null;
  /** The same into memory of the caller; false if it was not fetched as a whole, or is not there any more. */
  readInto(href: string, version: string, offset: number, target: Uint8Array): boolean;
  /** A copy of the beginning of a range, as far as it was fetched; null if its first byte was not. */
  readStart(href: string, version: string, range: ByteRange): Uint8Array<ArrayBuffer> | null;
}

/** Builds the offers of one thread. */
export function makeOffers(handle: ArenaHandle): Offers {
  let files = new Map<string, { readonly file: OfferedFile; readonly slices: Map<string, ArenaSlice> }>();
  /** The part of a range that lies in one that was fetched. */
  const cut = (range: ByteRange, around: OfferedRange | undefined): Uint8Array<ArrayBuffer> | null => {
    const bytes = around === undefined ? null : readSlice(handle, around.slice);
    if (around === undefined || bytes === null) return null;
    const start = range.offset - around.offset;
    return bytes.slice(start, start + range.length);
  };
  return {
    begin(offer) {
      files = new Map(
        (offer?.files ?? []).map((file) => [
          file.href,
          { file, slices: new Map(file.ranges.map((range) => [toKey(range), range.slice])) },
        ]),
      );
    },
    find: (href) => files.get(href)?.file.source ?? null,
    has(href, version, range) {
      const found = files.get(href);
      return (
        found?.file.source.version === version &&
        (found.slices.has(toKey(range)) || found.file.ranges.some((other) => isWithin(range, other)))
      );
    },
    readInto(href, version, offset, target) {
      const found = files.get(href);
      if (found?.file.source.version !== version) return false;
      const slice = found.slices.get(toKey({ offset, length: target.length }));
      return slice !== undefined && copySlice(handle, slice, target);
    },
    read(href, version, range) {
      const found = files.get(href);
      if (found?.file.source.version !== version) return null;
      const slice = found.slices.get(toKey(range));
      if (slice !== undefined) return readSlice(handle, slice);
      // Readers of one file may guess differently how much of it they need.
      return cut(
        range,
        found.file.ranges.find((other) => isWithin(range, other)),
      );
    },
    readStart(href, version, range) {
      const found = files.get(href);
      if (found?.file.source.version !== version) return null;
      const first = { offset: range.offset, length: 1 };
      const around = found.file.ranges.filter((other) => isWithin(first, other));
      // Of several, the one that ends last.
      const [longest] = around.toSorted((a, b) => b.offset + b.length - a.offset - a.length);
      return cut(range, longest);
    },
  };
}

const isWithin = (range: ByteRange, other: ByteRange): boolean =>
  range.offset >= other.offset && range.offset + range.length <= other.offset + other.length;

const toKey = ({ offset, length }: ByteRange): string => `${offset} ${length}`;
