import type { GuardedFetch } from '../net/index.ts';
import { isHost, toHostName, toShownAddress } from '../net/index.ts';
import { sourceBroken } from './errors.ts';

/** A service that issues short-lived tokens for blob containers, such as the Planetary Computer's. */
export interface TokenService {
  /** Hosts whose files need its tokens, exact or `*.suffix`: `*.blob.core.windows.net`. */
  readonly hosts: readonly string[];
  /** Requests go to `{endpoint}/{account}/{container}`. */
  readonly endpoint: string;
}

/** Signs addresses of files that need a token. */
export interface SignedAddresses {
  /** Adds a token that is valid for at least another minute; returns an address that needs no token unchanged. */
  sign(url: string, signal?: AbortSignal): Promise<string>;
  /** Drops the token of a refused address; false if it had no token. */
  forget(url: string): boolean;
}

interface SasDeps {
  readonly services: readonly TokenService[];
  /** A guarded fetch that can reach only this service. */
  readonly fetchFor: (service: TokenService) => GuardedFetch;
  readonly wallClockMs?: () => number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

interface Token {
  readonly query: string;
  /** The expiry by the wall clock of the service. */
  readonly expiryMs: number;
}

/** The token of a container and its expiry by our monotonic clock, which is unknown while the request is in flight. */
interface CachedToken {
  untilMs: number;
  readonly asking: Promise<GivenToken>;
}

interface GivenToken {
  readonly query: string;
  readonly untilMs: number;
}

/** How long before its expiry a token is renewed: a read that begins with it must be able to finish. */
const MARGIN_MS = 60_000;
/** The shortest use of a token, even if it seems to expire sooner: then our wall clock is wrong, not the token. */
const MIN_USE_MS = 60_000;
/** Real answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Max containers whose tokens are cached; more than any catalog refers to. */
const MAX_TOKENS = 1_000;

/** Caches the tokens of containers: each is requested once for all callers, and again before it expires. */
export function makeSignedAddresses({
  services,
  fetchFor,
  wallClockMs = Date.now,
  nowMs = () => performance.now(),
}: SasDeps): SignedAddresses {
  const doors = services.map((service) => ({ service, fetch: fetchFor(service) }));
  const tokens = new Map<string, CachedToken>();

  const find = (url: string) => {
    const parsed = URL.parse(url);
    if (parsed === null) return null;
    const host = toHostName(parsed.hostname);
    const door = doors.find(({ service }) => service.hosts.some((pattern) => isHost(host, pattern)));
    const [account = ''] = host.split('.');
    const [, container = ''] = parsed.pathname.split('/');
    // Azure's own rules for both names; anything else is not the address of a container.
    const isContainer = /^[a-z0-9]{3,24}$/.test(account) && /^[a-z0-9$-]{3,63}$/.test(container);
    return door === undefined || !isContainer ? null : { ...door, key: `${account}/${container}` };
  };

  const askFor = async (
    door: NonNullable<ReturnType<typeof find>>,
    signal?: AbortSignal,
  ): Promise<GivenToken> => {
    const url = `${door.service.endpoint.replace(/\/+$/, '')}/${door.key}`;
    const { status, body } = await door.fetch({
      url,
      limitBody: () => MAX_ANSWER_BYTES,
      signal,
    });
    const token = status === 200 ? parseToken(body) : null;
    if (token === null) {
      throw sourceBroken.about('token-refused', 'The token service of {server} refuses a token for a file.', {
        cause: new Error(`status ${status} of ${toShownAddress(url)}`),
      });
    }
    const lifeMs = Math.max(token.expiryMs - wallClockMs(), MARGIN_MS + MIN_USE_MS);
    return { query: token.query, untilMs: nowMs() + lifeMs };
  };

  /** Waits for a token; after a failure the next caller starts a new request. */
  const settle = async (key: string, cached: CachedToken): Promise<GivenToken> => {
    try {
      const token = await cached.asking;
      cached.untilMs = token.untilMs;
      return token;
    } catch (error) {
      if (tokens.get(key) === cached) tokens.delete(key);
      throw error;
    }
  };

  return {
    async sign(url, signal) {
      const door = find(url);
      if (door === null) return url;
      let cached = tokens.get(door.key);
      if (cached === undefined || cached.untilMs - MARGIN_MS < nowMs()) {
        cached = { untilMs: Number.POSITIVE_INFINITY, asking: askFor(door, signal) };
        if (tokens.size >= MAX_TOKENS) tokens.clear();
        tokens.set(door.key, cached);
      }
      const { query } = await settle(door.key, cached);
      return `${url}${url.includes('?') ? '&' : '?'}${query}`;
    },
    forget: (url) => {
      const door = find(url);
      return door !== null && tokens.delete(door.key);
    },
  };
}

/** Parses `{"token": "…", "msft:expiry": "…"}`; null for anything else. */
function parseToken(body: Uint8Array): Token | null {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  const { token, 'msft:expiry': expiry } = (answer ?? {}) as Record<string, unknown>;
  const isQuery = typeof token === 'string' && /^[A-Za-z0-9%&=._:~+/-]{10,2000}$/.test(token);
  const expiryMs = typeof expiry === 'string' ? Date.parse(expiry) : Number.NaN;
  return isQuery && Number.isFinite(expiryMs) ? { query: token, expiryMs } : null;
}
