import { internal } from '../../../errors.ts';
import { MARKER } from '../headers/markers.ts';
import { SOT_BYTES } from '../headers/part-head.ts';

/** An image to be written as a codestream of equal tiles. */
export interface WrittenImage {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly tileSize: number;
}

/** A tile's own codestream, taken apart: plain data. */
export interface EncodedTile {
  /** COD and QCD, which are the same for all tiles of an image. */
  readonly style: Uint8Array;
  /** Packets, without any marker. */
  readonly packets: Uint8Array;
}

/** Takes the codestream of one tile apart; it comes from our own encoder, so anything unexpected is a fault of ours. */
export function splitTile(codestream: Uint8Array): EncodedTile {
  const view = new DataView(codestream.buffer, codestream.byteOffset, codestream.byteLength);
  const style: Uint8Array[] = [];
  let at = 2;
  for (; view.getUint16(at) !== MARKER.sot; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === MARKER.cod || marker === MARKER.qcd) {
      style.push(codestream.subarray(at, at + 2 + view.getUint16(at + 2)));
    }
  }
  const data = at + SOT_BYTES + 2;
  const end = at + view.getUint32(at + 6);
  if (
    view.getUint16(data - 2) !== MARKER.sod ||
    end !== codestream.length - 2 ||
    view.getUint16(end) !== MARKER.eoc
  ) {
    throw internal('jp2-encode', 'The encoder made a tile of more than one part.');
  }
  return { style: Buffer.concat(style), packets: codestream.subarray(data, end) };
}

/** SOT and SOD of a tile that is one part; its packets follow. */
export function toTileHead(tile: number, packetBytes: number): Uint8Array {
  const head = new Uint8Array(SOT_BYTES + 2);
  const view = new DataView(head.buffer);
  view.setUint16(0, MARKER.sot);
  view.setUint16(2, SOT_BYTES - 2);
  view.setUint16(4, tile);
  view.setUint32(6, head.length + packetBytes);
  view.setUint8(11, 1);
  view.setUint16(SOT_BYTES, MARKER.sod);
  return head;
}

/** Entries of six bytes that fit after the four of a segment's head. */
const TLM_ENTRIES = Math.floor((65_535 - 4) / 6);
/** Tile numbers of 16 bits and lengths of 32 (ISO/IEC 15444-1, A.7.1). */
const TLM_SIZES = 0x60;

/** TLM: where the tiles are, so that a reader of one needs to look at no other. */
export function toTlm(tileBytes: ArrayLike<number>): Uint8Array {
  const segments: Uint8Array[] = [];
  for (let first = 0; first < tileBytes.length; first += TLM_ENTRIES) {
    const count = Math.min(TLM_ENTRIES, tileBytes.length - first);
    const bytes = new Uint8Array(6 + 6 * count);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, MARKER.tlm);
    view.setUint16(2, bytes.length - 2);
    bytes.set([segments.length, TLM_SIZES], 4);
    for (let i = 0; i < count; i++) {
      view.setUint16(6 + 6 * i, first + i);
      view.setUint32(8 + 6 * i, tileBytes[first + i]!);
    }
    segments.push(bytes);
  }
  return Buffer.concat(segments);
}

/** Times that tiles are halved: six resolutions as the provider of Sentinel-2 has them, fewer for narrow edge tiles. */
export function planDecompositions({ width, height, tileSize }: WrittenImage): number {
  const sides = [width, height].flatMap((side) => [Math.min(side, tileSize), side % tileSize || tileSize]);
  return Math.min(5, Math.floor(Math.log2(Math.min(...sides))));
}
