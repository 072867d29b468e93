import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import { makeSingleFlight } from '../../pool/index.ts';
import { refuseCancelled } from '../series/refuse-cancelled.ts';

/** What is read, and for how long it may be used. */
export interface CachedRead<T> {
  readonly key: string;
  readonly maxAgeMs: number;
  readonly signal: AbortSignal | undefined;
  /** Its signal aborts when no caller is left. */
  readonly load: (signal: AbortSignal) => Promise<T>;
}

/** Answers in memory. Failures are not cached; equal requests under way share one. */
export interface AnswerCache<T> {
  read(read: CachedRead<T>): Promise<T>;
}

interface CacheDeps<T> {
  readonly maxBytes: number;
  readonly nowMs: () => number;
  readonly sizeOf: (value: T) => number;
}

/** Keys and objects of an entry, about. */
const ENTRY_BYTES = 1_000;

/** Builds a cache. */
export function makeAnswerCache<T>({ maxBytes, nowMs, sizeOf }: CacheDeps<T>): AnswerCache<T> {
  const answers: Lru<{ readonly value: T; readonly readMs: number }> = makeLru({ max: maxBytes });
  const flights = makeSingleFlight<T>();
  return {
    async read({ key, maxAgeMs, signal, load }) {
      refuseCancelled(signal);
      const cached = answers.get(key);
      // A clock that was set back makes an answer seem to come from the future.
      if (cached !== undefined && Math.abs(nowMs() - cached.readMs) < maxAgeMs) return cached.value;
      const { value } = await flights.run({
        key,
        signal,
        start: async ({ signal: shared }) => {
          const readMs = nowMs();
          const loaded = await load(shared);
          answers.set(key, { value: loaded, readMs }, ENTRY_BYTES + sizeOf(loaded));
          return loaded;
        },
      });
      return value;
    },
  };
}
