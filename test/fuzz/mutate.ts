import type { Random } from './random.ts';

/** What inputs are made from. */
export interface Material {
  /** Inputs that mean something; none of them empty. */
  readonly seeds: readonly Uint8Array[];
  /** Words of the input's language. */
  readonly tokens: readonly Uint8Array[];
  /** Longest input that is made. */
  readonly maxBytes: number;
}

type Mutation = (input: Buffer, random: Random, material: Material) => Buffer;

/** Where counts and offsets break: at nothing, at signs, and where 31 and 32 bits end. */
const EDGES = [0, 1, 2, 8, 255, 256, 0x7fff, 0xffff, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1];
/** Headers and directories are at one of the ends, so half of the changes go there. */
const END_BYTES = 512;
const MAX_STEPS = 6;

function offsetIn(input: Buffer, random: Random): number {
  const near = Math.min(END_BYTES, input.length);
  switch (random.below(4)) {
    case 0:
      return random.below(near);
    case 1:
      return input.length - 1 - random.below(near);
    default:
      return random.below(input.length);
  }
}

function pieceOf(input: Buffer, random: Random): Buffer {
  const start = offsetIn(input, random);
  return input.subarray(start, start + 1 + random.below(random.pick([4, 16, 256])));
}

const insert = (input: Buffer, at: number, piece: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, at), piece, input.subarray(at)]);

function overwrite(input: Buffer, at: number, piece: Uint8Array): Buffer {
  const out = Buffer.from(input);
  out.set(piece.subarray(0, out.length - at), at);
  return out;
}

/** A whole number as two, four or eight bytes in either order. */
function toInteger(value: number, random: Random): Buffer {
  const bytes = Buffer.alloc(8);
  const width = random.pick([2, 4, 8]);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  const low = bytes.subarray(0, width);
  return random.below(2) === 0 ? low : low.reverse();
}

const flipBit: Mutation = (input, random) => {
  const at = offsetIn(input, random);
  return overwrite(input, at, Buffer.from([input[at]! ^ (1 << random.below(8))]));
};
const setByte: Mutation = (input, random) =>
  overwrite(input, offsetIn(input, random), Buffer.from([random.below(256)]));
const setEdge: Mutation = (input, random) =>
  overwrite(
    input,
    offsetIn(input, random),
    toInteger(random.below(8) === 0 ? -1 : random.pick(EDGES), random),
  );
const nudge: Mutation = (input, random) => {
  const at = offsetIn(input, random);
  return overwrite(input, at, Buffer.from([input[at]! + random.pick([-2, -1, 1, 2])]));
};
const truncate: Mutation = (input, random) => input.subarray(0, offsetIn(input, random));
const remove: Mutation = (input, random) => {
  const at = offsetIn(input, random);
  return Buffer.concat([input.subarray(0, at), input.subarray(at + 1 + random.below(16))]);
};
const duplicate: Mutation = (input, random) => insert(input, offsetIn(input, random), pieceOf(input, random));
const copyOver: Mutation = (input, random) =>
  overwrite(input, offsetIn(input, random), pieceOf(input, random));
/** Many times the same: what a slow pattern or a deep recursion stumbles over. */
const repeat: Mutation = (input, random, { maxBytes }) => {
  const piece = pieceOf(input, random).subarray(0, 1 + random.below(32));
  const times = Math.min(2 ** random.below(16), Math.floor(maxBytes / piece.length));
  return insert(input, offsetIn(input, random), Buffer.alloc(times * piece.length, piece));
};
const cross: Mutation = (input, random, { seeds }) => {
  const other = Buffer.from(random.pick(seeds));
  return Buffer.concat([
    input.subarray(0, offsetIn(input, random)),
    other.subarray(random.below(other.length)),
  ]);
};
const splice: Mutation = (input, random, { seeds }) =>
  insert(input, offsetIn(input, random), pieceOf(Buffer.from(random.pick(seeds)), random));
const overwriteToken: Mutation = (input, random, { tokens }) =>
  overwrite(input, offsetIn(input, random), random.pick(tokens));

/** A quoted text with its quotes, or a name or number. */
const WORD = /"[^"]*"|[\w.+-]+/g;
/** Bytes around an offset that are searched for words: seeds are short, and what is repeated is long. */
const WINDOW_BYTES = 512;
/** Another word in place of one: most texts stay grammatical, and mean something else. */
const replaceWord: Mutation = (input, random, { tokens, seeds }) => {
  const from = Math.max(0, offsetIn(input, random) - WINDOW_BYTES / 2);
  const words = wordsOf(input.subarray(from, from + WINDOW_BYTES));
  const { text, at } = words.length === 0 ? { text: '', at: 0 } : random.pick(words);
  const others = random.below(3) === 0 ? wordsOf(Buffer.from(random.pick(seeds))) : [];
  const other = others.length === 0 ? random.pick(tokens) : Buffer.from(random.pick(others).text, 'latin1');
  return Buffer.concat([input.subarray(0, from + at), other, input.subarray(from + at + text.length)]);
};
/** One more word, after an existing one or anywhere. */
const insertToken: Mutation = (input, random, { tokens }) => {
  const offset = offsetIn(input, random);
  const [word] = random.below(4) === 0 ? [] : wordsOf(input.subarray(offset, offset + WINDOW_BYTES));
  return insert(input, offset + (word === undefined ? 0 : word.at + word.text.length), random.pick(tokens));
};
const wordsOf = (input: Buffer) =>
  [...input.toString('latin1').matchAll(WORD)].map(({ 0: text, index: at }) => ({ text, at }));

const ANY = [flipBit, setByte, nudge, truncate, remove, duplicate, copyOver, repeat, cross, splice];
/** Those that move nothing count for more: after a moved byte, no offset of a binary file is right. */
const OF_BYTES = [...ANY, flipBit, setByte, nudge, copyOver, setEdge, setEdge, setEdge, setEdge, setEdge];
/** And those that keep to the grammar, for texts. */
const OF_TEXT = [...ANY, insertToken, insertToken, overwriteToken, ...Array.from(ANY, () => replaceWord)];

/** One input: a seed after one to six changes, more often few than many. */
export function makeInput(random: Random, material: Material): Uint8Array {
  const mutations = material.tokens.length === 0 ? OF_BYTES : OF_TEXT;
  let input = Buffer.from(random.pick(material.seeds));
  for (let steps = 1 + random.below(1 + random.below(MAX_STEPS)); steps > 0 && input.length > 0; steps--) {
    input = random.pick(mutations)(input, random, material).subarray(0, material.maxBytes) as typeof input;
  }
  return input;
}
