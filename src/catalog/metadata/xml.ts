import { parseXml as parse, XmlElement, XmlError } from '@rgrove/parse-xml';
import { sourceBroken } from '../../errors.ts';

/** The largest document we read; the longest of products we know (annotations of Sentinel-1) have 2 MB. */
export const MAX_METADATA_BYTES = 32 * 2 ** 20;
/** Far beyond the 20 levels of the deepest product metadata; the parser calls itself once a level. */
const MAX_DEPTH = 100;
/** A cloud mask of ten thousand polygons has some 100,000. */
const MAX_ELEMENTS = 1_000_000;

/**
 * Reads a document: strict, without document types or entities of its own. Text that is none, is too long, too deep or
 * too full of elements throws `metadata-bad-xml`; `what` names the file in the sentence.
 */
export function parseXml(text: string, what: string): XmlElement {
  checkXml(text, what);
  return parseChecked(text, what);
}

/** Refuses a text that is too long for a document, too deep or too full of elements, or declares a document type. */
export function checkXml(text: string, what: string): void {
  if (text.length > MAX_METADATA_BYTES) throw bad(what, `is longer than ${MAX_METADATA_BYTES} characters`);
  checkShape(text, what);
}

/** Reads a document, or one element of it, that `checkXml` has let pass. */
export function parseChecked(text: string, what: string): XmlElement {
  let root: XmlElement | null;
  try {
    root = parse(text).root;
  } catch (error) {
    // The parser throws its own errors for what is malformed.
    if (!(error instanceof XmlError)) throw error;
    throw notWellFormed(what, error);
  }
  if (root === null) throw bad(what, 'has no root element');
  return root;
}

/** The error of a text that is no document. */
export const notWellFormed = (what: string, cause?: unknown) => bad(what, 'is not well-formed XML', cause);

const bad = (what: string, why: string, cause?: unknown) =>
  sourceBroken('metadata-bad-xml', `The file ${what} ${why}.`, cause === undefined ? {} : { cause });

/** What is no element, and may hold what looks like one: how it begins and ends. */
const OTHERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Counts elements and their depth before anything is built of them; what is not well-formed, the parser refuses there. */
function checkShape(text: string, what: string): void {
  let elements = 0;
  for (const { start, depth } of tagsOf(text)) {
    if (text.startsWith('<!DOCTYPE', start)) throw bad(what, 'declares a document type, which is not read');
    elements++;
    if (depth > MAX_DEPTH) throw bad(what, `is nested deeper than ${MAX_DEPTH} levels`);
    if (elements > MAX_ELEMENTS) throw bad(what, `has more than ${MAX_ELEMENTS} elements`);
  }
}

/** A tag of a document. */
export interface Tag {
  readonly start: number;
  /** Behind its `>`. */
  readonly end: number;
  /** Elements that are open behind it. */
  readonly depth: number;
}

/** The tags of a document one by one, and what else looks like one; an unfinished one ends the list. */
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
    // Before its end is looked for: that of a document type may be missing.
    const end = endOfTag(text, at);
    if (end < 0) {
      if (text.startsWith('<!DOCTYPE', at)) yield { start: at, end: text.length, depth };
      return;
    }
    if (text[at + 1] === '/') depth--;
    else if (text[end - 1] !== '/') depth++;
    yield { start: at, end: end + 1, depth };
    at = end;
  }
}

/** The `>` of a tag, also behind attributes that hold one; -1 when there is none. */
function endOfTag(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '>') return at;
    if (char !== '"' && char !== "'") continue;
    at = text.indexOf(char, at + 1);
    if (at < 0) return -1;
  }
  return -1;
}

/** A name without its namespace prefix: prefixes are the writer's choice, and products change theirs. */
export const localName = ({ name }: { readonly name: string }): string => name.slice(name.indexOf(':') + 1);

/** The direct children of that name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && localName(child) === name,
  );

/** The first element on a way of names, `General_Info/Product_Info`; null when there is none. */
export function elementAt(element: XmlElement, path: string): XmlElement | null {
  let here: XmlElement | null = element;
  for (const name of path.split('/')) {
    if (here === null) return null;
    here = childrenOf(here, name)[0] ?? null;
  }
  return here;
}

/** The text of the first element on a way of names, trimmed; null when there is none or it is empty. */
export function textAt(element: XmlElement, path: string): string | null {
  const text = elementAt(element, path)?.text.trim();
  return text === undefined || text === '' ? null : text;
}

/**
 * All elements of that name below, in the order of the document, without those inside of one that was found: who looks
 * for lists in polygons in features would else meet a list as often as these can be put into each other.
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

export type { XmlElement };
