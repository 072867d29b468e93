import { hash } from 'node:crypto';
import { cancelled, isSwathError, sourceBroken } from '../../errors.ts';
import type { GuardedFetch, GuardedResponse } from '../network/guarded-fetch.ts';
import type { ResponseHead } from '../network/response.ts';
import { parseRetryAfterMs } from '../network/response.ts';
import type { ByteSource } from '../ranges/byte-source.ts';
import type { SignedAddresses } from '../sas/sas-tokens.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { PassingFailure } from '../upstream/upstream.ts';
import type { ByteRange, Pin } from './range-answer.ts';
import { checkRangeAnswer, parsePin, toRangeHeaders, toVersion } from './range-answer.ts';

/** What a remote file is read with. */
export interface HttpSourceDeps {
  readonly fetch: GuardedFetch;
  readonly upstream: Upstream;
  /** Adds a signature to the headers of one try; called anew for every try, because signatures age. */
  readonly sign?: (
    url: string,
    headers: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
  /** Adds a token to the address of one try, where the store wants one there. */
  readonly addresses?: SignedAddresses;
  /** Wall clock, for `Retry-After` dates. */
  readonly wallClockMs?: () => number;
}

/** The first read takes this much, which holds the whole header of nearly every COG. */
const FIRST_BYTES = 64 * 1024;
/** Max bytes of one read: the largest block a TIFF may have (docs/hardening.md). */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file on an HTTP server that answers ranges. Its size and state are pinned by the first answer, whose bytes are
 * retained; every later answer must be exactly the range asked for, of exactly that state, or the read throws.
 */
export async function openHttpSource(
  url: string,
  deps: HttpSourceDeps,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const first = await readRange(url, { range: { offset: 0, length: FIRST_BYTES } }, deps, signal);
  const pin = parsePin(first);
  const firstBytes = first.body;

  const read: ByteSource['read'] = async (offset, length, readSignal) => {
    if (readSignal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
    if (!(offset >= 0 && length >= 0 && offset + length <= pin.size)) {
      throw sourceBroken('source-short', 'A file of this scene ends before the bytes its header promises.');
    }
    // Copied, because a caller may write into what it was given.
    if (offset + length <= firstBytes.length) return firstBytes.slice(offset, offset + length);
    if (length === 0) return new Uint8Array(0);
    if (length > MAX_READ_BYTES) {
      throw sourceBroken('source-read-too-large', `A read is over the limit of ${MAX_READ_BYTES} bytes.`);
    }
    const { body } = await readRange(url, { range: { offset, length }, pin }, deps, readSignal);
    return body;
  };
  return { id: toId(url), version: toVersion(pin, firstBytes), size: pin.size, read, close: async () => {} };
}

/** A range that is asked for. */
export interface RangeQuestion {
  readonly range: ByteRange;
  /** Absent for the first question, which finds out. */
  readonly pin?: Pin;
}

/** Asks for one range, again where a failure may pass; the answer is complete and right. */
export function readRange(
  url: string,
  { range, pin }: RangeQuestion,
  deps: HttpSourceDeps,
  signal?: AbortSignal,
): Promise<GuardedResponse> {
  const { fetch, upstream, sign, addresses, wallClockMs = Date.now } = deps;
  const headers = toRangeHeaders(range, pin);
  let isRenewed = false;
  return upstream.call(
    originOf(url),
    async (callSignal) => {
      let bodyLength = 0;
      let isStale = false;
      const limitBody = (head: ResponseHead) => {
        // A token may end before its time; one refusal is taken for that, the next for what it is.
        isStale = !isRenewed && isRefusal(head.status) && addresses?.forget(url) === true;
        // The body of a failure is not read.
        bodyLength = isStale || isPassing(head.status) ? 0 : checkRangeAnswer(head, range, pin);
        return bodyLength;
      };
      const signed = sign === undefined ? headers : { ...headers, ...sign(url, headers) };
      const address = addresses === undefined ? url : await addresses.sign(url, callSignal);
      const request = { url: address, headers: signed, limitBody, signal: callSignal };
      const answer = await fetch(request).catch(toFailure);
      if (answer instanceof PassingFailure) return answer;
      if (isStale) {
        isRenewed = true;
        return toPassing(answer, null);
      }
      if (isPassing(answer.status)) {
        return toPassing(answer, parseRetryAfterMs(answer.header('retry-after'), wallClockMs()));
      }
      if (answer.body.length !== bodyLength) return cutOff();
      return answer;
    },
    signal,
  );
}

const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** Whether an answer of this status may be another one the next time. */
export const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/** The failure of an answer that another try may fix. */
export const toPassing = ({ status }: ResponseHead, afterMs: number | null): PassingFailure =>
  new PassingFailure(
    sourceBroken('source-failing', 'A store of this scene fails or is overloaded right now.', {
      cause: new Error(`status ${status}`),
    }),
    afterMs ?? 0,
  );

const cutOff = (): PassingFailure =>
  new PassingFailure(
    sourceBroken('source-short', 'A store of this scene sent fewer bytes than it promised.'),
  );

/** A connection that broke may hold the next time; everything else is final, and is thrown. */
export function toFailure(error: unknown): PassingFailure {
  if (isSwathError(error) && (error.code === 'source-unreachable' || error.code === 'source-cut-off'))
    return new PassingFailure(error);
  throw error;
}

/** Breaker, slots and budget belong to scheme, host and port; an invalid URL is refused by the guarded fetch. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? '';

/** An id goes into logs, and the query of a signed address is a key: only its hash is stored. */
function toId(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return path;
  return `${path}?${hash('sha256', query.join('?'), 'hex').slice(0, 16)}`;
}
