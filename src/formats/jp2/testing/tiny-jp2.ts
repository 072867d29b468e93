import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const golden = readFileSync(new URL('../../../../test/golden/jp2/tiny.jp2', import.meta.url));

/** The bare codestream of the smallest golden file: 40 × 35 pixels in four tiles. */
export const tinyCodestream: Uint8Array = golden.subarray(golden.indexOf('jp2c', 0, 'latin1') + 4);

/** Where the first segment with this marker begins. */
export function findSegment(codestream: Uint8Array, marker: number): number {
  const bytes = Buffer.from(codestream);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes.readUInt16BE(at) === marker) return at;
    if (bytes.readUInt16BE(at) === 0xff90) break;
  }
  throw new Error(`no segment ${marker.toString(16)}`);
}

/** The main header, and the tile-parts after it. */
export function splitParts(codestream: Uint8Array): { head: Uint8Array; parts: Uint8Array[] } {
  const bytes = Buffer.from(codestream);
  const first = findSegment(codestream, 0xff90);
  const parts: Uint8Array[] = [];
  for (let at = first; bytes.readUInt16BE(at) === 0xff90; at += bytes.readUInt32BE(at + 6)) {
    parts.push(bytes.subarray(at, at + bytes.readUInt32BE(at + 6)));
  }
  return { head: bytes.subarray(0, first), parts };
}

interface TinyOptions {
  readonly width: number;
  readonly height: number;
  readonly tileSide: number;
  readonly decompositions?: number;
  /** One byte a resolution. */
  readonly precincts?: readonly number[];
  readonly layers?: number;
}

/** A codestream of one byte-sized band whose packets are all empty, which means grey: its header may say anything. */
export function makeTinyJp2({
  width,
  height,
  tileSide,
  decompositions = 1,
  precincts,
  layers = 1,
}: TinyOptions): Uint8Array {
  const siz = Buffer.alloc(43);
  siz.set([0xff, 0x51, 0, 41]);
  siz.writeUInt32BE(width, 6);
  siz.writeUInt32BE(height, 10);
  siz.writeUInt32BE(tileSide, 22);
  siz.writeUInt32BE(tileSide, 26);
  siz.set([0, 1, 7, 1, 1], 38);
  const hasPrecincts = precincts === undefined ? 0 : 1;
  const style = [hasPrecincts, 0, 0, 0, 0, decompositions, 4, 4, 0, 1, ...(precincts ?? [])];
  const cod = Buffer.from([0xff, 0x52, 0, 0, ...style]);
  cod.writeUInt16BE(cod.length - 2, 2);
  cod.writeUInt16BE(layers, 6);
  const steps = Array.from({ length: 3 * decompositions + 1 }, () => 0x48);
  const qcd = Buffer.from([0xff, 0x5c, 0, 3 + steps.length, 0x40, ...steps]);
  const tiles = Math.ceil(width / tileSide) * Math.ceil(height / tileSide);
  const parts = Array.from({ length: tiles }, (_, tile) => {
    // an empty packet a resolution is one zero bit, and thus a byte
    const packets = new Array<number>(decompositions + 1).fill(0);
    const part = Buffer.from([0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0x93, ...packets]);
    part.writeUInt16BE(tile, 4);
    part.writeUInt32BE(part.length, 6);
    return part;
  });
  const [soc, eoc] = [Buffer.from([0xff, 0x4f]), Buffer.from([0xff, 0xd9])];
  return Buffer.concat([soc, siz, cod, qcd, ...parts, eoc]);
}

/** Tile-parts of the file. */
export const LONG_PARTS = 60;

/** A file with parts of 10 to 30 kB, each of a length of its own; `fill` stands in all of them. */
export function makeLongParts(fill = new Uint8Array()): Buffer {
  const { head, parts } = splitParts(makeTinyJp2({ width: 640, height: 384, tileSide: 64 }));
  assert.equal(parts.length, LONG_PARTS);
  const longer = parts.map((part, tile) => {
    const bytes = Buffer.alloc(10_000 + ((tile * 7_919) % 20_000));
    bytes.set(part);
    bytes.set(fill, 2_000);
    bytes.writeUInt32BE(bytes.length, 6);
    return bytes;
  });
  return Buffer.concat([head, ...longer, Buffer.from([0xff, 0xd9])]);
}

/** Files that state the lengths of their packets, one for each order; 3 bands have three layers. */
export const packetFiles = ['LRCP-1', 'RLCP-1', 'RPCL-1', 'PCRL-1', 'CPRL-3', 'LRCP-3'] as const;

/** The bare codestream of such a file. */
export function readPacketFile(name: (typeof packetFiles)[number]): Buffer {
  const file = readFileSync(new URL(`../../../../test/golden/jp2/packets-${name}.jp2`, import.meta.url));
  return file.subarray(file.indexOf('jp2c', 0, 'latin1') + 4);
}

/** The same codestream with other headers of its tile-parts. */
export function changePartHeaders(
  codestream: Uint8Array,
  change: (segments: readonly Buffer[]) => readonly Uint8Array[],
): Buffer {
  const { head, parts } = splitParts(codestream);
  const changed = parts.map((bytes) => {
    const part = Buffer.from(bytes);
    const segments: Buffer[] = [];
    let at = 12;
    while (part.readUInt16BE(at) !== 0xff93) {
      const end = at + 2 + part.readUInt16BE(at + 2);
      segments.push(part.subarray(at, end));
      at = end;
    }
    const result = Buffer.concat([part.subarray(0, 12), ...change(segments), part.subarray(at)]);
    result.writeUInt32BE(result.length, 6);
    return result;
  });
  return Buffer.concat([head, ...changed, Buffer.from([0xff, 0xd9])]);
}

/** Without the lengths of packets. */
export const withoutLengths = (codestream: Uint8Array): Buffer =>
  changePartHeaders(codestream, (segments) =>
    segments.filter((segment) => segment.readUInt16BE(0) !== 0xff58),
  );
