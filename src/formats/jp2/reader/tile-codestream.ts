import { sourceBroken, unsupported } from '../../../errors.ts';
import { damaged } from '../headers/byte-window.ts';
import type { ImageSize } from '../headers/image-size.ts';
import { toSizSegment } from '../headers/image-size.ts';
import { MARKER, markerName } from '../headers/markers.ts';
import { parsePartHead, SOT_BYTES } from '../headers/tile-parts.ts';

/** A codestream of one tile alone, as a tile of a smaller image. */
interface LoneTile {
  readonly size: ImageSize;
  /** Size of the smaller image; its tiles are those of the large one. */
  readonly width: number;
  readonly height: number;
  /** Number of the tile in the large image. */
  readonly tile: number;
  /** Its number in the smaller one. */
  readonly newTile: number;
  /** Marker segments of the main header. */
  readonly segments: readonly Uint8Array[];
  /** Tile-parts as they stand in the file. */
  readonly parts: readonly Uint8Array[];
  /** Appends what no decoder can take for a packet. */
  readonly isPoisoned: boolean;
}

/** Marker segments of a tile-part that change nothing the main header said about pieces. */
const COPIED_MARKERS: readonly number[] = [MARKER.qcd, MARKER.qcc, MARKER.rgn];
/** Comments, and lengths that the decoder finds by itself. */
const DROPPED: readonly number[] = [MARKER.com, MARKER.plt];

/**
 * Read only if packets are missing: these ones (with the zero bits that must follow a byte of ones) make a packet
 * whose lengths have hundreds of bits, which the decoder reports as an error.
 */
const POISON = Uint8Array.from({ length: 256 }, (_, i) => (i % 2 === 0 ? 0xff : 0x7f));

/** Writes the codestream; all other tiles of the smaller image are missing from it. */
export function toTileCodestream(lone: LoneTile): Uint8Array {
  const soc = Uint8Array.of(0xff, 0x4f);
  const eoc = Uint8Array.of(0xff, 0xd9);
  const parts = lone.parts.flatMap((bytes, part) => toLonePart(bytes, part, lone));
  return Buffer.concat([
    soc,
    toSizSegment({ ...lone.size, width: lone.width, height: lone.height }),
    ...lone.segments,
    ...parts,
    eoc,
  ]);
}

/** One tile-part with its new number and length; its head must be what the index promised. */
function toLonePart(
  bytes: Uint8Array,
  part: number,
  { tile, newTile, parts, isPoisoned }: LoneTile,
): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = parsePartHead(view);
  const fits =
    head !== null &&
    head.tile === tile &&
    head.part === part &&
    (head.length === 0 || head.length === bytes.length) &&
    (head.partCount === 0 || head.partCount === parts.length);
  if (!fits) {
    throw sourceBroken(
      'jp2-bad-index',
      `The JPEG 2000 file is damaged: part ${part} of tile ${tile} is not where the file says.`,
    );
  }
  const segments: Uint8Array[] = [];
  let at = SOT_BYTES;
  for (;;) {
    if (at + 2 > bytes.length) throw damaged(`a part of tile ${tile} has no data`);
    const marker = view.getUint16(at);
    if (marker === MARKER.sod) break;
    const length = at + 4 > bytes.length ? 0 : view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) throw damaged(`the head of tile ${tile} is cut off`);
    if (COPIED_MARKERS.includes(marker)) segments.push(bytes.subarray(at, at + 2 + length));
    else if (!DROPPED.includes(marker)) {
      throw unsupported(
        'jp2-marker',
        `This JPEG 2000 file uses ${markerName(marker)} in the head of a tile, which cannot be read.`,
      );
    }
    at += 2 + length;
  }
  const isLast = part === parts.length - 1;
  const data = isLast && isPoisoned ? [bytes.subarray(at), POISON] : [bytes.subarray(at)];
  // a copy, which `slice` of a Buffer would not be
  const sot = new Uint8Array(bytes.subarray(0, SOT_BYTES));
  const sotView = new DataView(sot.buffer);
  sotView.setUint16(4, newTile);
  sotView.setUint32(
    6,
    [sot, ...segments, ...data].reduce((sum, { length }) => sum + length, 0),
  );
  return [sot, ...segments, ...data];
}
