/** What HTTP says about storing an answer (RFC 9111), for a cache that one service has for itself. Pure decisions. */
import type { ResponseHead } from './exchange.ts';
import type { GuardedRequest } from './guarded-fetch.ts';

/** How long answers are used, whatever their server says. */
export interface CacheAges {
  /** An answer to GET is used for at most this long. */
  readonly maxMs: number;
  /** The same where the server says nothing. */
  readonly unstatedMs: number;
  /** An answer to POST is used for at most this long: HTTP has no way to ask whether it has changed. */
  readonly postMs: number;
}

/** An hour for what a server lets us store; a minute for what it says nothing about, and for searches by POST. */
export const DEFAULT_AGES: CacheAges = { maxMs: 3_600_000, unstatedMs: 60_000, postMs: 60_000 };

/** How a stored answer may be used. */
export interface StoragePlan {
  /** How long it is used without a request; 0 if it must be confirmed each time. */
  readonly freshMs: number;
  /** Headers of a request that asks whether it has changed; null if its server does not tell. */
  readonly conditions: Readonly<Record<string, string>> | null;
}

/** Headers that say nothing about who asks. */
const PUBLIC_HEADERS = new Set(['accept', 'content-type']);
/** Parameters by which an address is itself a key: signatures of S3 and Azure, and keys of services. */
const SECRET_PARAMETER =
  /^(?:x-(?:amz|goog)-.*|sig|signature|token|access[_-]?token|key|api[_-]?key|subscription-key|auth.*)$/i;

/** Whether answers to a request may be stored: only if anybody would get the same. */
export function mayStoreAnswersTo({ url, method = 'GET', headers = {} }: GuardedRequest): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  if (!Object.keys(headers).every((name) => PUBLIC_HEADERS.has(name.toLowerCase()))) return false;
  const query = URL.parse(url)?.searchParams;
  return query !== undefined && ![...query.keys()].some((name) => SECRET_PARAMETER.test(name));
}

/** Plans the storage of an answer; null if it must not be stored, or if that is of no use. */
export function planStorage(
  head: ResponseHead,
  { method = 'GET' }: Pick<GuardedRequest, 'method'>,
  { ages, nowMs }: { readonly ages: CacheAges; readonly nowMs: number },
): StoragePlan | null {
  const control = parseCacheControl(head.header('cache-control'));
  const isJson = /^application\/(?:[a-z0-9.-]+\+)?json\b/i.test(head.header('content-type') ?? '');
  const isForbidden =
    control.has('no-store') || head.header('set-cookie') !== null || /\*/.test(head.header('vary') ?? '');
  if (head.status !== 200 || !isJson || isForbidden) return null;
  const statedMs = findStatedMs(head, control, nowMs);
  const plan: StoragePlan =
    method === 'POST'
      ? { freshMs: Math.min(ages.postMs, statedMs ?? ages.postMs), conditions: null }
      : { freshMs: Math.min(ages.maxMs, statedMs ?? ages.unstatedMs), conditions: toConditions(head) };
  return plan.freshMs > 0 || plan.conditions !== null ? plan : null;
}

/** Plans how the answer is used after its server has confirmed it; what a 304 leaves out stays as it was. */
export function planConfirmed(
  confirmation: ResponseHead,
  stored: ResponseHead,
  context: { readonly ages: CacheAges; readonly nowMs: number },
): StoragePlan | null {
  const isStated = ['cache-control', 'expires'].some((name) => confirmation.header(name) !== null);
  const header = (name: string): string | null => {
    const isOfMoment = name === 'date' || name === 'age';
    const isRule = name === 'cache-control' || name === 'expires';
    if (isOfMoment || (isRule && isStated)) return confirmation.header(name);
    return isRule ? stored.header(name) : (confirmation.header(name) ?? stored.header(name));
  };
  return planStorage({ status: 200, header }, {}, context);
}

/** How long the server says that an answer stays right; null if it says nothing. */
function findStatedMs(
  head: ResponseHead,
  control: ReadonlyMap<string, string>,
  nowMs: number,
): number | null {
  if (control.has('no-cache') || head.header('pragma') === 'no-cache') return 0;
  const ageMs = Number(parseSeconds(head.header('age')) ?? 0) * 1_000;
  const maxAge = control.get('max-age');
  if (maxAge !== undefined) return Math.max(0, (parseSeconds(maxAge) ?? 0) * 1_000 - ageMs);
  const expires = head.header('expires');
  if (expires === null) return null;
  // By the server's own clock, which may differ from ours. "0" and other nonsense mean the past.
  const sentMs = Date.parse(head.header('date') ?? '');
  const lifeMs = Date.parse(expires) - (Number.isNaN(sentMs) ? nowMs : sentMs);
  return Number.isNaN(lifeMs) ? 0 : Math.max(0, lifeMs - ageMs);
}

/** Whole seconds; longer than a century is as good as a century. */
const parseSeconds = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text.trim()) ? Math.min(Number(text), 3_155_760_000) : null;

function toConditions(head: ResponseHead): Readonly<Record<string, string>> | null {
  const etag = head.header('etag');
  const modified = head.header('last-modified');
  if (etag !== null) return { 'if-none-match': etag };
  return modified === null ? null : { 'if-modified-since': modified };
}

/** Directives of Cache-Control in lower case; a repeated one counts with its first value. */
export function parseCacheControl(text: string | null): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const [, name = '', quoted, plain] of (text ?? '').matchAll(
    /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]+)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? '');
  }
  return directives;
}
