import type { CodingStyle } from '../headers/coding-style.ts';
import { MARKER, SOP_BYTES } from '../headers/markers.ts';
import type { BlockGrid } from './block-grids.ts';
import type { HeaderBits } from './header-bits.ts';
import { makeHeaderBits } from './header-bits.ts';
import type { Packet, Precinct } from './packet-order.ts';
import type { TagTree } from './tag-tree.ts';
import { makeTagTree } from './tag-tree.ts';

/** Reads the headers of packets; those of one precinct in the order of their layers. */
export interface PacketReader {
  /**
   * Bytes of a packet, markers and header included, by its header at the beginning of these bytes, which may end
   * before the packet does. Null when they end before its header does, or are no header.
   */
  measure(packet: Packet, bytes: Uint8Array): number | null;
}

/** What earlier layers have told about one subband of a precinct. */
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
    // Zeros that stand for missing bytes are not read on and on.
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
