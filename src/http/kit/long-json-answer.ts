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

/** Writes pieces of text into bytes, and lets others go on after every few milliseconds. */
export async function writePieces(pieces: Iterable<string>): Promise<Uint8Array<ArrayBuffer>> {
  const written: Uint8Array[] = [];
  let slice: string[] = [];
  const pause = makePause();
  for (const piece of pieces) {
    slice.push(piece);
    const turn = pause();
    if (turn === undefined) continue;
    written.push(Buffer.from(slice.join('')));
    slice = [];
    await turn;
  }
  written.push(Buffer.from(slice.join('')));
  return Buffer.concat(written) as Uint8Array<ArrayBuffer>;
}

/** Answers with JSON that may be long. */
export async function answerLongJson(
  value: object,
  { headers, status = 200 }: { readonly headers: Readonly<Record<string, string>>; readonly status?: number },
): Promise<Answer> {
  const bytes = await writePieces(toJsonPieces(value));
  return new Answer(bytes, { status, headers: { 'content-type': 'application/json', ...headers } });
}
