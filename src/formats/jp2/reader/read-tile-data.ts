import { sourceBroken } from '../../errors.ts';
import type { CodingStyle, Span } from '../headers/main-header.ts';
import { spanAtLevel } from '../headers/main-header.ts';
import type { TilePart } from '../headers/tile-parts.ts';
import { MAX_PACKETS, MAX_RANGES, MAX_STORED_BYTES, MAX_TILE_PIECES, PART_HEADER_BYTES } from '../limits.ts';
import type { Packet } from '../packets/packet-order.ts';
import { isFrontLoaded, listPackets } from '../packets/packet-order.ts';
import type { KnownBytes, PartRange } from '../packets/select-packets.ts';
import { makeKnownBytes, selectPackets } from '../packets/select-packets.ts';
import type { Jp2 } from './jp2-reader.ts';
import type { TileData } from './tile-codestream.ts';
import { toTileData } from './tile-codestream.ts';

/** A tile at a level, as it lies in the image. */
interface StoredTile {
  readonly tile: number;
  readonly level: number;
  readonly x: Span;
  readonly y: Span;
}

interface ReadDataOptions {
  readonly habits: TileHabits;
  readonly signal?: AbortSignal | undefined;
}

/** A second guess is needed seldom, and a third costs another round trip. */
const GROWTH = 4;

/**
 * Reads the packets of a tile that a level needs: in one request if they come first and their length is guessed well,
 * in two if the file states all lengths. Null when reading a part of the tile is not worth it.
 */
export async function readLevelData(
  jp2: Jp2,
  stored: StoredTile,
  { habits, signal }: ReadDataOptions,
): Promise<TileData | null> {
  const { tile, level } = stored;
  const { style } = jp2.header;
  const parts = toParts(jp2, tile);
  const tileBytes = sumBytes(parts);
  const isInFront = isFrontLoaded(style);
  const { atOnce } = habits.worthBytes;
  const first = guessFirst(jp2, parts, level, habits);
  const packets = first === null ? null : listTilePackets(jp2, stored);
  if (first === null || packets === null) return null;

  const known = parts.map(({ length }) => makeKnownBytes(length));
  const read = (ranges: readonly PartRange[]) =>
    Promise.all(
      ranges.map(async ({ part, start, end }) => {
        const bytes = await jp2.source.read(parts[part]!.offset + start, end - start, signal);
        known[part]!.add(start, bytes);
      }),
    );
  const wish = { tile, style, packets, resolutions: jp2.resolutions - level };
  let wanted = first;
  await read(isInFront ? gapsUpTo(wanted, known) : listHeads(known));
  for (;;) {
    const selection = selectPackets(wish, known);
    if (selection.kind === 'complete') {
      const { part, end } = selection.last;
      habits.note(level, tileBytes, sumBytes(parts.slice(0, part)) + end);
      return selection;
    }
    if (selection.kind === 'missing' && selection.ranges.length <= MAX_RANGES) {
      await read(selection.ranges);
      continue;
    }
    const isFurther = selection.kind === 'unknown' && isInFront;
    if (!isFurther) habits.noteOpaque();
    wanted = isFurther ? wanted * GROWTH : tileBytes;
    if (wanted + atOnce >= tileBytes) break;
    await read(gapsUpTo(wanted, known));
  }
  await read(gapsUpTo(tileBytes, known));
  return toTileData(
    tile,
    known.map((part) => part.from(0)),
  );
}

/** Reads all bytes of a tile. */
export async function readWholeTile(
  jp2: Jp2,
  tile: number,
  signal: AbortSignal | undefined,
): Promise<TileData> {
  const parts = toParts(jp2, tile);
  const bytes = parts.map(({ offset, length }) => jp2.source.read(offset, length, signal));
  return toTileData(tile, await Promise.all(bytes));
}

/**
 * The ranges that reading a tile at a level begins with: all of it, its first bytes, or the headers of its parts. What a
 * reader needs beyond them is known only from the packets.
 */
export function listFirstRanges(
  jp2: Jp2,
  { tile, level }: Pick<StoredTile, 'tile' | 'level'>,
  habits: TileHabits,
): readonly Pick<TilePart, 'offset' | 'length'>[] {
  const parts = toParts(jp2, tile);
  const first = guessFirst(jp2, parts, level, habits);
  if (first === null) return parts.map(({ offset, length }) => ({ offset, length }));
  const known = parts.map(({ length }) => makeKnownBytes(length));
  const ranges = isFrontLoaded(jp2.header.style) ? gapsUpTo(first, known) : listHeads(known);
  return ranges.map(({ part, start, end }) => ({ offset: parts[part]!.offset + start, length: end - start }));
}

/** Bytes that are read first; null where all of the tile is: a part is not worth it, or cannot be separated. */
function guessFirst(jp2: Jp2, parts: readonly TilePart[], level: number, habits: TileHabits): number | null {
  const { style } = jp2.header;
  if (level === 0 || !style.hasLoneLengths || habits.isOpaque()) return null;
  const isInFront = isFrontLoaded(style);
  const first = isInFront ? guessBytes(jp2, parts, level, habits) : PART_HEADER_BYTES * parts.length;
  const { atOnce, inTwo } = habits.worthBytes;
  return first + (isInFront ? atOnce : inTwo) >= sumBytes(parts) ? null : first;
}

/** The packets of a tile; null where they are too many. */
const listTilePackets = (
  { bandCount, header: { style } }: Jp2,
  { x, y }: StoredTile,
): readonly Packet[] | null => listPackets({ x, y, bandCount, style });

const sumBytes = (parts: readonly Pick<TilePart, 'length'>[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

function toParts(jp2: Jp2, tile: number): readonly TilePart[] {
  const parts = jp2.tileParts[tile]!;
  const storedBytes = sumBytes(parts);
  if (storedBytes <= MAX_STORED_BYTES) return parts;
  throw sourceBroken(
    'jp2-tile-too-long',
    `Tile ${tile} of the JPEG 2000 file has ${storedBytes} bytes; at most ${MAX_STORED_BYTES} are read.`,
  );
}

/** What earlier tiles of a file have shown about the next: memory of one opened file. */
export interface TileHabits {
  /** A part of a tile is read only if it saves more bytes than this, in one request and in two. */
  readonly worthBytes: { readonly atOnce: number; readonly inTwo: number };
  /** Bytes at the beginning of a tile that are probably enough for a level. */
  guess(level: number, tileBytes: number): number;
  /** Notes what was enough. */
  note(level: number, tileBytes: number, usedBytes: number): void;
  /** True when packets could not be separated: later tiles are read whole, in one request. */
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

/** From the index where each resolution is a tile-part, otherwise from earlier tiles. */
function guessBytes(jp2: Jp2, parts: readonly TilePart[], level: number, habits: TileHabits): number {
  const isByResolution = parts.length > 1 && parts.length === jp2.resolutions;
  return isByResolution
    ? sumBytes(parts.slice(0, -level || undefined))
    : habits.guess(level, sumBytes(parts));
}

/** The beginning of each part, where the lengths of its packets are. */
const listHeads = (known: readonly KnownBytes[]): readonly PartRange[] =>
  known.map(({ length }, part) => ({ part, start: 0, end: Math.min(length, PART_HEADER_BYTES) }));

/** What is not known of the first bytes of a tile, its parts one after the other. */
function gapsUpTo(bytes: number, known: readonly KnownBytes[]): readonly PartRange[] {
  let before = 0;
  return known.flatMap((bytesOfPart, part) => {
    const end = bytes - before;
    before += bytesOfPart.length;
    return bytesOfPart.gaps(end).map((gap) => ({ part, ...gap }));
  });
}

/** Cells of a grid that a span touches. */
const cells = ({ start, end }: Span, exponent: number): number =>
  start >= end ? 0 : Math.ceil(end / 2 ** exponent) - Math.floor(start / 2 ** exponent);

/**
 * Counts precincts and code-blocks before the decoder allocates some hundred bytes for each: a few bytes of header can
 * ask for as many as there are pixels.
 */
export function checkPieces(x: Span, y: Span, style: CodingStyle, bandCount: number): void {
  const { decompositions, precinctExponents, blockExponents, layers } = style;
  let precincts = 0;
  let blocks = 0;
  precinctExponents.forEach((precinct, resolution) => {
    const level = decompositions - resolution;
    const [spanX, spanY] = [spanAtLevel(x, level), spanAtLevel(y, level)];
    precincts += cells(spanX, precinct.x) * cells(spanY, precinct.y);
    // three subbands of half the side have as many blocks as the whole with blocks of twice the side, less a quarter
    const halves = resolution === 0 ? 0 : 1;
    const blockX = Math.min(blockExponents.x, precinct.x - halves) + halves;
    const blockY = Math.min(blockExponents.y, precinct.y - halves) + halves;
    blocks += (resolution === 0 ? 1 : 3) * cells(spanX, blockX) * cells(spanY, blockY);
  });
  const pieces = (precincts + blocks) * bandCount;
  const packets = precincts * bandCount * layers;
  if (pieces > MAX_TILE_PIECES || packets > MAX_PACKETS) {
    throw sourceBroken(
      'jp2-too-many-pieces',
      `A tile of the JPEG 2000 file has ${pieces} pieces in ${packets} packets; at most ${MAX_TILE_PIECES} in ${MAX_PACKETS} are read.`,
    );
  }
}
