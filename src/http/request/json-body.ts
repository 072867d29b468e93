import { badInput } from '../../errors.ts';
import { limits } from './limits.ts';
import type { Span } from './long-json.ts';
import { LongJson, parseAround } from './long-json.ts';

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
