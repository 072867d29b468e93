import type { XmlElement } from '@rgrove/parse-xml';
import { parseXml as parse, XmlError } from '@rgrove/parse-xml';
import { isSwathError } from '../errors.ts';
import { sourceBroken } from './errors.ts';

/** Larger documents are refused; the longest metadata of products (annotations of Sentinel-1) have 2 MB. */
export const MAX_METADATA_BYTES = 32 * 2 ** 20;
/** Far beyond the 20 levels of the deepest product metadata; the parser recurses once per level. */
const MAX_DEPTH = 100;
/** A cloud mask of ten thousand polygons has some 100,000. */
const MAX_ELEMENTS = 1_000_000;
/** Attributes of one element; products have up to a dozen. */
const MAX_ATTRIBUTES = 256;

/** The code of every error of this reader. */
const BAD_XML = 'metadata-bad-xml';

/**
 * Parses a document strictly, without document types or entities of its own. Text that is not well-formed, too long,
 * too deep, or has too many elements or attributes throws `metadata-bad-xml`; `what` names the file in the message.
 */
export function parseXml(text: string, what: string): XmlElement {
  checkXml(text, what);
  return parseChecked(text, what);
}

/** The same for optional documents: null where `parseXml` throws, or if the text is too long. */
export function tryParseXml(text: string, what: string, maxCharacters: number): XmlElement | null {
  if (text.length > maxCharacters) return null;
  try {
    return parseXml(text, what);
  } catch (error) {
    if (isSwathError(error) && error.code === BAD_XML) return null;
    throw error;
  }
}

/** Refuses a text that exceeds a limit or declares a document type, before it is parsed. */
export function checkXml(text: string, what: string): void {
  if (text.length > MAX_METADATA_BYTES) throw bad(what, `is longer than ${MAX_METADATA_BYTES} characters`);
  let elements = 0;
  const state = { at: 0, depth: 0 };
  const refuseType = (at: number): void => {
    if (text.startsWith('<!DOCTYPE', at)) throw bad(what, 'declares a document type, which is not read');
  };
  for (const { start, depth, attributes } of tagsOf(text, state)) {
    refuseType(start);
    elements++;
    if (depth > MAX_DEPTH) throw bad(what, `is nested deeper than ${MAX_DEPTH} levels`);
    if (elements > MAX_ELEMENTS) throw bad(what, `has more than ${MAX_ELEMENTS} elements`);
    if (attributes > MAX_ATTRIBUTES)
      throw bad(what, `has an element of more than ${MAX_ATTRIBUTES} attributes`);
  }
  // One whose end is missing is reported too.
  refuseType(state.at);
}

/** Parses a document, or one element of it, that has passed `checkXml`. */
export function parseChecked(text: string, what: string): XmlElement {
  let root: XmlElement | null;
  try {
    root = parse(text).root;
  } catch (error) {
    // The parser throws its own errors for malformed text.
    if (!(error instanceof XmlError)) throw error;
    throw notWellFormed(what, error);
  }
  if (root === null) throw bad(what, 'has no root element');
  return root;
}

/** The error for text that is not well-formed. */
export const notWellFormed = (what: string, cause?: unknown) => bad(what, 'is not well-formed XML', cause);

const bad = (what: string, why: string, cause?: unknown) =>
  sourceBroken(BAD_XML, `The file ${what} ${why}.`, cause === undefined ? {} : { cause });

/** A tag of a document. */
interface Tag {
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

/** How far a document is read: up to a character, and how many elements are open there. */
export interface TagState {
  at: number;
  depth: number;
}

/**
 * The tags of a document one by one; an unfinished one ends the list, and the state says where it begins. It checks
 * nothing: the parser refuses malformed text later.
 */
export function* tagsOf(text: string, state: TagState): Generator<Tag> {
  for (let at = text.indexOf('<', state.at); ; at = text.indexOf('<', state.at)) {
    state.at = at < 0 ? text.length : at;
    if (at < 0) return;
    const other = OTHERS.find(([start]) => text.startsWith(start, at));
    if (other !== undefined) {
      const [start, stop] = other;
      const end = text.indexOf(stop, at + start.length);
      if (end < 0) return;
      state.at = end + stop.length;
      continue;
    }
    const { end, attributes } = findEnd(text, at);
    if (end < 0) return;
    if (text[at + 1] === '/') state.depth--;
    else if (text[end - 1] !== '/') state.depth++;
    state.at = end + 1;
    yield { start: at, end: end + 1, depth: state.depth, attributes };
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

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Escapes text for use between tags or in double quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES.get(character)!);

/** Resolves the five entities of XML and character references; others stay as they are. */
export function unescapeXml(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name) ?? whole;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Characters that no XML document may hold, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text of an XML document: what people have typed can be anything. */
export const xmlText = (text: string): string => escapeXml(text.toWellFormed().replace(FORBIDDEN, '?'));
