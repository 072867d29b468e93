import { localName } from './find-elements.ts';
import { tagsOf } from './tags.ts';

/** A document in pieces that can be parsed one by one. */
export interface CutDocument {
  /** The document with an empty element for each one that was cut out. */
  readonly rest: string;
  /** The elements of the name, whole, in the order of the document. */
  readonly parts: readonly string[];
  /** The index in `parts` of the part with the first element of another name; null if there is none. */
  readonly firstIn: (name: string) => number | null;
}

/**
 * Cuts all elements of a name out of a document, without those nested in one of them. The pieces are well-formed if and
 * only if the document is: text between tags stays where it was, and one element replaces another. Null if an element
 * does not end: then the document is not well-formed.
 */
export function cutElements(text: string, name: string, noted: readonly string[] = []): CutDocument | null {
  const rest: string[] = [];
  const parts: string[] = [];
  const indexes = new Map<string, number | null>();
  let [restTo, partStart, partDepth] = [0, -1, 0];
  for (const { start, end, depth } of tagsOf(text)) {
    const isEnd = text[start + 1] === '/';
    const isEmpty = text[end - 2] === '/';
    if (!isEnd) {
      const found = localName({ name: nameOf(text, start) });
      // The root is never cut out.
      const above = isEmpty ? depth : depth - 1;
      if (above > 0 && noted.includes(found) && !indexes.has(found))
        indexes.set(found, partStart < 0 ? null : parts.length);
      if (partStart < 0 && above > 0 && found === name) [partStart, partDepth] = [start, above];
    }
    if (partStart < 0 || depth > partDepth) continue;
    parts.push(text.slice(partStart, end));
    rest.push(text.slice(restTo, partStart), '<cut/>');
    [restTo, partStart] = [end, -1];
  }
  if (partStart >= 0) return null;
  rest.push(text.slice(restTo));
  return { rest: rest.join(''), parts, firstIn: (other) => indexes.get(other) ?? null };
}

/** The name of a tag, up to white space or its end. */
function nameOf(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && !/[\s/>]/.test(text[end] as string)) end++;
  return text.slice(start + 1, end);
}
