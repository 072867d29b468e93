import { damaged } from '../headers/byte-window.ts';
import type { CodingStyle, ImageSize, Span } from '../headers/main-header.ts';
import { MARKER, spanAtLevel, toSizSegment, toSpan } from '../headers/main-header.ts';
import { parsePartHeader, SOT_BYTES } from '../headers/tile-parts.ts';

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

/** Takes complete tile-parts apart, in the form of the file; their heads must be those of the index. */
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

/** One axis of the tile grid. */
interface Axis {
  readonly tileSide: number;
  readonly imageSide: number;
}

/**
 * Number of the first tile on this axis that is cut into pieces as `tile` is. Precincts, code-blocks and the two phases of
 * the wavelet are counted from the image's corner, not the tile's: a tile can be decoded as another tile of a smaller image
 * only if all of these cut it at the same coordinates. Tiles with sides of a power of two, the common ones, can all pass
 * for tile 0; others (192 pixels with 64-pixel precincts in some Sentinel-2 products) repeat after a few.
 */
export function findTwin(tile: number, axis: Axis, style: CodingStyle, exponent: 'x' | 'y'): number {
  const span = toSpan(tile, axis.tileSide, axis.imageSide);
  const period = 2 ** style.decompositions;
  for (let twin = 0; twin < tile; twin++) {
    const shift = (tile - twin) * axis.tileSide;
    if (shift % period === 0 && isCutAlike(span, shift, style, exponent)) return twin;
  }
  return tile;
}

function isCutAlike(span: Span, shift: number, style: CodingStyle, exponent: 'x' | 'y'): boolean {
  const { decompositions, precinctExponents, blockExponents } = style;
  for (let resolution = 0; resolution <= decompositions; resolution++) {
    const level = decompositions - resolution;
    const precinct = precinctExponents[resolution]![exponent];
    const part = spanAtLevel(span, level);
    const moved = shift / 2 ** level;
    if (!isPartedAlike(part, moved, 2 ** precinct)) return false;
    // Where a tile's corner is not a sample of the resolution, the order of packets asks whether a precinct begins there.
    const begins = (start: number) => start % 2 ** precinct === 0;
    if (span.start % 2 ** level !== 0 && begins(part.start) !== begins(part.start - moved)) return false;
    // The subbands of a resolution have half its samples, so half its precinct; the smallest is a subband itself.
    const halves = resolution === 0 ? 0 : 1;
    const block = 2 ** Math.min(blockExponents[exponent], precinct - halves);
    for (const band of toSubbands(span, level, halves === 1)) {
      if (!isPartedAlike(band, moved / 2 ** halves, block)) return false;
    }
  }
  return true;
}

/** Samples of the low- and high-pass subbands that make a resolution (ISO/IEC 15444-1, equation B-15). */
function toSubbands(span: Span, level: number, isSplit: boolean): readonly Span[] {
  if (!isSplit) return [spanAtLevel(span, level)];
  const half = 2 ** level;
  const high = { start: span.start - half, end: span.end - half };
  return [spanAtLevel(span, level + 1), spanAtLevel(high, level + 1)];
}

/** True when the grid of that step cuts the span at the same coordinates before and after it is moved. */
function isPartedAlike({ start, end }: Span, moved: number, step: number): boolean {
  if (moved % step === 0 || start >= end) return true;
  const isUncut = (from: number, to: number) => Math.floor(from / step) === Math.floor((to - 1) / step);
  return isUncut(start, end) && isUncut(start - moved, end - moved);
}
