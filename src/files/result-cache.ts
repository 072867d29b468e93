import { makeLru } from '../lru.ts';
import type { FolderStats, SharedFolder } from './shared-folder.ts';
import { NO_STATS } from './shared-folder.ts';

/** A finished result: bytes, and a short string about them. */
export interface CachedResult {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A format or a media type. */
  readonly meta: string;
}

/** Finished results under a digest of all their inputs, so that no entry goes stale. */
export interface ResultCache {
  find(name: string): Promise<CachedResult | null>;
  /** Offers a complete result, never a failed one; true if the cache takes it. */
  store(name: string, result: CachedResult): boolean;
  stats(): FolderStats;
  /** Resolves when every stored result is on disk or dropped. */
  settled(): Promise<void>;
}

/** Finished results that all nodes share, behind the cache of each. */
interface SharedResults {
  /** Null if there is no such result, or if it does not arrive in time; never rejects. */
  find(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Stores a result in the background, or drops it. */
  store(name: string, packed: Uint8Array): void;
}

/** One or two screens for all users who look at the same area: some thousand pictures of 20 kB. */
const MEMORY_BYTES = 32 * 2 ** 20;
/** Upper bound of `meta`, whose length is stored in one byte. */
const MAX_META_BYTES = 255;

/**
 * Builds the cache: on disk, or shared with other nodes, or both, with the most recent results in memory too. Without
 * either, nothing is cached.
 */
export function makeResultCache(
  folder: SharedFolder | null,
  shared: SharedResults | null = null,
): ResultCache {
  const memory = makeLru<CachedResult>({ max: MEMORY_BYTES, sizeOf: ({ bytes }) => bytes.length });
  const isUsed = (name: string): boolean => (folder !== null || shared !== null) && isName(name);
  let hits = 0;

  async function findOnDisk(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    if (folder === null) return null;
    const stored = await folder.read(toEntryName(name));
    folder.counters.add(stored === null ? 'misses' : 'hits', 1);
    return stored;
  }

  async function findShared(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const stored = (await shared?.find(name)) ?? null;
    if (stored !== null) void folder?.write(toEntryName(name), stored);
    return stored;
  }

  return {
    async find(name) {
      if (!isUsed(name)) return null;
      const known = memory.get(name);
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      const stored = (await findOnDisk(name)) ?? (await findShared(name));
      if (stored === null) return null;
      const result = unpackResult(stored);
      memory.set(name, result);
      return result;
    },
    store(name, result) {
      if (!isUsed(name)) return false;
      memory.set(name, result);
      const packed = packResult(result);
      void folder?.write(toEntryName(name), packed);
      shared?.store(name, packed);
      return true;
    },
    stats() {
      const onDisk = folder?.stats() ?? NO_STATS;
      return { ...onDisk, hits: hits + onDisk.hits };
    },
    async settled() {
      await folder?.settled();
    },
  };
}

/** True for a digest: nothing else becomes a path. */
const isName = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

const toEntryName = (name: string): string => `${name.slice(0, 2)}/${name}+0`;

function packResult({ bytes, meta }: CachedResult): Uint8Array {
  const words = Buffer.from(meta).subarray(0, MAX_META_BYTES);
  return Buffer.concat([Uint8Array.of(words.length), words, bytes]);
}

function unpackResult(stored: Uint8Array<ArrayBuffer>): CachedResult {
  const bytesAt = 1 + (stored[0] ?? 0);
  return { meta: new TextDecoder().decode(stored.subarray(1, bytesAt)), bytes: stored.subarray(bytesAt) };
}
