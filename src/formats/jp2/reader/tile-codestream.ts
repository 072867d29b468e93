import { damaged } from '../headers/byte-window.ts';
import type { ImageSize } from '../headers/image-size.ts';
import { toSizSegment } from '../headers/image-size.ts';
import { MARKER } from '../headers/markers.ts';
import { SOT_BYTES } from '../headers/part-head.ts';
import { parsePartHeader } from '../headers/part-header.ts';

/** What a tile is decoded from: plain bytes. */
export interface TileData {
  /** Marker segments of the tile itself. */
  readonly segments: readonly Uint8Array[];
  /** All of its packets, in their order. */
  readonly packets: readonly Uint8Array[];
}

/** A codestream of one tile alone, as a tile of a smaller image. */
interface LoneTile {
  readonly size: ImageSize;
  /** Size of the smaller image; its tiles are those of the large one. */
  readonly width: number;
  readonly height: number;
  /** Number of the tile in the smaller image. */
  readonly newTile: number;
  /** Marker segments of the main header. */
  readonly segments: readonly Uint8Array[];
  readonly data: TileData;
  /** Appends what no decoder can take for a packet. */
  readonly isPoisoned: boolean;
}

/**
 * Read only if packets are missing: these ones (with the zero bits that must follow a byte of ones) make a packet
 * whose lengths have hundreds of bits, which the decoder reports as an error.
 */
const POISON = Uint8Array.from({ length: 256 }, (_, i) => (i % 2 === 0 ? 0xff : 0x7f));

/** Writes the codestream, the tile as one part; all other tiles of the smaller image are missing from it. */
export function toTileCodestream(lone: LoneTile): Uint8Array {
  const { segments, packets } = lone.data;
  const soc = Uint8Array.of(0xff, 0x4f);
  const sod = Uint8Array.of(0xff, 0x93);
  const eoc = Uint8Array.of(0xff, 0xd9);
  const rest = [...segments, sod, ...packets, ...(lone.isPoisoned ? [POISON] : [])];
  const sot = new Uint8Array(SOT_BYTES);
  const view = new DataView(sot.buffer);
  view.setUint16(0, MARKER.sot);
  view.setUint16(2, SOT_BYTES - 2);
  view.setUint16(4, lone.newTile);
  view.setUint32(
    6,
    rest.reduce((sum, { length }) => sum + length, SOT_BYTES),
  );
  view.setUint8(11, 1);
  return Buffer.concat([
    soc,
    toSizSegment({ ...lone.size, width: lone.width, height: lone.height }),
    ...lone.segments,
    sot,
    ...rest,
    eoc,
  ]);
}

/** Takes complete tile-parts apart, as they stand in the file; their heads must be what the index promised. */
export function toTileData(tile: number, parts: readonly Uint8Array[]): TileData {
  const headers = parts.map((bytes, part) => {
    const header = parsePartHeader(bytes, { tile, part, parts });
    if (header === null) throw damaged(`the head of tile ${tile} is cut off`);
    return header;
  });
  return {
    segments: headers.flatMap(({ segments }) => segments),
    packets: parts.map((bytes, part) => bytes.subarray(headers[part]!.end)),
  };
}
