import { makeSingleFlight } from '../async/index.ts';
import type { Subject } from '../errors.ts';
import type { ByteRange, ByteSource, UseBytes } from './byte-source.ts';
import { SCENE_FILES } from './byte-source.ts';
import { sourceBroken } from './errors.ts';

interface MergingOptions {
  /** Bytes between two ranges that are read and discarded rather than requested separately. */
  readonly gapBytes?: number;
  /** Upper bound of a merged read; a single larger read stays as it is. */
  readonly maxBytes?: number;
  /** The subject of errors. */
  readonly subject?: Subject;
}

/** Measured on 64 blocks of a COG at 30 ms: 8 requests instead of 64, for 5 % more bytes. */
const GAP_BYTES = 16 * 1024;
/** Large enough for a row of blocks, small enough to hold several at once. */
const MAX_BYTES = 8 * 1024 * 1024;

interface WaitingRead extends ByteRange {
  readonly signal: AbortSignal | undefined;
  /** Uses the bytes when they arrive. */
  readonly use: (bytes: Uint8Array) => void;
  /** Settles the caller's promise, after `use`. */
  readonly settle: (done: Promise<void>) => void;
}

/**
 * Merges reads that are issued together into fewer, larger ones. Callers need not know about it: all reads before the
 * running code and its microtasks end form one batch.
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
    // Refused alone: inside a group it would make its neighbours fail too.
    if (!(range.offset >= 0 && range.length >= 0 && range.offset + range.length <= source.size)) {
      return Promise.reject(
        sourceBroken.about('source-short', '{file} ends before the bytes its header promises.', { subject }),
      );
    }
    return new Promise((resolve) => {
      // A tick from a microtask runs after all pending microtasks, so that reads in promise chains join the batch.
      if (batch.length === 0) queueMicrotask(() => process.nextTick(flush));
      let outcome: () => Result;
      const look = (bytes: Uint8Array): void => {
        try {
          const result = use(bytes);
          outcome = () => result;
        } catch (error) {
          // The error of one `use` does not concern the neighbours.
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
    // Copied: a small part must not keep the whole group in memory, nor share it with a neighbour that writes to it.
    read: (offset, length, signal) => withBytes({ offset, length }, (bytes) => bytes.slice(), signal),
    withBytes,
  };
}

/** Groups ranges that touch, overlap or are close to each other, in the order of the file. */
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
  // A reader that leaves does not end the read for the others.
  const flights = makeSingleFlight<void>();
  const join = async (signal: AbortSignal | undefined): Promise<void> => {
    await flights.run({ key: '', signal, start: (shared) => readAll(shared.signal) });
  };
  for (const { signal, settle } of group) settle(join(signal));
}

/** Shares one read among equal reads in flight. Neither its bytes nor a failure are cached. */
export function withSharedReads(source: ByteSource): ByteSource {
  const flights = makeSingleFlight<Uint8Array>();

  const read: ByteSource['read'] = async (offset, length, signal) => {
    const key = `${offset}+${length}`;
    const start = (shared: { readonly signal: AbortSignal }) => source.read(offset, length, shared.signal);
    const { value, isFirst } = await flights.run({ key, signal, start });
    // The first caller may change its bytes (undoing a predictor in place), so the others get copies.
    return isFirst ? value : value.slice();
  };
  return { ...source, read };
}
