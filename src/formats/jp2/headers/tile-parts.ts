import { HEAD_READ_BYTES, MAX_TILE_PARTS, NEXT_READ_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { damaged, truncated } from './byte-window.ts';
import { readHeadsAhead } from './heads-ahead.ts';
import type { MainHeader } from './main-header.ts';
import { MARKER } from './markers.ts';
import { parsePartHead, SOT_BYTES } from './part-head.ts';

/** Where a tile-part stands in the file, SOT included. */
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
    // only the last part may leave its length open; the end marker stands after it
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
