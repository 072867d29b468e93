/** A tag of a document. */
export interface Tag {
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
  /** Elements that are open after it. */
  readonly depth: number;
  /** Quoted values in it. */
  readonly attributes: number;
}

/** Comments and the like, which may contain text that looks like a tag: how they begin and end. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * The tags of a document one by one; an unfinished one ends the list. It checks nothing: the parser refuses malformed
 * text later.
 */
export function* tagsOf(text: string): Generator<Tag> {
  let depth = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const other = OTHERS.find(([start]) => text.startsWith(start, at));
    if (other !== undefined) {
      const [start, stop] = other;
      const end = text.indexOf(stop, at + start.length);
      if (end < 0) return;
      at = end + stop.length;
      continue;
    }
    const { end, attributes } = findEnd(text, at);
    if (end < 0) {
      // A document type is reported even if its end is missing.
      if (text.startsWith('<!DOCTYPE', at)) yield { start: at, end: text.length, depth, attributes };
      return;
    }
    if (text[at + 1] === '/') depth--;
    else if (text[end - 1] !== '/') depth++;
    yield { start: at, end: end + 1, depth, attributes };
    at = end;
  }
}

/** The `>` of a tag, past attribute values that contain one, and the number of attributes; -1 if there is none. */
function findEnd(text: string, start: number): { readonly end: number; readonly attributes: number } {
  let attributes = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '>') return { end: at, attributes };
    if (char !== '"' && char !== "'") continue;
    attributes++;
    at = text.indexOf(char, at + 1);
    if (at < 0) break;
  }
  return { end: -1, attributes };
}
