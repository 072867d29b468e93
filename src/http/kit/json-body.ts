/** JSON bodies: parsed within a depth, with long lists left as text for other threads. */
import { randomUUID } from 'node:crypto';
import { badInput } from '../../errors.ts';
import { limits } from './limits.ts';

/**
 * A long list inside a body that stays text: parsing ten thousand positions would hold the main thread for some
 * milliseconds. Other threads parse it; this one only passes it on.
 */
export class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Start and end of a list in a JSON text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** No client can know it, so that none can write it. */
const MARK = `long-json-${randomUUID()}-`;

/** Parses the JSON of an object; its outermost long lists become `LongJson`. */
function parseAround(text: string, lists: readonly Span[]): unknown {
  const parts: string[] = [];
  let end = 0;
  for (const [i, list] of lists.entries()) {
    parts.push(text.slice(end, list.start), `"${MARK}${i}"`);
    end = list.end;
  }
  const parsed: unknown = JSON.parse(parts.join('') + text.slice(end));
  return restore(parsed, (i) => new LongJson(text.slice(lists[i]?.start, lists[i]?.end)));
}

/** Marks are values of objects, never items of lists: those are inside a longer list, or too short. */
function restore(value: unknown, toLong: (i: number) => LongJson): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) return toLong(Number(value.slice(MARK.length)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(object)) {
    if (typeof inner === 'string' || typeof inner === 'object') {
      const restored = restore(inner, toLong);
      // A name such as __proto__ must not be assigned.
      if (restored !== inner && Object.hasOwn(object, name)) object[name] = restored;
    }
  }
  return object;
}

/** A value as JSON, with long lists as they were sent. */
export function writeJson(value: unknown): string {
  const lists: string[] = [];
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof LongJson ? `${MARK}${lists.push(inner.text) - 1}` : inner,
  );
  // A replacement text would be searched for patterns such as $1.
  return lists.reduce((written, list, i) => written.replace(`"${MARK}${i}"`, () => list), text);
}

/** The text of a JSON body, whatever the content type says (clients send text/plain too), within its depth. */
export function toJsonText(bytes: Uint8Array): string {
  const text = decode(bytes);
  findLongLists(text);
  return text;
}

/** Parses a JSON body. Long lists of lists or objects, such as the positions of a polygon, become `LongJson`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const lists = findLongLists(text);
  const body = parse(text, lists);
  // No endpoint takes a list, and this one would pass for an object.
  if (body instanceof LongJson) throw badInput('bad-body', 'The body must be a JSON object, not a list.');
  return body;
}

function parse(text: string, lists: readonly Span[]): unknown {
  try {
    return parseAround(text, lists);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw badInput('no-body', 'The request needs a JSON body.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badInput('bad-json', 'The body is not UTF-8 text.', { cause: error });
  }
}

/**
 * Counts open brackets outside of strings, before any parser recurses over them, and finds the outermost lists that are
 * long and not flat. Where brackets do not match, the parser that gets the text refuses it.
 */
function findLongLists(text: string): readonly Span[] {
  const lists: Span[] = [];
  let depth = 0;
  let inString = false;
  /** The outermost list that is open: where, how deep, and whether it has lists or objects in it. */
  let [start, listDepth, isNested] = [-1, 0, false];
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c)
        i += 1; // a backslash hides the next character
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      if (start >= 0) isNested = true;
      else if (char === 0x5b) [start, listDepth, isNested] = [i, depth, false];
      depth += 1;
      if (depth > limits.jsonDepth) {
        throw badInput('json-too-deep', `The body nests deeper than ${limits.jsonDepth} levels.`);
      }
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1;
      if (start < 0 || depth > listDepth) continue;
      if (isNested && i - start >= limits.longListChars) lists.push({ start, end: i + 1 });
      start = -1;
    }
  }
  return lists;
}
