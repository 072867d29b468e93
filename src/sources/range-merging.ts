import { makeSingleFlight } from '../async/index.ts';
import type { Subject } from '../errors.ts';
import type { ByteRange, ByteSource, UseBytes } from './byte-source.ts';
import { SCENE_FILES } from './byte-source.ts';
import { sourceBroken } from './errors.ts';

interface MergingOptions {
  /** Bytes between two ranges that are read and discarded rather than requested separately. */
  readonly gapBytes?: number;
  /** A merged read does not grow beyond this; a single larger one is left alone. */
  readonly maxBytes?: number;
  /** What errors are about. */
  readonly subject?: Subject;
}

/** 16 KiB, measured on 64 blocks of a COG at 30 ms: 8 requests instead of 64, for 5 % more bytes. */
const GAP_BYTES = 16 * 1024;
/** Large enough for a row of blocks, small enough to hold several at once. */
const MAX_BYTES = 8 * 1024 * 1024;

interface WaitingRead extends ByteRange {
  readonly signal: AbortSignal | undefined;
  /** Looks at the bytes when they are there. */
  readonly use: (bytes: Uint8Array) => void;
  /** Settles as the promise does, after `use`. */
  readonly settle: (done: Promise<void>) => void;
}

/**
 * Merges reads that are issued together into fewer, larger ones. Callers need not know: whatever is asked for before the
 * running code and the promises it settles come to rest is one batch.
 */
export function withRangeMerging(source: ByteSource, options: MergingOptions = {}): ByteSource {
  const { gapBytes = GAP_BYTES, maxBytes = MAX_BYTES, subject = SCENE_FILES } = options;
  let batch: WaitingRead[] = [];

  const flush = () => {
    const reads = batch;
    batch = [];
    for (const group of planMergedReads(reads, { gapBytes, maxBytes })) readGroup(source, group);
  };
  const withBytes = <Result>(
    range: ByteRange,
    use: UseBytes<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    // Refused alone: inside a group it would take its neighbours with it.
    if (!(range.offset >= 0 && range.length >= 0 && range.offset + range.length <= source.size)) {
      return Promise.reject(
        sourceBroken.about('source-short', '{file} ends before the bytes its header promises.', { subject }),
      );
    }
    return new Promise((resolve) => {
      // A tick begun in a microtask comes after all microtasks that are due: chains of promises still get in.
      if (batch.length === 0) queueMicrotask(() => process.nextTick(flush));
      let outcome: () => Result;
      const look = (bytes: Uint8Array): void => {
        try {
          const result = use(bytes);
          outcome = () => result;
        } catch (error) {
          // Its neighbours have no part in it.
          outcome = () => {
            throw error;
          };
        }
      };
      batch.push({ ...range, signal, use: look, settle: (done) => resolve(done.then(() => outcome())) });
    });
  };
  return {
    ...source,
    // Copied: a small part must not hold the whole group in memory, nor share it with a neighbour that writes.
    read: (offset, length, signal) => withBytes({ offset, length }, (bytes) => bytes.slice(), signal),
    withBytes,
  };
}

/** Puts ranges that touch, overlap or lie close together into groups, in the order of the file. */
export function planMergedReads<T extends { readonly offset: number; readonly length: number }>(
  reads: readonly T[],
  { gapBytes, maxBytes }: Required<Omit<MergingOptions, 'subject'>>,
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
  const start = first.offset;
  const end = Math.max(...group.map(({ offset, length }) => offset + length));
  const useAll = (bytes: Uint8Array): void => {
    for (const { offset, length, use } of group) use(bytes.subarray(offset - start, offset - start + length));
  };
  const readAll = async (signal: AbortSignal | undefined): Promise<void> => {
    if (source.withBytes === undefined) useAll(await source.read(start, end - start, signal));
    else await source.withBytes({ offset: start, length: end - start }, useAll, signal);
  };
  if (group.length === 1) {
    first.settle(readAll(first.signal));
    return;
  }
  // One of the readers that leaves does not end the read of the others.
  const flights = makeSingleFlight<void>();
  const join = async (signal: AbortSignal | undefined): Promise<void> => {
    await flights.run({ key: '', signal, start: (shared) => readAll(shared.signal) });
  };
  for (const { signal, settle } of group) settle(join(signal));
}

/** Makes equal reads in flight one read. Nothing is remembered afterwards: neither bytes nor a failure. */
export function withSharedReads(source: ByteSource): ByteSource {
  const flights = makeSingleFlight<Uint8Array>();

  const read: ByteSource['read'] = async (offset, length, signal) => {
    const key = `${offset}+${length}`;
    const start = (shared: { readonly signal: AbortSignal }) => source.read(offset, length, shared.signal);
    const { value, isFirst } = await flights.run({ key, signal, start });
    // The first caller may write into its bytes (undoing a predictor in place), so the others get their own.
    return isFirst ? value : value.slice();
  };
  return { ...source, read };
}
