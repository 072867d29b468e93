/** What is sent of a stored file, by RFC 9110, and the name that a browser stores it under. */
import { extname } from 'node:path';
import type { RequestHeaders } from '../kit/answers.ts';
import { isFresh } from '../kit/answers.ts';

/** What a client is sent of a stored file. */
type FileAnswer =
  | { readonly kind: 'whole' }
  /** Bytes from `start` to before `end`. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'not-modified' }
  /** The client wants another state of the file than there is. */
  | { readonly kind: 'other-state' }
  /** The client wants bytes behind the end. */
  | { readonly kind: 'no-such-range' };

/** A stored file and the request for it. */
interface FileQuestion {
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly bytes: number;
  /** With quotes. */
  readonly etag: string;
}

const WHOLE: FileAnswer = { kind: 'whole' };

/** Decides what to answer, in the order of RFC 9110 13.2.2: first the conditions, then the range. */
export function planFileAnswer({ method, headers, bytes, etag }: FileQuestion): FileAnswer {
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null && !isStrongMatch(ifMatch, etag)) return { kind: 'other-state' };
  if (isFresh(headers.get('if-none-match'), etag)) return { kind: 'not-modified' };
  const range = headers.get('range');
  // RFC 9110 14.2: ranges are for GET.
  if (method !== 'GET' || range === null) return WHOLE;
  // A part of another state would be appended to what the client has. Dates cannot match: none was sent.
  const ifRange = headers.get('if-range');
  return ifRange !== null && ifRange.trim() !== etag ? WHOLE : planRange(range, bytes);
}

/** Strong comparison: a weak tag matches nothing. */
const isStrongMatch = (list: string, etag: string): boolean =>
  list.split(',').some((tag) => ['*', etag].includes(tag.trim()));

/**
 * One range. What cannot be read, and several ranges at once, are ignored, as RFC 9110 14.2 allows: then the client gets
 * the whole file, and can tell.
 */
function planRange(text: string, bytes: number): FileAnswer {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,20})-(\d{0,20})[ \t]*$/i.exec(text) ?? [];
  if (first === '') {
    if (last === '' || bytes === 0) return WHOLE;
    const length = Math.min(Number(last), bytes);
    return length === 0 ? { kind: 'no-such-range' } : { kind: 'part', start: bytes - length, end: bytes };
  }
  const [start, end] = [Number(first), last === '' ? bytes : Math.min(Number(last) + 1, bytes)];
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= bytes ? { kind: 'no-such-range' } : { kind: 'part', start, end };
}

/** Longer names are cut: file systems take 255 bytes, and a character may have four in UTF-8. */
const MAX_CHARACTERS = 120;

/**
 * The header that makes a browser store an answer under a name (RFC 6266): a plain form for old clients, and the name
 * itself in UTF-8 (RFC 8187). Control characters and what separates folders are replaced, so that no name can end the
 * header or lead elsewhere.
 */
export function toContentDisposition(fileName: string): string {
  const name = cut(toSafeName(fileName));
  const plain = name.replace(/[^A-Za-z0-9 ._()+,=@-]/gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`;
}

function toSafeName(text: string): string {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_')
    .trim();
  return /^\.*$/.test(name) ? 'result' : name;
}

/** In whole characters, with the extension. */
function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = [...extname(name)].slice(0, 16);
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join('');
}

/** RFC 8187 allows fewer characters than a URI does. */
const encodeExtended = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
