import { sourceBroken } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { startSharedRun } from './shared-run.ts';

interface MergingOptions {
  /** Bytes between two ranges that are read and discarded rather than requested separately. */
  readonly gapBytes?: number;
  /** A merged read does not grow beyond this; a single larger one is left alone. */
  readonly maxBytes?: number;
}

/** 16 KiB, measured on 64 blocks of a COG at 30 ms: 8 requests instead of 64, for 5 % more bytes. */
const GAP_BYTES = 16 * 1024;
/** Large enough for a row of blocks, small enough to hold several at once. */
const MAX_BYTES = 8 * 1024 * 1024;

interface WaitingRead {
  readonly offset: number;
  readonly length: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (bytes: Uint8Array | PromiseLike<Uint8Array>) => void;
}

/**
 * Merges reads that are issued together into fewer, larger ones. Callers need not know: whatever is asked for before the
 * running code and the promises it settles come to rest is one batch.
 */
export function withRangeMerging(source: ByteSource, options: MergingOptions = {}): ByteSource {
  const { gapBytes = GAP_BYTES, maxBytes = MAX_BYTES } = options;
  let batch: WaitingRead[] = [];

  const flush = () => {
    const reads = batch;
    batch = [];
    for (const group of planMergedReads(reads, { gapBytes, maxBytes })) readGroup(source, group);
  };
  const read: ByteSource['read'] = (offset, length, signal) => {
    // Refused alone: inside a group it would take its neighbours with it.
    if (!(offset >= 0 && length >= 0 && offset + length <= source.size)) {
      return Promise.reject(
        sourceBroken('source-short', 'A file of this scene ends before the bytes its header promises.'),
      );
    }
    return new Promise((resolve) => {
      // A tick begun in a microtask comes after all microtasks that are due: chains of promises still get in.
      if (batch.length === 0) queueMicrotask(() => process.nextTick(flush));
      batch.push({ offset, length, signal, resolve });
    });
  };
  return { ...source, read };
}

/** Puts ranges that touch, overlap or lie close together into groups, in the order of the file. */
export function planMergedReads<T extends { readonly offset: number; readonly length: number }>(
  reads: readonly T[],
  { gapBytes, maxBytes }: Required<MergingOptions>,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let start = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const read of reads.toSorted((a, b) => a.offset - b.offset || a.length - b.length)) {
    const readEnd = Math.max(end, read.offset + read.length);
    const isNear = read.offset - end <= gapBytes && (readEnd - start <= maxBytes || readEnd === end);
    if (isNear) groups.at(-1)?.push(read);
    else {
      groups.push([read]);
      start = read.offset;
    }
    end = isNear ? readEnd : read.offset + read.length;
  }
  return groups;
}

function readGroup(source: ByteSource, group: readonly WaitingRead[]): void {
  const [first] = group;
  if (first === undefined) return;
  if (group.length === 1) {
    first.resolve(source.read(first.offset, first.length, first.signal));
    return;
  }
  const start = first.offset;
  const end = Math.max(...group.map(({ offset, length }) => offset + length));
  const shared = startSharedRun((signal) => source.read(start, end - start, signal));
  for (const { offset, length, signal, resolve } of group) {
    // Copied: a small part must not hold the whole group in memory, nor share it with a neighbour that writes.
    resolve(shared.join(signal).then((bytes) => bytes.slice(offset - start, offset - start + length)));
  }
}
