import { createHash } from 'node:crypto';
import { inflateSync, zstdDecompressSync } from 'node:zlib';
import type { CogCompression } from '../../../src/formats/tiff/codecs/codecs.ts';

/**
 * A second, small reader of the little-endian TIFFs we write, which shares no code with the one in src: it checks the
 * promises of GDAL's ghost area byte by byte and makes the fingerprint by which tests recognise an approved file.
 */

/** A tag with its raw bytes. */
interface RawEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Buffer;
}

const TYPE_BYTES: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 12: 8, 16: 8 };
const TILE_OFFSETS = 324;
const TILE_BYTE_COUNTS = 325;

function fail(what: string): never {
  throw new Error(`not as promised: ${what}`);
}

function readChain(file: Buffer): {
  bigTiff: boolean;
  ghost: string;
  directories: RawEntry[][];
  headEnd: number;
} {
  const bigTiff = file.readUInt16LE(2) === 43;
  const offset = (at: number) => (bigTiff ? Number(file.readBigUInt64LE(at)) : file.readUInt32LE(at));
  const [headerBytes, countBytes, entryBytes, inlineBytes] = bigTiff ? [16, 8, 20, 8] : [8, 2, 12, 4];
  let next = offset(bigTiff ? 8 : 4);
  const ghost = file.toString('latin1', headerBytes, next);
  let headEnd = next;
  const directories: RawEntry[][] = [];
  while (next !== 0) {
    const count = bigTiff ? offset(next) : file.readUInt16LE(next);
    const entries: RawEntry[] = [];
    for (let i = 0; i < count; i++) {
      const at = next + countBytes + i * entryBytes;
      const type = file.readUInt16LE(at + 2);
      const values = offset(at + 4);
      const bytes = values * (TYPE_BYTES[type] ?? fail(`field type ${type}`));
      const inline = at + entryBytes - inlineBytes;
      const start = bytes <= inlineBytes ? inline : offset(inline);
      if (start % 2 !== 0) fail(`tag values at odd byte ${start}`);
      headEnd = Math.max(headEnd, start + bytes);
      entries.push({
        tag: file.readUInt16LE(at),
        type,
        count: values,
        value: file.subarray(start, start + bytes),
      });
    }
    if (entries.some((entry, i) => i > 0 && entry.tag <= entries[i - 1]!.tag)) fail('tags out of order');
    const end = next + countBytes + count * entryBytes;
    headEnd = Math.max(headEnd, end + inlineBytes);
    directories.push(entries);
    next = offset(end);
  }
  return { bigTiff, ghost, directories, headEnd };
}

function numbersOf(entries: readonly RawEntry[], tag: number): number[] {
  const entry = entries.find((candidate) => candidate.tag === tag) ?? fail(`tag ${tag} is missing`);
  const size = TYPE_BYTES[entry.type]!;
  return Array.from({ length: entry.count }, (_, i) =>
    size === 8 ? Number(entry.value.readBigUInt64LE(i * 8)) : entry.value.readUIntLE(i * size, size),
  );
}

/** Blocks of all directories in the order the file must have: smallest image first, blocks by their number. */
function* blocksInOrder(directories: readonly RawEntry[][]) {
  for (const entries of directories.toReversed()) {
    const offsets = numbersOf(entries, TILE_OFFSETS);
    const sizes = numbersOf(entries, TILE_BYTE_COUNTS);
    for (let i = 0; i < offsets.length; i++) yield { offset: offsets[i]!, size: sizes[i]! };
  }
}

/** Throws unless blocks are in order, without gaps, each with its size before it and its last four bytes after it. */
function checkBlocks(file: Buffer, directories: readonly RawEntry[][], headEnd: number): void {
  let at = headEnd + (headEnd % 2);
  for (const { offset, size } of blocksInOrder(directories)) {
    if (offset !== at + 4) fail(`block at ${offset} instead of ${at + 4}`);
    if (file.readUInt32LE(at) !== size) fail(`leader of the block at ${offset}`);
    const end = offset + size;
    if (!file.subarray(end - 4, end).equals(file.subarray(end, end + 4)))
      fail(`trailer of the block at ${offset}`);
    at = end + 4;
  }
  if (at !== file.length) fail(`file ends at ${file.length} instead of ${at}`);
}

const decoders: Readonly<Record<CogCompression, (stored: Uint8Array) => Uint8Array>> = {
  none: (stored) => stored,
  deflate: (stored) => inflateSync(stored),
  // To a reader the same as any deflate.
  'steady-deflate': (stored) => inflateSync(stored),
  zstd: (stored) => zstdDecompressSync(stored),
};

/**
 * Fingerprint of a file that GDAL can approve. Without compression it is the hash of all bytes. With compression the
 * bytes depend on the release of zlib or zstd inside Node, so it is the hash of everything else: header, ghost area,
 * every tag except where blocks lie and how long they are, and each block as it was before it was compressed. What is
 * left out is checked here instead: order, gaps, leaders, trailers.
 */
export function fingerprint(file: Buffer, compression: CogCompression): string {
  const { bigTiff, ghost, directories, headEnd } = readChain(file);
  checkBlocks(file, directories, headEnd);
  const hash = createHash('sha256');
  if (compression === 'none') return hash.update(file).digest('hex');
  hash.update(`${bigTiff}\n${ghost}\n`);
  for (const entries of directories) {
    for (const { tag, type, count, value } of entries) {
      hash.update(`${tag} ${type} ${count}\n`);
      if (tag !== TILE_OFFSETS && tag !== TILE_BYTE_COUNTS) hash.update(value);
    }
  }
  for (const { offset, size } of blocksInOrder(directories)) {
    hash.update(decoders[compression](file.subarray(offset, offset + size)));
  }
  return hash.digest('hex');
}
