import { createHash, timingSafeEqual } from 'node:crypto';
import { makeBreaker, makeGate } from '../async/index.ts';
import { MIB } from '../units.ts';
import type { ObjectStore } from './object-store.ts';

/** Counts of reads and writes, by their outcome. */
interface SharedStats {
  readonly hits: number;
  readonly misses: number;
  /** Reads that took longer than a request waits; they count as misses for the request. */
  readonly late: number;
  readonly failed: number;
  readonly written: number;
  /** Results that were not written: too large, too many at once, or the store failed. */
  readonly dropped: number;
}

/** Results of all nodes behind the cache of each. */
interface SharedResults {
  /** Null if there is no such result, or if it does not arrive in time; never rejects. */
  find(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Writes a result in the background, or drops it. */
  store(name: string, bytes: Uint8Array): void;
  stats(): SharedStats;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

interface SharedDeps {
  readonly objects: Pick<ObjectStore, 'read' | 'put'>;
  /** Makes the key of a name; people who know the name cannot guess the key. */
  readonly toKey: (name: string) => Promise<string>;
  readonly nowMs: () => number;
  /** Called when the store begins to fail. */
  readonly onFailure: (error: unknown) => void;
  /** How long a request waits for a read. */
  readonly deadlineMs?: number;
}

/** About as long as a picture takes to be drawn: waiting longer than that gains nothing. */
const DEADLINE_MS = 250;
/** Tiles have 20 kB; larger pictures are rare, and hashing one would hold up other requests. */
const MAX_BYTES = MIB;
/** Requests to the store at the same time. */
const MAX_READS = 64;
const MAX_WRITES = 4;
/** Results that wait to be written. */
const MAX_WAITING = 256;
/** After this many failures or late answers in a row, requests to the store are paused. */
const FAILURES = 5;
const PAUSE_MS = 10_000;

const DIGEST_BYTES = 32;
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Builds them over objects. Each has a digest of its content before it, so that no altered one is served. */
export function makeSharedResults(deps: SharedDeps): SharedResults {
  const { objects, toKey, nowMs, onFailure, deadlineMs = DEADLINE_MS } = deps;
  const counts = { hits: 0, misses: 0, late: 0, failed: 0, written: 0, dropped: 0 };
  const reads = makeBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, nowMs });
  const writes = makeBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, nowMs });
  const gate = makeGate(MAX_WRITES);
  const writing = new Set<Promise<void>>();
  let reading = 0;

  async function read(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = await objects.read(await toKey(name), { maxBytes: DIGEST_BYTES + MAX_BYTES });
    return found === null || found === 'same' ? null : unpack(found.bytes);
  }

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const done = writes.admit();
    if (done === null) {
      counts.dropped += 1;
      return;
    }
    try {
      const packed = Buffer.concat([digest(bytes), bytes]);
      const options = { contentType: 'application/octet-stream', when: 'always' } as const;
      await objects.put(await toKey(name), packed, options);
      counts.written += 1;
      done('well');
    } catch (error) {
      counts.dropped += 1;
      onFailure(error);
      done('failed');
    }
  }

  return {
    async find(name) {
      const done = reading >= MAX_READS ? null : reads.admit();
      if (done === null) {
        counts.misses += 1;
        return null;
      }
      reading += 1;
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), deadlineMs);
      const asked = read(name).finally(() => {
        reading -= 1;
      });
      try {
        const found = await Promise.race([asked, late]);
        if (found === 'late') {
          asked.catch(() => {});
          counts.late += 1;
          done('failed');
          return null;
        }
        counts[found === null ? 'misses' : 'hits'] += 1;
        done('well');
        return found;
      } catch (error) {
        counts.failed += 1;
        onFailure(error);
        done('failed');
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
    store(name, bytes) {
      if (bytes.length > MAX_BYTES || writing.size >= MAX_WAITING) {
        counts.dropped += 1;
        return;
      }
      const written = gate.run(() => write(name, bytes)).finally(() => writing.delete(written));
      writing.add(written);
    },
    stats: () => ({ ...counts }),
    async settled() {
      await Promise.all(writing);
    },
  };
}

function unpack(stored: Uint8Array): Uint8Array<ArrayBuffer> | null {
  // A copy: what was read may be a part of a larger buffer.
  const bytes = new Uint8Array(stored.subarray(DIGEST_BYTES));
  const isWhole =
    stored.length > DIGEST_BYTES && timingSafeEqual(stored.subarray(0, DIGEST_BYTES), digest(bytes));
  if (!isWhole) throw new Error('a shared result has other bytes than were stored');
  return bytes;
}
