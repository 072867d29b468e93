import { hash } from 'node:crypto';
import type { SwathError } from '../errors.ts';
import type { ResponseHead } from '../net/index.ts';
import type { ByteRange } from './byte-source.ts';
import { sourceBroken } from './errors.ts';

/** What tells one state of a remote file from another. */
export interface Pin {
  readonly size: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Catalogs store the text, so its length is limited; longer ones are hashed. */
const MAX_STATE_LENGTH = 200;

/** A date older than this at the time of the answer: what is written in the same second again would have the same date. */
const SETTLED_MS = 60_000;

/** Whether the state of a file can be told from any later one, so that its bytes may be stored on disk. */
export function isLasting({ etag, lastModified }: Pin, date: string | null): boolean {
  if (etag !== null) return etag !== '' && etag.length <= MAX_STATE_LENGTH;
  return Date.parse(date ?? '') - Date.parse(lastModified ?? '') >= SETTLED_MS;
}

/** The error of a file that is no longer the one that was opened; the caller may open it once more. */
const sourceChanged = (): SwathError =>
  sourceBroken.about('source-changed', '{file} changed while it was read.');

/** S3 answers 403 for a missing object to callers that may not list the bucket; an empty object answers 416. */
const GONE: ReadonlySet<number> = new Set([403, 404, 410, 416]);

const notThere = (status: number): SwathError => {
  const cause = new Error(`status ${status}`);
  return GONE.has(status)
    ? sourceBroken.about('source-gone', '{file} cannot be opened.', { cause })
    : sourceBroken.about('source-refused', '{server} refuses to give a file.', { cause });
};

const wrongRange = (why: string): SwathError =>
  sourceBroken.about('source-wrong-range', '{server} sent other bytes than were asked for.', {
    cause: new Error(why),
  });

const noRanges = (): SwathError =>
  sourceBroken(
    'source-no-ranges',
    'The server of a file ignores range requests: it sends the whole file instead of the part that was asked for. Serve the file with a server that knows ranges, such as nginx, Apache or S3, or copy it into the data directory.',
    { cause: new Error('status 200') },
  );

/** Headers that ask for a range, of the pinned state of the file only. */
export function toRangeHeaders({ offset, length }: ByteRange, pin?: Pin): Record<string, string> {
  const range = { range: `bytes=${offset}-${offset + length - 1}` };
  // If-Match and not If-Range: a changed file then is a plain 412, and not its whole new content. It compares strongly,
  // so a weak ETag would never match; the time stands in for it.
  if (pin?.etag && STRONG_ETAG.test(pin.etag)) return { ...range, 'if-match': pin.etag };
  const date = pin?.lastModified;
  return date && PLAIN_TEXT.test(date) ? { ...range, 'if-unmodified-since': date } : range;
}

/** What a store sent is sent back only if it can stand in a header; it is compared in any case. */
const STRONG_ETAG = /^"[\x21\x23-\x7e]{0,200}"$/;
const PLAIN_TEXT = /^[\x20-\x7e]{1,40}$/;

/** Reads what the first answer tells of the file; its size must be known, or no later range can be judged. */
export function parsePin(head: ResponseHead): Pin {
  const size = parseContentRange(head.header('content-range'))?.size ?? null;
  if (size === null) throw wrongRange('the first answer does not tell the size of the file');
  return { size, etag: head.header('etag'), lastModified: head.header('last-modified') };
}

/** Reads a pin from the text that was stored of it; null for anything that is not one. */
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

/** A name for this state of the file; without ETag and time its first bytes, the header of a TIFF, stand in for it. */
export function toVersion({ size, etag, lastModified }: Pin, firstBytes: Uint8Array): string {
  const state = etag ?? lastModified ?? firstBytes;
  const isPlain = typeof state === 'string' && state.length <= MAX_STATE_LENGTH;
  return `${size}-${isPlain ? state : hash('sha256', state, 'hex').slice(0, 32)}`;
}

/**
 * Checks the head of an answer to a range request and returns the length its body must have; throws for every answer
 * that is not exactly the range. Without a pin the range may end early, where the file does.
 */
export function checkRangeAnswer(head: ResponseHead, { offset, length }: ByteRange, pin?: Pin): number {
  const { status } = head;
  // We never ask beyond the end, so an unsatisfiable range means that the file became shorter.
  if (status === 412 || (status === 416 && pin !== undefined)) throw sourceChanged();
  if (status === 200) throw noRanges();
  if (status !== 206) throw notThere(status);
  const encoding = head.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw sourceBroken.about('source-encoded', '{server} sent compressed bytes that were not asked for.');
  }
  const answer = parseContentRange(head.header('content-range'));
  if (answer === null) throw wrongRange('no Content-Range that can be read');
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

/** Parses `bytes 0-99/1234`; null for anything else. The size is null where the store says `*`. */
function parseContentRange(text: string | null): (ByteRange & { readonly size: number | null }) | null {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(text ?? '');
  if (match === null) return null;
  const [first, last] = [Number(match[1]), Number(match[2])];
  const size = match[3] === '*' ? null : Number(match[3]);
  if (last < first || (size !== null && last >= size)) return null;
  return { offset: first, length: last - first + 1, size };
}
