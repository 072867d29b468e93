/** Bodies of answers: long JSON, written in slices that do not hold up the main thread, CSV, and numbers without false digits. */
import { makePause } from '../../async/index.ts';
import { Answer } from './answers.ts';

/** Lists with more items are written item by item. */
const SHORT_LIST = 16;

/** Pieces of text, and where in a list one item ends and the next begins. */
type Pieces = Generator<string, void, void>;

/**
 * A value as JSON, piece by piece; the pieces together are what `JSON.stringify` writes. An iterable that is not an array
 * is written as a list, so that its items need not exist at the same time.
 */
export function* toJsonPieces(value: unknown): Pieces {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) yield JSON.stringify(value);
  else if (Array.isArray(value) && value.length <= SHORT_LIST) yield JSON.stringify(value);
  else if (Symbol.iterator in value) yield* toListPieces(value as Iterable<unknown>);
  else if (Object.values(value).some((inner) => typeof inner === 'object' && inner !== null))
    yield* toObjectPieces(value);
  else yield JSON.stringify(value);
}

function* toListPieces(list: Iterable<unknown>): Pieces {
  let before = '[';
  for (const item of list) {
    yield `${before}${JSON.stringify(item) ?? 'null'}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* toObjectPieces(object: object): Pieces {
  let before = '{';
  for (const [name, inner] of Object.entries(object)) {
    if (inner === undefined || typeof inner === 'function' || typeof inner === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* toJsonPieces(inner);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** A list that is made while it is written. */
export function* listEach<Item>(
  items: readonly Item[],
  make: (item: Item, i: number) => unknown,
): Generator<unknown, void, void> {
  for (const [i, item] of items.entries()) yield make(item, i);
}

/** Text that waits to be written. Longer strings would outlive the next garbage collection, which copies them. */
const SLICE_CHARS = 8 * 1_024;

/** Bytes of a chunk, the parts of an answer: each is twice the one before, because most answers are short. */
const FIRST_CHUNK_BYTES = 32 * 1_024;
const MAX_CHUNK_BYTES = 256 * 1_024;

/**
 * Writes pieces of text into bytes, and lets others go on after every few milliseconds. Pieces that are bytes already are
 * copied before the next one is made. There are about `alike` of these, as long as the first: so all can be written in one place.
 */
export async function writePieces(
  pieces: Iterable<string | Uint8Array>,
  alike = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const full: Uint8Array[] = [];
  let chunk = Buffer.alloc(0);
  let [at, length] = [0, 0];
  let slice: string[] = [];
  const makeRoom = (bytes: number, room = 0): void => {
    if (chunk.length - at >= bytes) return;
    if (at > 0) full.push(chunk.subarray(0, at));
    const usual = Math.min(MAX_CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, 2 * chunk.length));
    chunk = Buffer.allocUnsafeSlow(Math.max(usual, bytes, room));
    at = 0;
  };
  const flush = (): void => {
    if (length === 0) return;
    const text = slice.length === 1 ? (slice[0] as string) : slice.join('');
    // A UTF-16 unit has at most three bytes.
    makeRoom(3 * length);
    at += chunk.write(text, at);
    slice = [];
    length = 0;
  };
  const pause = makePause();
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      slice.push(piece);
      length += piece.length;
      if (length >= SLICE_CHARS) flush();
    } else {
      // Most are of the same length, within a few hundredths.
      if (chunk.length === 0) makeRoom(piece.length + 3 * length, Math.ceil(1.05 * alike * piece.length));
      flush();
      makeRoom(piece.length);
      chunk.set(piece, at);
      at += piece.length;
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  // A short answer needs no chunk.
  if (chunk.length === 0) return Buffer.from(slice.join(''));
  flush();
  const last = chunk.subarray(0, at);
  if (full.length === 0) return last;
  return Buffer.concat([...full, last]) as Uint8Array<ArrayBuffer>;
}

/** Answers with JSON that may be long. */
export async function answerLongJson(
  value: object,
  { headers, status = 200 }: { readonly headers: Readonly<Record<string, string>>; readonly status?: number },
): Promise<Answer> {
  const bytes = await writePieces(toJsonPieces(value));
  return new Answer(bytes, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A value of a CSV file (RFC 4180). */
function toCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A CSV file of rows, the names of columns among them; null is an empty cell. */
export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');

/** Positions are stored in steps of a tenth of a millimetre: more digits than these say nothing. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;

/** The shortest decimal that is this float32 and no other: 0.1234 and not 0.12340000271797180. */
export function toShortest(float: number): number {
  // Every float32 has six digits, and nine tell any two of them apart.
  for (const digits of [6, 7, 8]) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}
