import { XmlElement } from '@rgrove/parse-xml';
import { tagsOf } from './parse-xml.ts';

export type { XmlElement };

/** A name without its namespace prefix: prefixes are the writer's choice, and those of products change. */
export const localName = ({ name }: { readonly name: string }): string => name.slice(name.indexOf(':') + 1);

/** The direct children of that name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && localName(child) === name,
  );

/** The first element at a path of names, `General_Info/Product_Info`; null when there is none. */
export function elementAt(element: XmlElement, path: string): XmlElement | null {
  let here: XmlElement | null = element;
  for (const name of path.split('/')) {
    if (here === null) return null;
    here = childrenOf(here, name)[0] ?? null;
  }
  return here;
}

/** The text of the first element at a path of names, trimmed; null when there is none or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  const text = elementAt(element, path)?.text.trim();
  return text === undefined || text === '' ? null : text;
}

/**
 * All descendants of that name in document order, without those nested in another match: otherwise a search for lists in
 * polygons in features would find a list once per level of nesting.
 */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const pending: XmlElement[] = [element];
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    if (here !== element && localName(here) === name) {
      found.push(here);
      continue;
    }
    for (let i = here.children.length - 1; i >= 0; i--) {
      const child = here.children[i];
      if (child instanceof XmlElement) pending.push(child);
    }
  }
  return found;
}

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
