/** A code-block of one quality layer: plain data. */
export interface CodedBlock {
  /** Bit-planes that hold anything; 0 for a block of zeros, which is left out. */
  readonly planes: number;
  readonly bytes: Uint8Array;
}

/** The code-blocks of one subband, row by row. */
export interface CodedBand {
  readonly across: number;
  readonly down: number;
  /** Bit-planes that its coefficients may have. */
  readonly maxPlanes: number;
  readonly blocks: readonly CodedBlock[];
}

/** The header of a packet that holds all of some subbands (ISO/IEC 15444-1, B.10). */
export function writePacketHeader(bands: readonly CodedBand[]): Uint8Array {
  const bits = makeHeaderBits();
  bits.put(1, 1);
  for (const { across, down, maxPlanes, blocks } of bands) {
    const inclusion = makeTagTree(across, down, (i) => (blocks[i]!.planes === 0 ? 1 : 0), bits);
    const zeroPlanes = makeTagTree(across, down, (i) => maxPlanes - blocks[i]!.planes, bits);
    for (const [i, { planes, bytes }] of blocks.entries()) {
      inclusion.put(i, 1);
      if (planes === 0) continue;
      zeroPlanes.put(i, Number.POSITIVE_INFINITY);
      putPasses(3 * planes - 2, bits);
      putLength(bytes.length, 3 * planes - 2, bits);
    }
  }
  return bits.finish();
}

/** Coding passes of a code-block (ISO/IEC 15444-1, table B.4). */
function putPasses(passes: number, bits: HeaderBits): void {
  if (passes === 1) bits.put(0, 1);
  else if (passes === 2) bits.put(2, 2);
  else if (passes < 6) bits.put(0b1100 + passes - 3, 4);
  else if (passes < 37) bits.put(0b1111_00000 + passes - 6, 9);
  else bits.put((0x1ff << 7) + passes - 37, 16);
}

/** Bits of a length before any of them is announced (ISO/IEC 15444-1, B.10.7.1). */
const FIRST_LENGTH_BITS = 3;

function putLength(length: number, passes: number, bits: HeaderBits): void {
  const free = FIRST_LENGTH_BITS + Math.floor(Math.log2(passes));
  const width = Math.max(free, length.toString(2).length);
  for (let more = free; more < width; more += 1) bits.put(1, 1);
  bits.put(0, 1);
  bits.put(length, width);
}

/** Bits of a packet header; a byte after 0xFF holds seven of them (ISO/IEC 15444-1, B.10.1). */
interface HeaderBits {
  /** The lowest bits of a number, the highest of them first. */
  put(value: number, count: number): void;
  finish(): Uint8Array;
}

function makeHeaderBits(): HeaderBits {
  const bytes: number[] = [];
  let [byte, free] = [0, 8];
  const close = (): void => {
    bytes.push(byte);
    free = byte === 0xff ? 7 : 8;
    byte = 0;
  };
  return {
    put(value, count) {
      for (let left = count - 1; left >= 0; left -= 1) {
        free -= 1;
        byte |= ((value >> left) & 1) << free;
        if (free === 0) close();
      }
    },
    finish() {
      // also after a last byte of ones, which another must follow
      if (free < 8) close();
      return Uint8Array.from(bytes);
    },
  };
}

/** Numbers of code-blocks, each told as far as it is not known from others (ISO/IEC 15444-1, B.10.2). */
interface TagTree {
  /** Tells whether the number of a leaf is below a limit, and which it is. */
  put(leaf: number, limit: number): void;
}

interface TagNode {
  readonly parent: TagNode | null;
  /** The smallest number below it. */
  value: number;
  /** What is known: that the number is not smaller, and whether it is this one. */
  low: number;
  isKnown: boolean;
}

function makeTagTree(
  across: number,
  down: number,
  toValue: (leaf: number) => number,
  bits: HeaderBits,
): TagTree {
  const makeLevel = (width: number, height: number): readonly TagNode[] => {
    const isRoot = width * height <= 1;
    const above = isRoot ? [] : makeLevel((width + 1) >> 1, (height + 1) >> 1);
    return Array.from({ length: width * height }, (_, i) => {
      const parent = isRoot
        ? null
        : above[(Math.floor(i / width) >> 1) * ((width + 1) >> 1) + ((i % width) >> 1)]!;
      return { parent, value: Number.POSITIVE_INFINITY, low: 0, isKnown: false };
    });
  };
  const leaves = makeLevel(across, down);
  for (const [i, leaf] of leaves.entries()) {
    const value = toValue(i);
    for (let node: TagNode | null = leaf; node !== null; node = node.parent) {
      node.value = Math.min(node.value, value);
    }
  }
  const tell = (node: TagNode, limit: number): number => {
    const low = node.parent === null ? 0 : tell(node.parent, limit);
    node.low = Math.max(node.low, low);
    for (; node.low < limit && !node.isKnown; ) {
      node.isKnown = node.low >= node.value;
      bits.put(node.isKnown ? 1 : 0, 1);
      if (!node.isKnown) node.low += 1;
    }
    return node.low;
  };
  return { put: (leaf, limit) => void tell(leaves[leaf]!, limit) };
}
