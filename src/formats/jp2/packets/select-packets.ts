import type { CodingStyle } from '../headers/main-header.ts';
import { SOP_BYTES } from '../headers/main-header.ts';
import { parsePartHeader } from '../headers/tile-parts.ts';
import type { Packet } from './packet-order.ts';
import { makePacketReader } from './packet-reader.ts';

/** A tile, and which of its packets are needed. */
interface TileWish {
  readonly tile: number;
  readonly style: CodingStyle;
  /** All packets in their order. */
  readonly packets: readonly Packet[];
  /** Resolutions that are needed, from the smallest. */
  readonly resolutions: number;
}

/** Bytes of one tile-part, counted from its SOT. */
export interface PartRange extends ByteSpan {
  readonly part: number;
}

/** What the known bytes are enough for. */
type Selection =
  | {
      readonly kind: 'complete';
      readonly segments: readonly Uint8Array[];
      /** All packets of the tile: the needed ones, and empty ones instead of the others. */
      readonly packets: readonly Uint8Array[];
      /** Where the last needed packet ends. */
      readonly last: { readonly part: number; readonly end: number };
    }
  /** Where the needed packets are. */
  | { readonly kind: 'missing'; readonly ranges: readonly PartRange[] }
  /** Where the next header is; what comes after it is not known yet. */
  | { readonly kind: 'unknown'; readonly part: number; readonly start: number }
  /** Only a decoder can find the packets, from the whole tile. */
  | { readonly kind: 'opaque' };

const OPAQUE = { kind: 'opaque' } as const;

/**
 * Selects the packets of some resolutions out of what is known of the parts of a tile. A length that the file states is
 * believed only for packets that are not needed: the others are measured by their own headers too.
 */
export function selectPackets(wish: TileWish, parts: readonly KnownBytes[]): Selection {
  const { style, packets, resolutions } = wish;
  const isNeeded = ({ precinct }: Packet) => precinct.resolution < resolutions;
  const lastNeeded = packets.findLastIndex(isNeeded);
  const reader = makePacketReader(style);
  const segments: Uint8Array[] = [];
  const found: Uint8Array[] = [];
  const missing: PartRange[] = [];
  let last = { part: 0, end: 0 };
  let next = 0;

  for (const [part, bytes] of parts.entries()) {
    if (next > lastNeeded) break;
    const header = parsePartHeader(bytes.from(0), { tile: wish.tile, part, parts });
    const lengths = header === null ? null : parsePacketLengths(header.lengthTables);
    // Headers of later layers mean nothing without those before them.
    if (missing.length > 0 && lengths === null) break;
    if (header === null) return { kind: 'unknown', part, start: bytes.from(0).length };
    segments.push(...header.segments);
    const first = next;
    for (let at = header.end; at < bytes.length && next <= lastNeeded; next++) {
      const packet = packets[next]!;
      const known = bytes.from(at);
      const stated = lengths === null ? null : lengths[next - first];
      if (stated === undefined) return OPAQUE;
      const isMeasured =
        stated === null || (isNeeded(packet) && missing.length === 0 && known.length >= stated);
      const measured = isMeasured ? reader.measure(packet, known) : stated;
      if (measured === null && stated === null) return { kind: 'unknown', part, start: at + known.length };
      if (measured === null || (stated ?? measured) !== measured) return OPAQUE;
      const end = at + measured;
      if (end > bytes.length) return OPAQUE;
      if (isNeeded(packet)) {
        last = { part, end };
        if (known.length >= measured) found.push(known.subarray(0, measured));
        else if (stated === null && next < lastNeeded)
          return { kind: 'unknown', part, start: at + known.length };
        else addRange(missing, { part, start: at + known.length, end });
      } else found.push(toEmptyPacket(style, next));
      at = end;
    }
  }
  if (missing.length > 0) return { kind: 'missing', ranges: missing };
  if (next <= lastNeeded) return OPAQUE;
  for (; next < packets.length; next++) found.push(toEmptyPacket(style, next));
  return { kind: 'complete', segments, packets: found, last };
}

/** Adds a range to those before it, as one with the last if they touch. */
function addRange(ranges: PartRange[], range: PartRange): void {
  const before = ranges.at(-1);
  const touches = before !== undefined && before.part === range.part && before.end === range.start;
  if (touches) ranges.splice(-1, 1, { ...before, end: range.end });
  else ranges.push(range);
}

/** A packet that says of all its code-blocks that they are not in it. */
function toEmptyPacket({ hasSop, hasEph }: CodingStyle, number: number): Uint8Array {
  const sop = hasSop ? [0xff, 0x91, 0, SOP_BYTES - 2, (number >> 8) & 0xff, number & 0xff] : [];
  return Uint8Array.from([...sop, 0, ...(hasEph ? [0xff, 0x92] : [])]);
}

/**
 * Lengths of the packets of a tile-part, from the contents of its PLT segments (ISO/IEC 15444-1, A.7.3). Null when
 * there are none, and when they are inconsistent: a reader does not need them.
 */
export function parsePacketLengths(tables: readonly Uint8Array[]): readonly number[] | null {
  if (tables.length === 0) return null;
  const lengths: number[] = [];
  for (const table of tables.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))) {
    let length = 0;
    let isOpen = false;
    for (const byte of table.subarray(1)) {
      length = length * 128 + (byte & 0x7f);
      // A packet has at least one byte, and a tile-part fewer than 2³².
      if (length >= 2 ** 32) return null;
      isOpen = (byte & 0x80) !== 0;
      if (isOpen) continue;
      if (length === 0) return null;
      lengths.push(length);
      length = 0;
    }
    if (isOpen) return null;
  }
  return lengths;
}

/** A range of bytes: half-open. */
interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a tile-part of which some are known. */
export interface KnownBytes {
  readonly length: number;
  /** The known bytes from there on, as far as they go without a gap. */
  from(offset: number): Uint8Array;
  /** What is not known before `end`. */
  gaps(end: number): readonly ByteSpan[];
  add(start: number, bytes: Uint8Array): void;
}

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

const endOf = ({ start, bytes }: Piece): number => start + bytes.length;

/** Starts with no byte known. */
export function makeKnownBytes(length: number): KnownBytes {
  /** In their order; no two touch. */
  let pieces: readonly Piece[] = [];
  return {
    length,
    from(offset) {
      const found = pieces.find((piece) => piece.start <= offset && offset < endOf(piece));
      return found === undefined ? new Uint8Array() : found.bytes.subarray(offset - found.start);
    },
    gaps(end) {
      const starts = [0, ...pieces.map(endOf)];
      const ends = [...pieces.map(({ start }) => start), length];
      return starts
        .map((start, i) => ({ start, end: Math.min(ends[i]!, end) }))
        .filter((gap) => gap.start < gap.end);
    },
    add(start, bytes) {
      const joined: Piece[] = [];
      for (const piece of [...pieces, { start, bytes }].sort((a, b) => a.start - b.start)) {
        const before = joined.at(-1);
        if (before === undefined || endOf(before) < piece.start) joined.push(piece);
        else joined.splice(-1, 1, { ...before, bytes: Buffer.concat([before.bytes, piece.bytes]) });
      }
      pieces = joined;
    },
  };
}
