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

/** A remote file, in the state in which it was opened. */
export interface RemoteSource extends ByteSource {
  /** The key of this state of the file in disk caches; null if its store does not distinguish states. */
  readonly cacheKey: string | null;
  /** Whether the store has answered since the file was opened; false for a file opened from its stored header. */
  readonly isFresh: boolean;
  isKnown(offset: number, length: number): boolean;
  withBytes<Result>(range: ByteRange, use: UseBytes<Result>, signal?: AbortSignal): Promise<Result>;
  storeHeader(parts: readonly FilePart[]): void;
  /** Requests one byte; throws `source-changed` or `source-gone` if the file has changed since it was opened. */
  confirm(signal?: AbortSignal): Promise<void>;
}

/** Dependencies for reading a remote file. */
export interface HttpSourceDeps {
  readonly fetch: GuardedFetch;
  readonly upstream: Upstream;
  /** Signs the headers of one try; called for every try, because signatures expire. */
  readonly sign?: (
    url: string,
    headers: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
  /** Adds a token to the address of one try, for stores that need one. */
  readonly addresses?: SignedAddresses | undefined;
  /** Headers on disk; without them every opening sends a request. */
  readonly headers?: HeaderStore | undefined;
  /** The account that reads the file: caches do not share its bytes with another account. */
  readonly identity?: string;
  /** Wall clock, for `Retry-After` dates. */
  readonly wallClockMs?: () => number;
}

/** Bytes of the first read, enough for the whole header of nearly every COG. */
const FIRST_BYTES = 64 * 1024;
/** Upper bound of the bytes that an open file keeps: its first bytes, and tables from elsewhere. */
const MAX_KNOWN_BYTES = 256 * 1024;
/** Max bytes of one read: the largest block a TIFF may have (docs/operate/hardening.md). */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** The thread's buffers for bodies that are read and dropped at once. */
const bodies = makeBufferPool(16 * 1024 * 1024);

/** Options for opening a file. */
export interface HttpOpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** The state that the caller expects, alone or joined with a sidecar's. */
  readonly stamp?: string | undefined;
}

/**
 * Opens a file on an HTTP server that supports ranges. The first answer, whose bytes are kept, pins its size and state,
 * or its stored header does if that has the expected state. Every later answer must be exactly the requested range of
 * exactly that state, or the read throws.
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

/** The stored header of a file, if it has the state that the caller expects. */
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
      // The next opening must send a request.
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
      // Copied, because a caller may change its bytes.
      const found = known.find(offset, length);
      return found !== null ? found.slice() : ask({ range: { offset, length }, pin }, signal);
    },
    async withBytes(range, use, signal) {
      check(range, signal);
      const found = range.length === 0 ? new Uint8Array(0) : known.find(range.offset, range.length);
      if (found !== null) return use(found);
      // One buffer for each try, because a second one may be in flight. The garbage collector takes those of failed tries.
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
      // Long tables are read once; many open files must not keep them.
      known = all.byteLength <= MAX_KNOWN_BYTES ? all : makeKnownBytes(firstOf(all));
    },
    async confirm(signal) {
      if (pin.size > 0) await ask({ range: { offset: 0, length: 1 }, pin }, signal);
    },
    close: async () => storing,
  };
}

/** The first bytes, with which every reader begins. */
const firstOf = ({ parts }: KnownBytes): readonly FilePart[] => {
  const [first] = parts;
  return first?.offset === 0 ? [{ offset: 0, bytes: first.bytes.slice(0, FIRST_BYTES) }] : [];
};

const toState = ({ size, etag, lastModified }: Pin): string => JSON.stringify({ size, etag, lastModified });

/** Whether an error says that the file has changed or gone since it was opened. */
export const isLost = (error: unknown): boolean =>
  isSwathError(error) && (error.code === 'source-changed' || error.code === 'source-gone');

/** A range to request. */
interface RangeQuestion {
  readonly range: ByteRange;
  /** Absent for the first request, whose answer sets it. */
  readonly pin?: Pin;
  /** Allocates memory for the body. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
}

/** Requests one range, with retries after passing failures; the result is complete and checked. */
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
        // A token may expire early, so the first refusal renews it; the next one counts.
        isStale = !isRenewed && isRefusal(head.status) && addresses?.forget(url) === true;
        // The body of a failed answer is not read.
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

/** The origin has its own breaker, slots and budget; the guarded fetch refuses an invalid URL. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? '';

/** Logs show an id, and the query of a signed address is a secret: the id holds only its hash. */
function toId(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return path;
  return `${path}?${hash('sha256', query.join('?'), 'hex').slice(0, 16)}`;
}

const HOST = '127.0.0.1';
const SIZE = 1_000_000;
/** Enough reads for V8 to compile their code. */
const READS = 50;
const READ_BYTES = 10_000;

/**
 * Warms up remote reads with a short-lived server in this thread, so that the first remote file is as fast as any other:
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
