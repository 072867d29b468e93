/** The answer to a request for a stored file, by RFC 9110: conditions, ranges, headers, and a body that breaks off loudly. */
import { extname } from 'node:path';
import { badInput, conflict } from '../errors.ts';
import type { RequestHeaders } from './answers.ts';
import { Answer, isFresh } from './answers.ts';
import type { ApiRequest } from './endpoint.ts';

/** A stored file, as clients see it. */
interface ServedFile {
  readonly bytes: number;
  /** With quotes. */
  readonly etag: string;
  readonly contentType: string;
  /** What a browser calls the file that it stores. */
  readonly fileName: string;
  /** How long clients may use it without asking whether it has changed. */
  readonly maxAgeS: number;
}

/** The head of an answer with the file or a part of it; the body is the bytes from `start` to before `end`. */
interface FileHead {
  readonly status: 200 | 206;
  readonly headers: Map<string, string>;
  readonly range: { readonly start: number; readonly end: number };
}

/** The head of the answer, or the answer 304; throws the refusals 412 and 416. */
export function beginFileAnswer(
  { method, headers: asked }: Pick<ApiRequest, 'method' | 'headers'>,
  { bytes, etag, contentType, fileName, maxAgeS }: ServedFile,
): FileHead | Answer {
  const plan = planFileAnswer({ method, headers: asked, bytes, etag });
  const headers = new Map([
    ['etag', etag],
    ['cache-control', `private, no-transform, max-age=${Math.floor(maxAgeS)}`],
    ['accept-ranges', 'bytes'],
  ]);
  switch (plan.kind) {
    case 'not-modified':
      return new Answer(null, { status: 304, headers });
    case 'other-state':
      throw conflict('other-state', 'If-Match names another state of this file.');
    case 'no-such-range':
      throw refuseRange(bytes);
  }
  const { start, end } = plan.kind === 'part' ? plan : { start: 0, end: bytes };
  headers.set('content-type', contentType);
  headers.set('content-disposition', toContentDisposition(fileName));
  headers.set('content-length', String(end - start));
  if (plan.kind === 'part') headers.set('content-range', `bytes ${start}-${end - 1}/${bytes}`);
  return { status: plan.kind === 'part' ? 206 : 200, headers, range: { start, end } };
}

/**
 * The part of a complete answer that a request with a Range header asks for; the answer itself if it asks for all. GDAL
 * reads tiles only from servers that send parts of them.
 */
export function takePart(
  { method, headers: asked }: Pick<ApiRequest, 'method' | 'headers'>,
  answer: Answer,
): Answer {
  const { status, body } = answer;
  const range = asked.get('range');
  if (range === null || method !== 'GET' || status !== 200 || !(body instanceof Uint8Array)) return answer;
  // Without a tag no part can be known to belong to what the client has.
  const ifRange = asked.get('if-range');
  if (ifRange !== null && ifRange.trim() !== answer.headers.get('etag')) return answer;
  const plan = planRange(range, body.length);
  if (plan.kind === 'no-such-range') throw refuseRange(body.length);
  if (plan.kind !== 'part') return answer;
  const { start, end } = plan;
  const headers = new Map(answer.headers);
  headers.set('accept-ranges', 'bytes');
  headers.set('content-range', `bytes ${start}-${end - 1}/${body.length}`);
  return new Answer(body.subarray(start, end), { status: 206, headers });
}

const refuseRange = (bytes: number): Error =>
  badInput('no-such-range', `The range lies behind the end of the file, which has ${bytes} bytes.`, {
    details: { contentRange: `bytes */${bytes}` },
  });

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

/**
 * A file that cannot be read to its end must not look like a shorter one: the connection breaks, and the log says why. The
 * file of a client that has left is closed, also if the server has not begun to send it.
 */
export function breakOffOnFailure(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { breakOff, ticket: { signal } }: Pick<ApiRequest, 'breakOff' | 'ticket'>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let hasLeft = false;
  const leave = (reason?: unknown): Promise<void> => {
    hasLeft = true;
    return reader.cancel(reason);
  };
  const close = (): void => void leave().catch(() => {});
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          // A client may have all its bytes, and close the connection, before the file says that it is at its end: the
          // server has closed this stream then.
          if (hasLeft) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (hasLeft) return;
          // Otherwise the end of the connection cancels the stream.
          if (!breakOff(error)) controller.error(error);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
