import { sourceBroken, unsupported } from '../../../errors.ts';
import { damaged } from './byte-window.ts';
import { MARKER, markerName } from './markers.ts';
import { parsePartHead, SOT_BYTES } from './part-head.ts';
import type { TilePart } from './tile-parts.ts';

/** What stands before the packets of a tile-part. */
export interface PartHeader {
  /** Marker segments that the tile needs to be decoded. */
  readonly segments: readonly Uint8Array[];
  /** Contents of the PLT segments: lengths of its packets. */
  readonly lengthTables: readonly Uint8Array[];
  /** Where the packets begin, counted from SOT. */
  readonly end: number;
}

/** Which part of which tile must stand there. */
interface ExpectedPart {
  readonly tile: number;
  readonly part: number;
  readonly parts: readonly Pick<TilePart, 'length'>[];
}

/** Marker segments of a tile-part that change nothing the main header said about pieces. */
const COPIED_MARKERS: readonly number[] = [MARKER.qcd, MARKER.qcc, MARKER.rgn];

/**
 * Reads the header of a tile-part from its first bytes, as many as there are; null when it goes on after them. It must
 * be what the index promised.
 */
export function parsePartHeader(bytes: Uint8Array, expected: ExpectedPart): PartHeader | null {
  if (bytes.length < SOT_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkPartHead(view, expected);
  const segments: Uint8Array[] = [];
  const lengthTables: Uint8Array[] = [];
  const { tile, part, parts } = expected;
  const partBytes = parts[part]!.length;
  for (let at = SOT_BYTES; ; ) {
    if (at + 2 > partBytes) throw damaged(`a part of tile ${tile} has no data`);
    if (at + 2 > bytes.length) return null;
    const marker = view.getUint16(at);
    if (marker === MARKER.sod) return { segments, lengthTables, end: at + 2 };
    if (at + 4 > Math.min(bytes.length, partBytes)) {
      if (at + 4 <= partBytes) return null;
      throw damaged(`the head of tile ${tile} is cut off`);
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > partBytes) throw damaged(`the head of tile ${tile} is cut off`);
    if (end > bytes.length) return null;
    if (COPIED_MARKERS.includes(marker)) segments.push(bytes.subarray(at, end));
    else if (marker === MARKER.plt) lengthTables.push(bytes.subarray(at + 4, end));
    else if (marker !== MARKER.com) {
      throw unsupported(
        'jp2-marker',
        `This JPEG 2000 file uses ${markerName(marker)} in the head of a tile, which cannot be read.`,
      );
    }
    at = end;
  }
}

function checkPartHead(view: DataView, { tile, part, parts }: ExpectedPart): void {
  const head = parsePartHead(view);
  const fits =
    head !== null &&
    head.tile === tile &&
    head.part === part &&
    (head.length === 0 || head.length === parts[part]!.length) &&
    (head.partCount === 0 || head.partCount === parts.length);
  if (fits) return;
  throw sourceBroken(
    'jp2-bad-index',
    `The JPEG 2000 file is damaged: part ${part} of tile ${tile} is not where the file says.`,
  );
}
