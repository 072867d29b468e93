import { hash } from 'node:crypto';
import type { SwathError } from '../errors.ts';
import type { ResponseHead } from '../net/index.ts';
import type { ByteRange } from './byte-source.ts';
import { sourceBroken } from './errors.ts';

/** Identifies one state of a remote file. */
export interface Pin {
  readonly size: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Catalogs store the state, so a longer one is hashed. */
const MAX_STATE_LENGTH = 200;

/** The age from which on a date identifies a state: a second write within the same second has the same date. */
const SETTLED_MS = 60_000;

/** Whether every later state of the file differs from this one, so that its bytes may be stored on disk. */
export function isLasting({ etag, lastModified }: Pin, date: string | null): boolean {
  if (etag !== null) return etag !== '' && etag.length <= MAX_STATE_LENGTH;
  return Date.parse(date ?? '') - Date.parse(lastModified ?? '') >= SETTLED_MS;
}

/** The error for a file that has changed since it was opened; the caller may open it again. */
const sourceChanged = (): SwathError =>
  sourceBroken.about('source-changed', '{file} changed while it was read.');

/** S3 answers 403 for a missing object to callers that may not list the bucket; an empty object answers 416. */
const GONE: ReadonlySet<number> = new Set([403, 404, 410, 416]);

const notThere = (status: number): SwathError => {
  const options = { cause: new Error(`status ${status}`), details: { status } };
  return GONE.has(status)
    ? sourceBroken.about('source-gone', '{file} cannot be opened.', options)
    : sourceBroken.about('source-refused', '{server} refuses access to a file.', options);
};

const wrongRange = (why: string): SwathError =>
  sourceBroken.about('source-wrong-range', '{server} sent other bytes than requested.', {
    cause: new Error(why),
  });

const noRanges = (): SwathError =>
  sourceBroken(
    'source-no-ranges',
    'The server of a file ignores range requests: it sends the whole file instead of the requested part. Serve the file with a server that supports ranges, such as nginx, Apache or S3, or copy it into the data directory.',
    { cause: new Error('status 200') },
  );

/** Headers of a range request for the pinned state of the file only. */
export function toRangeHeaders({ offset, length }: ByteRange, pin?: Pin): Record<string, string> {
  const range = { range: `bytes=${offset}-${offset + length - 1}` };
  // If-Match and not If-Range: for a changed file the store answers 412, and not its whole new content. If-Match compares
  // strongly, so a weak ETag would never match; the modification time replaces it.
  if (pin?.etag && STRONG_ETAG.test(pin.etag)) return { ...range, 'if-match': pin.etag };
  const date = pin?.lastModified;
  return date && PLAIN_TEXT.test(date) ? { ...range, 'if-unmodified-since': date } : range;
}

/** An ETag that may be sent back in a header; others are only compared. */
const STRONG_ETAG = /^"[\x21\x23-\x7e]{0,200}"$/;
const PLAIN_TEXT = /^[\x20-\x7e]{1,40}$/;

/** Reads the pin from the first answer; without the size no later range could be checked. */
export function parsePin(head: ResponseHead): Pin {
  const size = parseContentRange(head.header('content-range'))?.size ?? null;
  if (size === null) throw wrongRange('the first answer does not have the size of the file');
  return { size, etag: head.header('etag'), lastModified: head.header('last-modified') };
}

/** Parses a stored pin; null for a string that is not a pin. */
export function parseStoredPin(text: string): Pin | null {
  try {
    const { size, etag, lastModified } = JSON.parse(text) as Record<keyof Pin, unknown>;
    const isState = (value: unknown) => value === null || typeof value === 'string';
    const isPin = Number.isSafeInteger(size) && isState(etag) && isState(lastModified);
    return isPin && (etag !== null || lastModified !== null) ? ({ size, etag, lastModified } as Pin) : null;
  } catch {
    return null;
  }
}

/** The version of this state of the file; without ETag and time the first bytes, the header of a TIFF, replace them. */
export function toVersion({ size, etag, lastModified }: Pin, firstBytes: Uint8Array): string {
  const state = etag ?? lastModified ?? firstBytes;
  const isPlain = typeof state === 'string' && state.length <= MAX_STATE_LENGTH;
  return `${size}-${isPlain ? state : hash('sha256', state, 'hex').slice(0, 32)}`;
}

/**
 * Checks the head of an answer to a range request and returns the required length of its body; throws unless the answer
 * is exactly the range. Without a pin the range may end early, at the end of the file.
 */
export function checkRangeAnswer(head: ResponseHead, { offset, length }: ByteRange, pin?: Pin): number {
  const { status } = head;
  // Requests never go beyond the end, so an unsatisfiable range means that the file became shorter.
  if (status === 412 || (status === 416 && pin !== undefined)) throw sourceChanged();
  if (status === 200) throw noRanges();
  if (status !== 206) throw notThere(status);
  const encoding = head.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw sourceBroken.about('source-encoded', '{server} sent compressed bytes, which were not requested.');
  }
  const answer = parseContentRange(head.header('content-range'));
  if (answer === null) throw wrongRange('no valid Content-Range');
  if (pin !== undefined && isOther(head, answer.size, pin)) throw sourceChanged();
  const expected =
    pin === undefined && answer.size !== null ? Math.min(length, answer.size - offset) : length;
  if (answer.offset !== offset || answer.length !== expected) {
    throw wrongRange(`asked for ${length} from ${offset}, sent ${answer.length} from ${answer.offset}`);
  }
  const announced = head.header('content-length');
  if (announced !== null && Number(announced) !== expected) {
    throw wrongRange(`${announced} bytes announced for a range of ${expected}`);
  }
  return expected;
}

const isOther = (head: ResponseHead, size: number | null, pin: Pin): boolean =>
  (size !== null && size !== pin.size) ||
  (pin.etag !== null ? head.header('etag') !== pin.etag : head.header('last-modified') !== pin.lastModified);

/** Parses `bytes 0-99/1234`; null for anything else. The size is null for `*`. */
function parseContentRange(text: string | null): (ByteRange & { readonly size: number | null }) | null {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(text ?? '');
  if (match === null) return null;
  const [first, last] = [Number(match[1]), Number(match[2])];
  const size = match[3] === '*' ? null : Number(match[3]);
  if (last < first || (size !== null && last >= size)) return null;
  return { offset: first, length: last - first + 1, size };
}
