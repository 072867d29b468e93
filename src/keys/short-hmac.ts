/**
 * HMAC-SHA-256 of short texts (RFC 2104, FIPS 180-4). A page of search results signs hundreds of addresses: Node takes twice as
 * long for each of them, most of it to make objects around its hash, which are then collected as garbage.
 */
import { createHmac } from 'node:crypto';

const BLOCK_BYTES = 64;
const BLOCK_WORDS = BLOCK_BYTES / 4;
const DIGEST_WORDS = 8;
const ROUNDS = 64;

/** Longer texts take Node's own way: its hash is faster than this one, once it has begun. */
const MAX_BYTES = 512;

/** A UTF-16 unit has at most three bytes. */
const MAX_CHARS = Math.floor(MAX_BYTES / 3);

const primes: number[] = [];
for (let n = 2; primes.length < ROUNDS; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** The first 32 bits behind the point. */
const fraction = (root: number): number => (root % 1) * 2 ** 32;

/** What the rounds add: from the cube roots of the first 64 primes. What a hash begins with: from the square roots of eight. */
const ADDED = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)) | 0);
const BEGIN = Int32Array.from(primes.slice(0, DIGEST_WORDS), (prime) => fraction(Math.sqrt(prime)) | 0);

const INNER_PAD = 0x36363636;
const OUTER_PAD = 0x5c5c5c5c;

/** Builds the function that signs texts with a secret, as base64url. */
export function makeShortHmac(secret: string): (text: string) => string {
  const byNode = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
  const key = Buffer.from(secret);
  if (key.length > BLOCK_BYTES) return byNode;
  const inner = hashPad(key, INNER_PAD);
  const outer = hashPad(key, OUTER_PAD);
  const bytes = Buffer.alloc(MAX_BYTES + BLOCK_BYTES);
  const words = new Int32Array(bytes.length / 4);
  const digest = Buffer.alloc(4 * DIGEST_WORDS);
  const state = new Int32Array(DIGEST_WORDS);
  return (text) => {
    if (text.length > MAX_CHARS) return byNode(text);
    const length = bytes.write(text);
    // The text ends with a bit, and its last block with its length.
    const blocks = Math.ceil((length + 9) / BLOCK_BYTES);
    bytes.fill(0, length, blocks * BLOCK_BYTES);
    bytes[length] = 0x80;
    for (let i = 0; i < blocks * BLOCK_WORDS; i += 1) words[i] = wordAt(bytes, 4 * i);
    words[blocks * BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + length);
    state.set(inner);
    for (let block = 0; block < blocks; block += 1) mix(state, words, block * BLOCK_WORDS);
    words.set(state);
    words.fill(0, DIGEST_WORDS, BLOCK_WORDS);
    words[DIGEST_WORDS] = 0x80 << 24;
    words[BLOCK_WORDS - 1] = 8 * (BLOCK_BYTES + 4 * DIGEST_WORDS);
    state.set(outer);
    mix(state, words, 0);
    for (let i = 0; i < DIGEST_WORDS; i += 1) digest.writeInt32BE(state[i] as number, 4 * i);
    return digest.toString('base64url');
  };
}

/** The state of a hash behind its first block, which is the key with each byte changed. */
function hashPad(key: Buffer, pad: number): Int32Array {
  const block = Buffer.alloc(BLOCK_BYTES);
  key.copy(block);
  const state = Int32Array.from(BEGIN);
  mix(
    state,
    Int32Array.from({ length: BLOCK_WORDS }, (_, i) => wordAt(block, 4 * i) ^ pad),
    0,
  );
  return state;
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

const schedule = new Int32Array(ROUNDS);

/** Mixes a block into the state (FIPS 180-4, 6.2.2). The names are those of the standard. */
function mix(state: Int32Array, words: Int32Array, at: number): void {
  for (let i = 0; i < BLOCK_WORDS; i += 1) schedule[i] = words[at + i] as number;
  for (let i = BLOCK_WORDS; i < ROUNDS; i += 1) {
    const early = schedule[i - 15] as number;
    const late = schedule[i - 2] as number;
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[i] = ((schedule[i - 16] as number) + s0 + (schedule[i - 7] as number) + s1) | 0;
  }
  // One by one: taking all of them with a pattern takes as long as half of the rounds.
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < ROUNDS; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ADDED[i] as number) + (schedule[i] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  // Sums wrap around when they are stored.
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** Turns the bits of a word to the right. */
const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
