import { hash } from 'node:crypto';
import { throwIfCancelled } from '../async/index.ts';
import type { SharedFolder } from '../files/index.ts';
import type { CacheAges, StoragePlan } from './cache-rules.ts';
import { DEFAULT_AGES, mayStoreAnswersTo, planConfirmed, planStorage } from './cache-rules.ts';
import { sourceBroken } from './errors.ts';
import type { ResponseHead } from './exchange.ts';
import type { GuardedFetch, GuardedRequest, GuardedResponse } from './guarded-fetch.ts';
import type { ServiceCounts } from './polite-fetch.ts';

interface HttpCacheOptions {
  readonly folder: SharedFolder;
  readonly ages?: CacheAges;
  readonly wallClockMs?: () => number;
  readonly counts?: Pick<ServiceCounts, 'cacheHits' | 'revalidated'>;
}

/** Longer answers are pages of thousands of items, which nobody asks for twice. */
const MAX_STORED_BYTES = 8 * 2 ** 20;

/**
 * Stores answers of JSON in a folder that all processes share, for as long as their server allows and `ages` say. Nothing
 * is answered after its time: an old answer is used only when its server confirms it. Failures are never stored, nor what
 * was asked for with a key or a signature.
 */
export function withHttpCache(fetch: GuardedFetch, options: HttpCacheOptions): GuardedFetch {
  const { folder, ages = DEFAULT_AGES, wallClockMs = Date.now, counts } = options;

  const store = (name: string, head: ResponseHead, { body, plan }: Stored): void => {
    if (body.length > MAX_STORED_BYTES) return;
    const atMs = wallClockMs();
    const entry = { ...plan, atMs, headers: toStoredHeaders(head) };
    void folder.write(name, packEntry(entry, body));
  };

  return async (request) => {
    if (!mayStoreAnswersTo(request)) return fetch(request);
    const name = toEntryName(request);
    const stored = await find(folder, name);
    throwIfCancelled(request.signal);
    if (stored !== null && isFresh(stored.entry, wallClockMs())) {
      if (counts !== undefined) counts.cacheHits += 1;
      return toAnswer(stored, request);
    }
    const conditions = stored?.entry.conditions ?? null;
    const answer = await fetch({
      ...request,
      headers: { ...request.headers, ...conditions },
      limitBody: (head) => (conditions !== null && head.status === 304 ? 0 : request.limitBody(head)),
    });
    const context = { ages, nowMs: wallClockMs() };
    if (stored !== null && conditions !== null && answer.status === 304) {
      if (counts !== undefined) counts.revalidated += 1;
      const plan = planConfirmed(answer, stored.head, context);
      if (plan === null) await folder.remove(name);
      else store(name, stored.head, { body: stored.body, plan });
      return toAnswer(stored, request);
    }
    const plan = planStorage(answer, request, context);
    // A caller that limited the body to nothing has not read it.
    if (plan !== null && answer.body.length > 0) store(name, answer, { body: answer.body, plan });
    else if (stored !== null && answer.status < 500 && answer.status !== 429) await folder.remove(name);
    return answer;
  };
}

interface Stored {
  readonly body: Uint8Array;
  readonly plan: StoragePlan;
}

/** What is known of a stored answer besides its body. */
interface Entry extends StoragePlan {
  /** When it came or was confirmed, by the wall clock. */
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface StoredAnswer {
  readonly entry: Entry;
  readonly head: ResponseHead;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** An answer from the future was stored before the clock was set back: its age is not known. */
const isFresh = ({ atMs, freshMs }: Entry, nowMs: number): boolean => nowMs >= atMs && nowMs < atMs + freshMs;

/** The caller's limit counts for stored bodies too; it is chosen anew for each request. */
function toAnswer({ head, body }: StoredAnswer, { limitBody }: GuardedRequest): GuardedResponse {
  const limit = limitBody(head);
  if (limit === 0) return { ...head, body: new Uint8Array(0) };
  if (body.length > limit) {
    throw sourceBroken.about('source-too-long', '{server} sent more bytes than were asked for.');
  }
  return { ...head, body };
}

/** Headers that callers or later decisions read. */
const STORED_HEADERS = [
  'content-type',
  'etag',
  'last-modified',
  'cache-control',
  'expires',
  'date',
  'link',
  'vary',
];

const toStoredHeaders = (head: ResponseHead): Readonly<Record<string, string>> =>
  Object.fromEntries(
    STORED_HEADERS.flatMap((name) => {
      const value = head.header(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Method, address, the wanted format and the question; none of them can be read from the name. */
function toEntryName({ url, method = 'GET', headers = {}, body = '' }: GuardedRequest): string {
  const accept = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  const question = typeof body === 'string' ? body : Buffer.from(body).toString('base64');
  const digest = hash('sha256', [method, url, accept, question].join('\n'), 'hex').slice(0, 32);
  return `${digest.slice(0, 2)}/${digest}+0`;
}

async function find(folder: SharedFolder, name: string): Promise<StoredAnswer | null> {
  const bytes = await folder.read(name);
  const stored = bytes === null ? null : unpackEntry(bytes);
  folder.counters.add(stored === null ? 'misses' : 'hits', 1);
  if (stored === null) return null;
  const { headers } = stored.entry;
  const header = (wanted: string): string | null =>
    Object.hasOwn(headers, wanted) ? (headers[wanted] ?? null) : null;
  return { ...stored, head: { status: 200, header } };
}

/** The length of what is known, what is known as JSON, and the body. */
const LENGTH_BYTES = 4;

function packEntry(entry: Entry, body: Uint8Array): Uint8Array {
  const words = Buffer.from(JSON.stringify(entry));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(words.length);
  return Buffer.concat([length, words, body]);
}

/** The folder has checked that the bytes are those that were written; another version may have written others. */
function unpackEntry(bytes: Uint8Array<ArrayBuffer>): Pick<StoredAnswer, 'entry' | 'body'> | null {
  try {
    const bodyAt = LENGTH_BYTES + Buffer.from(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).readUInt32LE();
    const entry = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, bodyAt))) as Entry;
    const isEntry =
      Number.isFinite(entry.atMs) && Number.isFinite(entry.freshMs) && typeof entry.headers === 'object';
    return isEntry ? { entry, body: bytes.subarray(bodyAt) } : null;
  } catch {
    return null;
  }
}
