import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { throwIfCancelled } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import { makeBufferPool } from '../files/index.ts';
import type { GuardedFetch, GuardedResponse, ResponseHead, Upstream } from '../net/index.ts';
import {
  isPassing,
  makeGuardedFetch,
  makeUpstream,
  PassingFailure,
  parseRetryAfterMs,
  toFailure,
  toPassing,
} from '../net/index.ts';
import type { ByteRange, ByteSource, FilePart, UseBytes } from './byte-source.ts';
import { sourceBroken } from './errors.ts';
import type { HeaderStore, KnownBytes } from './header-store.ts';
import { makeKnownBytes, toFileKey } from './header-store.ts';
import type { Pin } from './range-answer.ts';
import {
  checkRangeAnswer,
  isLasting,
  parsePin,
  parseStoredPin,
  toRangeHeaders,
  toVersion,
} from './range-answer.ts';
import type { SignedAddresses } from './sas-tokens.ts';

/** A file of another machine, in the state in which it was opened. */
export interface RemoteSource extends ByteSource {
  /** Names this state of the file in caches on disk; null if its store does not tell one state from another. */
  readonly cacheKey: string | null;
  /** Whether its store has been asked since it was opened; false for a file opened from its stored header. */
  readonly isFresh: boolean;
  isKnown(offset: number, length: number): boolean;
  withBytes<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  storeHeader(parts: readonly FilePart[]): void;
  /** Asks for one byte; throws `source-changed` or `source-gone` if the file is no longer the one that was opened. */
  confirm(signal?: AbortSignal): Promise<void>;
}

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
  readonly addresses?: SignedAddresses | undefined;
  /** Headers on disk; without them the store is asked whenever a file is opened. */
  readonly headers?: HeaderStore | undefined;
  /** As whom the file is read: what one may read is not given to another. */
  readonly identity?: string;
  /** Wall clock, for `Retry-After` dates. */
  readonly wallClockMs?: () => number;
}

/** The first read takes this much, which holds the whole header of nearly every COG. */
const FIRST_BYTES = 64 * 1024;
/** Bytes that an open file may hold: the first of them, and tables that lie elsewhere. */
const MAX_KNOWN_BYTES = 256 * 1024;
/** Max bytes of one read: the largest block a TIFF may have (docs/operate/hardening.md). */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Of a thread: bodies of requests that are looked at for a moment. */
const bodies = makeBufferPool(16 * 1024 * 1024);

/** How a file is opened. */
export interface HttpOpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** The state that the caller expects, alone or joined with that of a sidecar. */
  readonly stamp?: string | undefined;
}

/**
 * Opens a file on an HTTP server that answers ranges. Its size and state are pinned by the first answer, whose bytes are
 * retained, or by its stored header if that is of the expected state; every later answer must be exactly the range asked
 * for, of exactly that state, or the read throws.
 */
export async function openHttpSource(
  url: string,
  deps: HttpSourceDeps,
  { signal, stamp }: HttpOpenOptions = {},
): Promise<RemoteSource> {
  const key = toFileKey(url, deps.identity ?? '');
  const known = stamp === undefined ? null : await findKnown(key, stamp, deps);
  if (known !== null) return makeHttpSource(url, { ...known, key, isLasting: true, isFresh: false }, deps);
  const first = await readRange(url, { range: { offset: 0, length: FIRST_BYTES } }, deps, signal);
  const pin = parsePin(first);
  const opened = {
    pin,
    version: toVersion(pin, first.body),
    bytes: makeKnownBytes([{ offset: 0, bytes: first.body }]),
    key,
    isLasting: isLasting(pin, first.header('date')),
    isFresh: true,
  };
  return makeHttpSource(url, opened, deps);
}

interface Opened {
  readonly pin: Pin;
  readonly version: string;
  readonly bytes: KnownBytes;
  readonly key: string;
  readonly isLasting: boolean;
  readonly isFresh: boolean;
}

/** The stored header of a file, if it is of the state that the caller expects. */
async function findKnown(key: string, stamp: string, { headers }: HttpSourceDeps) {
  const record = (await headers?.find(key)) ?? null;
  const pin = record === null ? null : parseStoredPin(record.state);
  if (record === null || pin === null) return null;
  const version = toVersion(pin, new Uint8Array(0));
  const isExpected = stamp === version || stamp.startsWith(`${version} `) || stamp.endsWith(` ${version}`);
  return isExpected ? { pin, version, bytes: makeKnownBytes(record.parts) } : null;
}

function makeHttpSource(url: string, opened: Opened, deps: HttpSourceDeps): RemoteSource {
  const { pin, version, key, isFresh } = opened;
  const { headers } = deps;
  let { bytes: known } = opened;
  let storing: Promise<void> | undefined;

  const ask = async (question: RangeQuestion, signal?: AbortSignal): Promise<Uint8Array> => {
    try {
      return (await readRange(url, question, deps, signal)).body;
    } catch (error) {
      // The next one to open it must ask.
      if (isLost(error)) await headers?.forget(key);
      throw error;
    }
  };
  const check = ({ offset, length }: ByteRange, signal?: AbortSignal): void => {
    throwIfCancelled(signal);
    if (!(offset >= 0 && length >= 0 && offset + length <= pin.size)) {
      throw sourceBroken.about('source-short', '{file} ends before the bytes its header promises.');
    }
    if (length > MAX_READ_BYTES) {
      throw sourceBroken('source-read-too-large', `A read is over the limit of ${MAX_READ_BYTES} bytes.`);
    }
  };

  return {
    id: toId(url),
    version,
    size: pin.size,
    cacheKey: opened.isLasting ? hash('sha256', `${key} ${version}`, 'hex').slice(0, 32) : null,
    isFresh,
    isKnown: (offset, length) => known.find(offset, length) !== null,
    async read(offset, length, signal) {
      check({ offset, length }, signal);
      if (length === 0) return new Uint8Array(0);
      // Copied, because a caller may write into what it was given.
      const found = known.find(offset, length);
      return found !== null ? found.slice() : ask({ range: { offset, length }, pin }, signal);
    },
    async withBytes(range, use, signal) {
      check(range, signal);
      const found = range.length === 0 ? new Uint8Array(0) : known.find(range.offset, range.length);
      if (found !== null) return use(found);
      // Of each try: a second one may be under way. What a failed try was given is left to the garbage collector.
      const leased = new Set<ArrayBufferLike>();
      const allocate = (byteLength: number): Uint8Array => {
        const buffer = bodies.lease(byteLength);
        leased.add(buffer);
        return new Uint8Array(buffer, 0, byteLength);
      };
      const bytes = await ask({ range, pin, allocate }, signal);
      try {
        return use(bytes);
      } finally {
        if (leased.has(bytes.buffer)) bodies.release(bytes.buffer as ArrayBuffer);
      }
    },
    storeHeader(parts) {
      const isKnown = parts.every((part) => known.find(part.offset, part.bytes.length) !== null);
      const all = isKnown ? known : makeKnownBytes([...known.parts, ...parts]);
      if (headers !== undefined && opened.isLasting && (isFresh || !isKnown)) {
        storing = headers.store(key, { state: toState(pin), parts: all.parts });
      }
      // Long tables are read once; many open files must not hold them.
      known = all.byteLength <= MAX_KNOWN_BYTES ? all : makeKnownBytes(firstOf(all));
    },
    async confirm(signal) {
      if (pin.size > 0) await ask({ range: { offset: 0, length: 1 }, pin }, signal);
    },
    close: async () => storing,
  };
}

/** The first bytes, which every reader begins with. */
const firstOf = ({ parts }: KnownBytes): readonly FilePart[] => {
  const [first] = parts;
  return first?.offset === 0 ? [{ offset: 0, bytes: first.bytes.slice(0, FIRST_BYTES) }] : [];
};

const toState = ({ size, etag, lastModified }: Pin): string => JSON.stringify({ size, etag, lastModified });

/** Whether an error says that the file is no longer the one that was opened. */
export const isLost = (error: unknown): boolean =>
  isSwathError(error) && (error.code === 'source-changed' || error.code === 'source-gone');

/** A range that is asked for. */
interface RangeQuestion {
  readonly range: ByteRange;
  /** Absent for the first question, which finds out. */
  readonly pin?: Pin;
  /** Memory for the body. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
}

/** Asks for one range, again where a failure may pass; the answer is complete and right. */
export function readRange(
  url: string,
  { range, pin, allocate }: RangeQuestion,
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
      const request = { url: address, headers: signed, limitBody, allocate, signal: callSignal };
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

const cutOff = (): PassingFailure =>
  new PassingFailure(sourceBroken.about('source-short', '{server} sent fewer bytes than it promised.'));

/** Breaker, slots and budget belong to scheme, host and port; an invalid URL is refused by the guarded fetch. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? '';

/** An id goes into logs, and the query of a signed address is a key: only its hash is stored. */
function toId(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return path;
  return `${path}?${hash('sha256', query.join('?'), 'hex').slice(0, 16)}`;
}

const HOST = '127.0.0.1';
const SIZE = 1_000_000;
/** Enough that the code of a read is compiled. */
const READS = 50;
const READ_BYTES = 10_000;

/**
 * Reads ranges from a server of this thread for a moment, so that the first file of a store is read as fast as any other:
 * loading the HTTP client and compiling its parser takes 0.1 s. Nothing leaves the machine.
 */
export async function warmUpHttp(): Promise<void> {
  const content = Buffer.alloc(SIZE);
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [from, to] = [Number(first), Math.min(Number(last), SIZE - 1)];
    response.writeHead(206, {
      'content-range': `bytes ${from}-${to}/${SIZE}`,
      'content-length': to - from + 1,
      etag: '"1"',
    });
    response.end(content.subarray(from, to + 1));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  try {
    const { port } = server.address() as AddressInfo;
    const fetch = makeGuardedFetch({
      policy: { hosts: [HOST], allowHttp: true, ports: [port], privateNetworks: [`${HOST}/32`] },
    });
    const source = await openHttpSource(`http://${HOST}:${port}/`, { fetch, upstream: makeUpstream() });
    for (let i = 0; i < READS; i += 1) await source.read(SIZE - (i + 1) * READ_BYTES, READ_BYTES);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}
