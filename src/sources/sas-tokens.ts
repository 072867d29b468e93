import type { GuardedFetch } from '../net/index.ts';
import { isHost, toHostName, toShownAddress } from '../net/index.ts';
import { sourceBroken } from './errors.ts';

/** A service that gives out short-lived tokens for blob containers, such as the Planetary Computer's. */
export interface TokenService {
  /** Hosts of the files it has tokens for, exact or `*.suffix`: `*.blob.core.windows.net`. */
  readonly hosts: readonly string[];
  /** Asked as `{endpoint}/{account}/{container}`. */
  readonly endpoint: string;
}

/** Signs addresses of files that need a token. */
export interface SignedAddresses {
  /** The address with a token that is valid for another minute; unchanged if it needs no token. */
  sign(url: string, signal?: AbortSignal): Promise<string>;
  /** Drops the token of an address that was refused; false if it had no token. */
  forget(url: string): boolean;
}

interface SasDeps {
  readonly services: readonly TokenService[];
  /** A guarded fetch that reaches one service and nothing else. */
  readonly fetchFor: (service: TokenService) => GuardedFetch;
  readonly wallClockMs?: () => number;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

interface Token {
  readonly query: string;
  /** By the wall clock of the service. */
  readonly expiryMs: number;
}

/** The token of a container and its end by our monotonic clock; while it is requested, it has no end yet. */
interface CachedToken {
  untilMs: number;
  readonly asking: Promise<GivenToken>;
}

interface GivenToken {
  readonly query: string;
  readonly untilMs: number;
}

/** A token is renewed so long before its end: a read that begins with it must be able to finish. */
const MARGIN_MS = 60_000;
/** A token that seems to end sooner is used for so long all the same: our wall clock is wrong, not the token. */
const MIN_USE_MS = 60_000;
/** Real answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Max containers whose tokens are cached; more than any catalog refers to. */
const MAX_TOKENS = 1_000;

/** Caches the tokens of containers: each is requested once for all callers, and again before it ends. */
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
      throw sourceBroken.about('token-refused', '{server} gives us no token to read it with.', {
        cause: new Error(`status ${status} of ${toShownAddress(url)}`),
      });
    }
    const lifeMs = Math.max(token.expiryMs - wallClockMs(), MARGIN_MS + MIN_USE_MS);
    return { query: token.query, untilMs: nowMs() + lifeMs };
  };

  /** Waits for a token; after a failure the next caller requests it again. */
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

/** Reads `{"token": "…", "msft:expiry": "…"}`; null when it is anything else. */
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
