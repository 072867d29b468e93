import { cancelled } from '../../errors.ts';
import type { ByteSource } from '../ranges/byte-source.ts';
import type { SharedFolder } from '../shared-folder/shared-folder.ts';
import type { ReadPart } from './range-index.ts';
import { makeStoredRanges } from './stored-ranges.ts';

/** A remote file whose ranges are stored on disk. */
interface CachedFile {
  readonly folder: SharedFolder;
  /** Names the state of the file, and as whom it is read. */
  readonly key: string;
  /** Whether the store of the file has been asked since it was opened. */
  readonly isFresh: boolean;
  /** Asks the store of the file whether it is still the same. */
  readonly confirm: () => Promise<void>;
  /** Whether an error of `confirm` or of a read says that it is not. */
  readonly isLost: (error: unknown) => boolean;
  readonly nowMs?: () => number;
  /** Calls back later; the result cancels it. */
  readonly schedule?: (run: () => void, delayMs: number) => () => void;
}

/** How often the store confirms a file that is read from disk only. */
const CONFIRM_MS = 60_000;
/** Delay after the read: a picture that needs other bytes too confirms the file itself, and none waits for this. */
const CONFIRM_DELAY_MS = 1_000;

const scheduleTimer = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Reads what is stored on disk from there, and stores what had to be requested. Bytes of another state of the file are
 * never found. A file of which all reads are found is confirmed by its store once a minute, behind them.
 */
export function withRangeCache(source: ByteSource, file: CachedFile): ByteSource {
  const { folder, key, nowMs = () => performance.now(), schedule = scheduleTimer } = file;
  const ranges = makeStoredRanges(folder, key, nowMs);
  let confirmedMs = file.isFresh ? nowMs() : Number.NEGATIVE_INFINITY;
  let cancelConfirm: (() => void) | null = null;
  /** Set once the file is known to have changed: nothing of it may be shown any more. */
  let lost: Error | null = null;

  const request = async (offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> => {
    try {
      const bytes = await source.read(offset, length, signal);
      confirmedMs = nowMs();
      return bytes;
    } catch (error) {
      await noteLoss(error);
      throw error;
    }
  };
  const noteLoss = async (error: unknown): Promise<void> => {
    if (!file.isLost(error)) return;
    lost = error as Error;
    await ranges.clear();
  };
  const isDue = (): boolean => nowMs() - confirmedMs > CONFIRM_MS;
  const confirmLater = (): void => {
    if (!isDue() || cancelConfirm !== null) return;
    cancelConfirm = schedule(() => {
      const settle = (): void => {
        cancelConfirm = null;
      };
      if (!isDue()) return settle();
      // A store that does not answer says nothing about the file; it is asked again with the next read.
      void file
        .confirm()
        .then(() => {
          confirmedMs = nowMs();
        }, noteLoss)
        .finally(settle);
    }, CONFIRM_DELAY_MS);
  };

  const readPart = async (part: ReadPart, signal?: AbortSignal): Promise<Uint8Array> => {
    const { offset, length, stored } = part;
    const found = stored === null ? null : await ranges.read(stored);
    if (stored !== null && found !== null) {
      // Copied: a small part must not hold all of it in memory.
      const start = offset - stored.offset;
      return length === found.length ? found : found.slice(start, start + length);
    }
    const bytes = await request(offset, length, signal);
    ranges.store(offset, bytes);
    return bytes;
  };

  return {
    ...source,
    async read(offset, length, signal) {
      const isOutside = !(offset >= 0 && length > 0 && offset + length <= source.size);
      if (isOutside || source.isKnown?.(offset, length) === true) return source.read(offset, length, signal);
      if (lost !== null) throw lost;
      const parts = await ranges.plan(offset, length);
      if (signal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
      const isHit = parts.every(({ stored }) => stored !== null);
      folder.counters.add(isHit ? 'hits' : 'misses', 1);
      if (isHit) confirmLater();
      const found = await Promise.all(parts.map((part) => readPart(part, signal)));
      // Found to have changed meanwhile.
      if (lost !== null) throw lost;
      return joinParts(found, length);
    },
    isLost: () => lost !== null,
    async close() {
      // Others may read on: it is open for all threads.
      cancelConfirm?.();
      cancelConfirm = null;
      await Promise.all([source.close(), folder.settled()]);
    },
  };
}

function joinParts(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
