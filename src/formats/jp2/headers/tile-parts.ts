import { sourceBroken, unsupported } from '../../errors.ts';
import { HEAD_READ_BYTES, MAX_PART_CHAINS, MAX_TILE_PARTS, NEXT_READ_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { damaged, truncated } from './byte-window.ts';
import type { MainHeader } from './main-header.ts';
import { MARKER, markerName } from './main-header.ts';

/** Where a tile-part is in the file, SOT included. */
export interface TilePart {
  readonly offset: number;
  readonly length: number;
}

/** Tile-parts by tile number, in the order in which they are decoded. */
export type TilePartIndex = readonly (readonly TilePart[])[];

/** Finds all tile-parts: by the table of their lengths when the file has one that fits, otherwise from part to part. */
export async function readTileParts(
  window: ByteWindow,
  header: MainHeader,
  end: number,
): Promise<TilePartIndex> {
  return (await readByTable(window, header, end)) ?? (await walkParts(window, header, end));
}

const makeIndex = (tiles: number): TilePart[][] => Array.from({ length: tiles }, () => []);

/**
 * Whether the codestream may end there. Where nothing but the end marker fits, it is not read: that costs a request, and
 * a tile that is not what the index says is found out when it is read.
 */
const isEnd = async (window: ByteWindow, at: number, end: number, readBytes?: number): Promise<boolean> =>
  at + 2 === end || (at + 2 < end && (await window.view(at, 2, readBytes)).getUint16(0) === MARKER.eoc);

/** Each part's head says where the next one begins; the end-of-codestream marker must follow the last. */
async function walkParts(window: ByteWindow, header: MainHeader, end: number): Promise<TilePartIndex> {
  const tiles = header.size.tilesAcross * header.size.tilesDown;
  const index = makeIndex(tiles);
  const stated = new Uint8Array(tiles);
  const ahead = await readHeadsAhead(window, { start: header.end, end, tiles });
  let count = 0;
  let readBytes = SOT_BYTES;
  for (let at = header.end; ahead.has(at) || !(await isEnd(window, at, end, readBytes)); count++) {
    if (count === MAX_TILE_PARTS) throw damaged(`it has more than ${MAX_TILE_PARTS} tile-parts`);
    if (at + SOT_BYTES > end) throw truncated('a tile-part');
    const head = ahead.get(at) ?? parsePartHead(await window.view(at, SOT_BYTES, readBytes));
    if (head === null) throw damaged('a tile-part does not begin where the one before it ends');
    // only the last part may leave its length open; the end marker follows it
    const length = head.length === 0 ? end - 2 - at : head.length;
    if (head.tile >= tiles) throw damaged(`it has ${tiles} tiles, and a part of tile ${head.tile}`);
    if (length < SOT_BYTES + 2) throw damaged(`a tile-part states a length of ${length} bytes`);
    if (at + length > end) throw truncated(`a part of tile ${head.tile}`);
    const parts = index[head.tile]!;
    if (head.part !== parts.length) throw damaged(`the parts of tile ${head.tile} are out of order`);
    parts.push({ offset: at, length });
    if (head.partCount !== 0) stated[head.tile] = head.partCount;
    at += length;
    // Parts are as long as their neighbours: short ones are read over, of long ones only the head is.
    const isAllShort = at - header.end <= (count + 1) * NEXT_READ_BYTES;
    const nextBytes = isAllShort ? HEAD_READ_BYTES : NEXT_READ_BYTES;
    readBytes = length <= NEXT_READ_BYTES ? nextBytes : SOT_BYTES;
  }
  const short = index.findIndex((parts, tile) => parts.length === 0 || parts.length < stated[tile]!);
  if (short >= 0) throw damaged(`parts of tile ${short} are missing`);
  return index;
}

/** The index from TLM segments (ISO/IEC 15444-1, A.7.1); null when there are none or they do not fit the file. */
async function readByTable(
  window: ByteWindow,
  header: MainHeader,
  end: number,
): Promise<TilePartIndex | null> {
  if (header.lengthTables.length === 0) return null;
  const tiles = header.size.tilesAcross * header.size.tilesDown;
  const index = makeIndex(tiles);
  let at = header.end;
  let count = 0;
  const tables = [...header.lengthTables].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  for (const table of tables) {
    const tileBytes = ((table[1] ?? 0) >> 4) & 3;
    const lengthBytes = ((table[1] ?? 0) & 0x40) === 0 ? 2 : 4;
    const step = tileBytes + lengthBytes;
    if (tileBytes === 3 || table.length < 2 || (table.length - 2) % step !== 0) return null;
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    for (let entry = 2; entry < table.length; entry += step, count++) {
      // no tile number: one part a tile, in their order
      const tile = tileBytes === 0 ? count : tileBytes === 1 ? view.getUint8(entry) : view.getUint16(entry);
      const length =
        lengthBytes === 2 ? view.getUint16(entry + tileBytes) : view.getUint32(entry + tileBytes);
      if (tile >= tiles || length < SOT_BYTES + 2 || at + length > end) return null;
      index[tile]!.push({ offset: at, length });
      at += length;
    }
  }
  const isWhole = index.every((parts) => parts.length > 0) && (await isEnd(window, at, end));
  return isWhole ? index : null;
}

/** The twelve bytes of an SOT segment. */
interface PartHead {
  readonly tile: number;
  /** 0: to the end of the codestream. */
  readonly length: number;
  /** Its index among the parts of its tile. */
  readonly part: number;
  /** Parts of its tile; 0: not said here. */
  readonly partCount: number;
}

/** Bytes of an SOT segment. */
export const SOT_BYTES = 12;

/** Reads an SOT segment; null when the bytes are something else. */
function parsePartHead(view: DataView): PartHead | null {
  if (view.getUint16(0) !== MARKER.sot || view.getUint16(2) !== 10) return null;
  return {
    tile: view.getUint16(4),
    length: view.getUint32(6),
    part: view.getUint8(10),
    partCount: view.getUint8(11),
  };
}

/** The part of a codestream that holds its tile-parts. */
interface PartsRange {
  readonly start: number;
  readonly end: number;
  readonly tiles: number;
}

/** Heads of tile-parts by their offsets in the file. */
type HeadsAhead = ReadonlyMap<number, PartHead>;

/**
 * Reads heads of tile-parts from several positions of a remote file at once: from part to part alone, each costs a
 * round trip. They are guesses, and some may not be heads: only the walk from the first part decides which count.
 */
async function readHeadsAhead(window: ByteWindow, { start, end, tiles }: PartsRange): Promise<HeadsAhead> {
  const heads = new Map<number, PartHead>();
  const partBytes = Math.ceil((end - start) / tiles);
  // Shorter parts are read over. A search for a part reads the length of one: half of what walking may cost.
  const chains = Math.min(MAX_PART_CHAINS, Math.floor((tiles * NEXT_READ_BYTES) / 2 / partBytes));
  if (!window.isRemote || partBytes <= NEXT_READ_BYTES || chains < 2) return heads;
  const step = (end - start) / chains;
  const maxHeads = Math.ceil((2 * tiles) / chains);

  const follow = async (from: number, stop: number): Promise<void> => {
    // The first part begins at the first position; elsewhere one is searched for.
    const searched = await window.peek(from, from === start ? SOT_BYTES : Math.min(partBytes, end - from));
    const first = findHead(searched);
    if (first === null) return;
    let at = from + first;
    let bytes = searched.subarray(first);
    for (let count = 0; count < maxHeads && at < stop && at + SOT_BYTES <= end; count++) {
      if (bytes.length < SOT_BYTES) bytes = await window.peek(at, SOT_BYTES);
      const head = parsePartHead(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (head === null || head.length < SOT_BYTES) return;
      heads.set(at, head);
      at += head.length;
      bytes = bytes.subarray(head.length);
    }
  };
  const positions = Array.from({ length: chains }, (_, i) => Math.floor(start + i * step));
  await Promise.all(positions.map((from, i) => follow(from, positions[i + 1] ?? end)));
  return heads;
}

/** Where a head begins; no packet holds the two bytes of its marker (ISO/IEC 15444-1, B.10.1 and D.4). */
function findHead(bytes: Uint8Array): number | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SOT_START);
  return at < 0 || at + SOT_BYTES > bytes.length ? null : at;
}

/** SOT and the length of its segment. */
const SOT_START = Uint8Array.of(0xff, 0x90, 0, 10);

/** What precedes the packets of a tile-part. */
interface PartHeader {
  /** Marker segments that the tile needs to be decoded. */
  readonly segments: readonly Uint8Array[];
  /** Contents of the PLT segments: lengths of its packets. */
  readonly lengthTables: readonly Uint8Array[];
  /** Where the packets begin, counted from SOT. */
  readonly end: number;
}

/** The part and tile that the header must name. */
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
