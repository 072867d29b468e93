/** What earlier tiles of a file have shown about the next: memory of one opened file. */
export interface TileHabits {
  /** A part of a tile is read only if it saves more bytes than this, in one request and in two. */
  readonly worthBytes: { readonly atOnce: number; readonly inTwo: number };
  /** Bytes at the beginning of a tile that are probably enough for a level. */
  guess(level: number, tileBytes: number): number;
  /** Notes what was enough. */
  note(level: number, tileBytes: number, usedBytes: number): void;
  /** True when packets could not be told apart: later tiles are read whole, in one request. */
  isOpaque(): boolean;
  noteOpaque(): void;
}

/** Reads that are this close are merged (sources/ranges): a tile whose rest is shorter costs one request anyway. */
const GAP_BYTES = 16 * 1024;
/** What a connection of 100 Mbit/s carries in 20 ms: a second round trip must save more. */
const ROUND_TRIP_BYTES = 256 * 1024;
/** Tiles of one file are alike, and a second request costs more than some bytes too many. */
const MARGIN = 1.125;
/** The header of a tile with the lengths of its packets; the smallest levels are not much longer. */
const HEADER_BYTES = 1_024;

/**
 * Begins with a guess: each level has a quarter of the pixels, at more bytes each. Level 1 takes 0.3 of the bytes in
 * lossless Sentinel-2 files.
 */
export function makeTileHabits(
  worthBytes: TileHabits['worthBytes'] = { atOnce: GAP_BYTES, inTwo: ROUND_TRIP_BYTES },
): TileHabits {
  const shares = new Map<number, number>();
  let opaque = false;
  return {
    worthBytes,
    guess(level, tileBytes) {
      const share = shares.get(level) ?? 1.5 / 4 ** level;
      return Math.ceil(share * MARGIN * tileBytes) + HEADER_BYTES;
    },
    note(level, tileBytes, usedBytes) {
      const used = Math.max(0, usedBytes - HEADER_BYTES) / tileBytes;
      // The past counts less and less: one odd tile does not make all later reads long.
      const before = shares.get(level) ?? used;
      shares.set(level, Math.max(used, before + (used - before) / 4));
    },
    isOpaque: () => opaque,
    noteOpaque() {
      opaque = true;
    },
  };
}
