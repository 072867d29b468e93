import type { CodingStyle } from '../headers/main-header.ts';
import { MARKER, SOP_BYTES } from '../headers/main-header.ts';
import type { BlockGrid, Packet, Precinct } from './packet-order.ts';

/** Reads the headers of packets; those of one precinct in the order of their layers. */
interface PacketReader {
  /**
   * Bytes of a packet, markers and header included, by its header at the beginning of these bytes, which may end
   * before the packet does. Null when they end before its header does, or are not a header.
   */
  measure(packet: Packet, bytes: Uint8Array): number | null;
}

/** What earlier layers have said about one subband of a precinct. */
interface BlockStates {
  readonly grid: BlockGrid;
  readonly inclusion: TagTree;
  readonly zeroPlanes: TagTree;
  /** Bits of a length, by code-block; 0 before it is first included. */
  readonly lengthBits: Uint8Array;
  /** Coding passes so far, by code-block. */
  readonly passes: Uint8Array;
}

/** More bit planes than samples of 16 bits have: such a header is damage. */
const MAX_ZERO_PLANES = 64;
/** After more passes a block has several lengths in a packet; 16 bits take fewer. */
const MAX_PASSES = 109;
/** Lengths of code-blocks have fewer bits: a tile is not that long. */
const MAX_LENGTH_BITS = 32;

/** Begins with the first packets of all precincts. */
export function makePacketReader({ hasSop, hasEph }: CodingStyle): PacketReader {
  const states = new Map<Precinct, readonly BlockStates[]>();
  return {
    measure({ precinct, layer }, bytes) {
      let subbands = states.get(precinct);
      if (subbands === undefined) {
        subbands = precinct.grids.map(makeStates);
        states.set(precinct, subbands);
      }
      const start = hasSop ? SOP_BYTES : 0;
      if (hasSop && !isMarker(bytes, 0, MARKER.sop)) return null;
      const bits = makeHeaderBits(bytes, start);
      let bodyBytes = 0;
      if (bits.take(1) === 1) {
        for (const subband of subbands) {
          const length = readLengths(subband, layer, bits);
          if (length === null) return null;
          bodyBytes += length;
        }
      }
      const headerBytes = bits.end();
      if (headerBytes === null) return null;
      const end = start + headerBytes;
      if (!hasEph) return end + bodyBytes;
      return isMarker(bytes, end, MARKER.eph) ? end + 2 + bodyBytes : null;
    },
  };
}

const isMarker = (bytes: Uint8Array, at: number, marker: number): boolean =>
  bytes[at] === marker >> 8 && bytes[at + 1] === (marker & 0xff);

const makeStates = (grid: BlockGrid): BlockStates => ({
  grid,
  inclusion: makeTagTree(grid),
  zeroPlanes: makeTagTree(grid),
  lengthBits: new Uint8Array(grid.across * grid.down),
  passes: new Uint8Array(grid.across * grid.down),
});

/** Sum of the lengths of all code-blocks of a subband (ISO/IEC 15444-1, B.10.3 to B.10.7). */
function readLengths(
  { grid, inclusion, zeroPlanes, lengthBits, passes }: BlockStates,
  layer: number,
  bits: HeaderBits,
): number | null {
  let sum = 0;
  for (let y = 0; y < grid.down; y++) {
    for (let x = 0; x < grid.across; x++) {
      const block = y * grid.across + x;
      const isFirst = lengthBits[block] === 0;
      const isIncluded = isFirst ? inclusion.isBelow(x, y, layer + 1, bits) : bits.take(1) === 1;
      if (!isIncluded) continue;
      if (isFirst) {
        let planes = 1;
        while (!zeroPlanes.isBelow(x, y, planes, bits)) if (++planes > MAX_ZERO_PLANES) return null;
        lengthBits[block] = 3;
      }
      const added = takePasses(bits);
      passes[block] = Math.min(255, passes[block]! + added);
      while (bits.take(1) === 1) if (++lengthBits[block]! > MAX_LENGTH_BITS) return null;
      const width = lengthBits[block]! + Math.floor(Math.log2(added));
      if (passes[block]! > MAX_PASSES || width > MAX_LENGTH_BITS) return null;
      sum += bits.take(width);
    }
    // Zeros in place of missing bytes are not read endlessly.
    if (bits.end() === null) return null;
  }
  return sum;
}

/** New coding passes of a code-block (ISO/IEC 15444-1, table B.4). */
function takePasses(bits: HeaderBits): number {
  if (bits.take(1) === 0) return 1;
  if (bits.take(1) === 0) return 2;
  const few = bits.take(2);
  if (few < 3) return 3 + few;
  const more = bits.take(5);
  return more < 31 ? 6 + more : 37 + bits.take(7);
}

/** Bits of a packet header; a byte after 0xFF holds seven of them (ISO/IEC 15444-1, B.10.1). */
interface HeaderBits {
  /** The next bits as a number, the first one highest; zeros after the end of the bytes. */
  take(count: number): number;
  /** Bytes that are used up, with the one that must follow a last 0xFF; null when there were too few. */
  end(): number | null;
}

/** Begins at the first bit of the bytes from `start`. */
function makeHeaderBits(bytes: Uint8Array, start: number): HeaderBits {
  let at = start;
  let byte = 0;
  let left = 0;
  const takeBit = (): number => {
    if (left === 0) {
      left = byte === 0xff ? 7 : 8;
      byte = bytes[at++] ?? 0;
    }
    return (byte >> --left) & 1;
  };
  return {
    take(count) {
      let value = 0;
      for (let i = 0; i < count; i++) value = value * 2 + takeBit();
      return value;
    },
    end() {
      const end = byte === 0xff ? at + 1 : at;
      return end > bytes.length ? null : end - start;
    },
  };
}

/** A tag tree (ISO/IEC 15444-1, B.10.2): numbers of a grid, coded bit by bit with what their neighbours share. */
interface TagTree {
  /** Reads until it is known whether the number of this cell is less than `limit`. */
  isBelow(x: number, y: number, limit: number, bits: HeaderBits): boolean;
}

interface Layer extends BlockGrid {
  /** What the numbers are at least. */
  readonly lows: Uint16Array;
  /** 1 where that is the number itself. */
  readonly known: Uint8Array;
}

const toLayer = ({ across, down }: BlockGrid): Layer => ({
  across,
  down,
  lows: new Uint16Array(across * down),
  known: new Uint8Array(across * down),
});

/** A tree of which nothing is known yet. */
function makeTagTree(grid: BlockGrid): TagTree {
  const layers = [toLayer(grid)];
  for (let { across, down } = grid; across * down > 1; ) {
    across = Math.ceil(across / 2);
    down = Math.ceil(down / 2);
    layers.push(toLayer({ across, down }));
  }
  return {
    isBelow(x, y, limit, bits) {
      let low = 0;
      for (let depth = layers.length - 1; depth >= 0; depth--) {
        const { across, lows, known } = layers[depth]!;
        const cell = (y >> depth) * across + (x >> depth);
        low = Math.max(low, lows[cell]!);
        while (low < limit && known[cell] === 0) {
          if (bits.take(1) === 1) known[cell] = 1;
          else low++;
        }
        lows[cell] = low;
      }
      return low < limit;
    },
  };
}
