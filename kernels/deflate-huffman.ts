/** Symbols of deflate's literals and lengths (RFC 1951, 3.2.5), the larger of the two alphabets. */
const MAX_SYMBOLS = 286;
/** A sort key is the count above the symbol. */
const SYMBOL_BITS: u64 = 9;
const DIGIT_BITS: u64 = 8;
const DIGITS = 256;

const keys = memory.data(MAX_SYMBOLS * 8);
const moved = memory.data(MAX_SYMBOLS * 8);
const starts = memory.data(DIGITS * 4);
/** Of each node of the tree, leaves by ascending count and then inner nodes: its weight, its parent, its depth. */
const weights = memory.data(MAX_SYMBOLS * 2 * 4);
const parents = memory.data(MAX_SYMBOLS * 2 * 4);
const depths = memory.data(MAX_SYMBOLS * 2 * 4);
const perLength = memory.data(64 * 4);

/**
 * Lengths of the optimal prefix code for `counts` (u32 per symbol), at most `maxBits`, to `lengths` (u8 per symbol); 0
 * for symbols that do not occur. At least two symbols must occur. Ties are broken by symbol, so the code is the same
 * everywhere.
 */
export function codeLengths(counts: usize, symbols: i32, maxBits: i32, lengths: usize): void {
  memory.fill(lengths, 0, symbols);
  const leaves = sortedLeaves(counts, symbols);
  memory.fill(perLength, 0, 64 * 4);
  countLengths(leaves, maxBits);
  shorten(maxBits);
  // The rarest symbols get the longest codes.
  let length = maxBits;
  let left = load<u32>(perLength + (<usize>length << 2));
  for (let i = 0; i < leaves; i++) {
    while (left == 0) left = load<u32>(perLength + (<usize>(--length) << 2));
    const symbol = <usize>(load<u64>(keys + (<usize>i << 3)) & ((1 << SYMBOL_BITS) - 1));
    store<u8>(lengths + symbol, length);
    left--;
  }
}

/** Keys of count and symbol, ascending, by radix sort from the lowest digit; returns how many symbols occur. */
function sortedLeaves(counts: usize, symbols: i32): i32 {
  let leaves = 0;
  let all: u64 = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = <u64>load<u32>(counts + (<usize>symbol << 2));
    if (count == 0) continue;
    all |= count;
    store<u64>(keys + (<usize>(leaves++) << 3), (count << SYMBOL_BITS) | symbol);
  }
  // symbols come in order, so only the digits of the counts must be sorted
  for (let shift = SYMBOL_BITS; all != 0; shift += DIGIT_BITS, all >>= DIGIT_BITS) {
    memory.fill(starts, 0, DIGITS * 4);
    for (let i = 0; i < leaves; i++) {
      const digit = digitOf(load<u64>(keys + (<usize>i << 3)), shift);
      store<u32>(digit, load<u32>(digit) + 1);
    }
    let before: u32 = 0;
    for (let digit = starts; digit < starts + DIGITS * 4; digit += 4) {
      const count = load<u32>(digit);
      store<u32>(digit, before);
      before += count;
    }
    for (let i = 0; i < leaves; i++) {
      const key = load<u64>(keys + (<usize>i << 3));
      const digit = digitOf(key, shift);
      const index = load<u32>(digit);
      store<u32>(digit, index + 1);
      store<u64>(moved + (<usize>index << 3), key);
    }
    memory.copy(keys, moved, <usize>leaves << 3);
  }
  return leaves;
}

// @ts-ignore: decorator
@inline function digitOf(key: u64, shift: u64): usize {
  return starts + ((<usize>(key >> shift) & <usize>(DIGITS - 1)) << 2);
}

/** Huffman's tree over the sorted leaves, and how many codes of each length it has; longer ones count as `maxBits`. */
function countLengths(leaves: i32, maxBits: i32): void {
  for (let i = 0; i < leaves; i++) {
    store<u32>(weights + (<usize>i << 2), <u32>(load<u64>(keys + (<usize>i << 3)) >> SYMBOL_BITS));
  }
  // Inner nodes are created in the order of their weights, so the lightest node is the next leaf or the next inner
  // node.
  const root = 2 * leaves - 2;
  let leaf = 0;
  let inner = leaves;
  for (let node = leaves; node <= root; node++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
      const isLeaf = leaf < leaves && (inner >= node || load<u32>(weights + (<usize>leaf << 2)) <= load<u32>(weights + (<usize>inner << 2)));
      const offset = <usize>(isLeaf ? leaf++ : inner++) << 2;
      weight += load<u32>(weights + offset);
      store<u32>(parents + offset, node);
    }
    store<u32>(weights + (<usize>node << 2), weight);
  }
  store<u32>(depths + (<usize>root << 2), 0);
  for (let node = root - 1; node >= 0; node--) {
    const offset = <usize>node << 2;
    const depth = load<u32>(depths + (load<u32>(parents + offset) << 2)) + 1;
    store<u32>(depths + offset, depth);
    if (node < leaves) {
      const length = perLength + (<usize>min<u32>(depth, maxBits) << 2);
      store<u32>(length, load<u32>(length) + 1);
    }
  }
}

/**
 * Makes room for the codes that were shortened to `maxBits`: in each step a shorter code becomes two, one of them for a
 * shortened one.
 */
function shorten(maxBits: i32): void {
  let used: u32 = 0;
  for (let length = 1; length <= maxBits; length++) used += load<u32>(perLength + (<usize>length << 2)) << (maxBits - length);
  for (; used > <u32>1 << maxBits; used--) {
    let length = perLength + (<usize>(maxBits - 1) << 2);
    while (load<u32>(length) == 0) length -= 4;
    store<u32>(length, load<u32>(length) - 1);
    store<u32>(length + 4, load<u32>(length + 4) + 2);
    const longest = perLength + (<usize>maxBits << 2);
    store<u32>(longest, load<u32>(longest) - 1);
  }
}
