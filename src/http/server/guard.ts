/** Who may ask, how often, and for how much work: the key of a request, rates and the budget of a key. */

import type { MakeCounter } from '../../async/index.ts';
import type { KeyRecord, Keys } from '../../keys/index.ts';
import { makeLru } from '../../lru.ts';
import { badInput, notAllowed, notFound } from '../errors.ts';
import type { RequestHeaders } from '../kit/answers.ts';
import { GUEST_ID } from '../kit/endpoint.ts';
import { limits } from '../kit/limits.ts';
import type { Query } from '../kit/parameters.ts';
import type { ShownLayer, TileTokens } from '../ogc/tile-tokens.ts';
import { readCookie, refuseOtherOrigins } from '../people/session-cookie.ts';
import { toClientNetwork } from './connections.ts';

const MINUTE_MS = 60_000;

/**
 * The key that a request carries, empty for none. The front door and the check of keys both read it here: a key
 * that one of them saw and the other did not would count for no one. Existing clients send it in the query, in the
 * header `x-api-key`, or in both; an empty one counts as absent. The name of the parameter may be in any case.
 */
export function readCallerKey(query: Query, header: string | null | undefined): string {
  const inQuery = findKey(query);
  const inHeader = header ?? '';
  if (inQuery !== '' && inHeader !== '' && inQuery !== inHeader) {
    throw badInput('two-keys', 'The api_key parameter and the x-api-key header hold different keys.');
  }
  return inQuery || inHeader;
}

function findKey(query: Query): string {
  const exact = query.get('api_key') ?? '';
  for (const [name, value] of query) {
    if (value === '' || value === exact || !/^api_?key$/i.test(name)) continue;
    if (exact !== '') throw badInput('two-keys', `The parameters api_key and ${name} hold different keys.`);
    return value;
  }
  return exact;
}

/** The parts of a request that identify its caller. */
interface IdentifiedCall {
  readonly method: string;
  readonly query: Query;
  readonly headers: RequestHeaders;
  readonly address: string;
  /** The public address of the service. */
  readonly readPublicUrl: () => string;
}

/** Decides who is calling. */
export interface Auth {
  /** The caller's key; throws 401, 403 or 429. Headers to add to the answer come along. */
  identify(call: IdentifiedCall): Promise<Caller>;
  /** The key of a token in a path, for a tile of this layer; throws 404, 410 or 429. */
  identifyHolder(token: string, address: string, shown: ShownLayer): Promise<Caller>;
  /**
   * Counts a wrong key, or what stands in the place of one, and returns the refusal: 429 after too many from one address,
   * otherwise the given one.
   */
  refuseWrongKey(address: string, refusal?: Error): Error;
}

/** Keys and tokens that were valid recently, and the keys that they belong to: a guess for queues, never a permission. */
export interface KnownCallers {
  add(text: string, keyId: string): void;
  /** The id of a key; null for a text that was not valid recently. */
  ownerOf(text: string): string | null;
}

/** How long, and how many of them. */
const KNOWN_MS = 10 * MINUTE_MS;
const MAX_KNOWN = 1_000;

/** Builds the memory. */
export function makeKnownCallers(nowMs: () => number): KnownCallers {
  const known = makeLru<{ readonly keyId: string; readonly atMs: number }>({ max: MAX_KNOWN });
  return {
    add: (text, keyId) => known.set(text, { keyId, atMs: nowMs() }),
    ownerOf(text) {
      const found = known.get(text);
      return found !== undefined && nowMs() - found.atMs < KNOWN_MS ? found.keyId : null;
    },
  };
}

/** A caller with a valid key. */
export interface Caller {
  readonly key: KeyRecord;
  /** RateLimit-* of a key that has a rate. */
  readonly headers: RateHeaders;
}

/** Stands for everyone without a key: it may read, and owns nothing. No stored key has an id that is not hexadecimal. */
const GUEST: KeyRecord = {
  id: GUEST_ID,
  label: 'guest',
  role: 'read',
  ratePerMinute: null,
  createdAt: new Date(0).toISOString(),
  expiresAt: null,
  revokedAt: null,
  parent: null,
};

interface AuthDeps {
  readonly keys: Keys;
  readonly readTileTokens: () => Promise<TileTokens>;
  readonly knownCallers: KnownCallers;
  /** Makes counters with windows of a minute. */
  readonly makeCounter: MakeCounter;
  /** Requests without a key from one address in a minute; 0 admits none. */
  readonly guestsPerMinute: number;
  /** The key of a session's person; null for a session that has ended. */
  readonly findSession: (token: string) => Promise<KeyRecord | null>;
}

/** Builds the check of keys, with its limits on wrong keys per address and on requests per key. */
export function makeAuth({
  keys,
  readTileTokens,
  knownCallers,
  makeCounter,
  guestsPerMinute,
  findSession,
}: AuthDeps): Auth {
  const wrongKeys = makeCounter('wrong-keys');
  const requests = makeCounter('requests');
  const guests = makeCounter('guests');

  return {
    refuseWrongKey,

    async identifyHolder(token, address, shown) {
      const read = (await readTileTokens()).read(token, shown);
      if (read.state === 'wrong')
        throw refuseWrongKey(address, notFound('unknown-map', 'There is no such token of tiles.'));
      if (read.state === 'expired')
        throw notFound('link-expired', 'This token of tiles has expired; read /ogc/xyz again for a new one.');
      const key = await keys.findActive(read.keyId);
      if (key === null) throw notFound('link-revoked', 'The key of this token was revoked or has expired.');
      knownCallers.add(token, key.id);
      return { key, headers: key.ratePerMinute === null ? {} : countRequest(key, key.ratePerMinute) };
    },

    async identify({ method, query, headers, address, readPublicUrl }) {
      const secret = readCallerKey(query, headers.get('x-api-key'));
      const session =
        secret === '' && headers.get('cookie') !== null
          ? readCookie(headers, 'session', readPublicUrl())
          : null;
      if (session !== null) {
        const person = await findSession(session);
        // The caller is not treated as a guest: people must learn that they are no longer signed in.
        if (person === null) throw notAllowed('session-ended', 'Your session has ended; sign in again.');
        if (method !== 'GET' && method !== 'HEAD') refuseOtherOrigins(headers, readPublicUrl());
        knownCallers.add(session, person.id);
        return { key: person, headers: {} };
      }
      if (secret === '') return admitGuest(address);
      const key = await keys.verify(secret);
      if (key === null) throw refuseWrongKey(address);
      knownCallers.add(secret, key.id);
      return { key, headers: key.ratePerMinute === null ? {} : countRequest(key, key.ratePerMinute) };
    },
  };

  /**
   * A valid key is never refused for its neighbours' wrong ones: guessing 256 bits is hopeless, and a map with a
   * mistyped key requests thirty tiles at once. The limit only makes a broken client stop.
   */
  function refuseWrongKey(
    address: string,
    refusal: Error = notAllowed('bad-key', 'This api_key is not valid.'),
  ): Error {
    const { count, resetS } = wrongKeys.add(address, limits.wrongKeysPerMinute);
    if (count <= limits.wrongKeysPerMinute) return refusal;
    return notAllowed(
      'too-many-wrong-keys',
      `The limit of ${limits.wrongKeysPerMinute} wrong keys per minute from this address is reached.`,
      { details: { retryAfterS: resetS, rateLimit: limits.wrongKeysPerMinute } },
    );
  }

  /** Guests are one caller together for queues and budgets, and have a rate for each address. */
  function admitGuest(address: string): Caller {
    if (guestsPerMinute === 0) {
      throw notAllowed(
        'no-key',
        'A key is needed: add ?api_key=… to the address, or send the header x-api-key.',
      );
    }
    const { count, resetS } = guests.add(toClientNetwork(address), guestsPerMinute);
    if (count > guestsPerMinute) {
      throw notAllowed(
        'guest-rate-limited',
        `The limit of ${guestsPerMinute} requests per minute without a key from one address is reached.`,
        { details: { retryAfterS: resetS, rateLimit: guestsPerMinute } },
      );
    }
    const remaining = guestsPerMinute - count;
    return { key: GUEST, headers: toRateHeaders({ limit: guestsPerMinute, remaining, resetS }) };
  }

  function countRequest(key: KeyRecord, ratePerMinute: number): RateHeaders {
    const { count, resetS } = requests.add(key.id, ratePerMinute);
    if (count > ratePerMinute) {
      throw notAllowed(
        'rate-limited',
        `This key's limit of ${ratePerMinute} requests per minute is reached.`,
        { details: { retryAfterS: resetS, rateLimit: ratePerMinute } },
      );
    }
    return toRateHeaders({ limit: ratePerMinute, remaining: ratePerMinute - count, resetS });
  }
}

/** What a client may still ask. */
interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

/** The RateLimit-* headers of an answer; empty without a rate. */
export type RateHeaders = Readonly<Record<string, string>>;

/** The headers that tell a client how much it may still ask. */
export const toRateHeaders = (rate: Rate): RateHeaders => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetS),
});

/** The headers of the tighter of two rates: the one with fewer requests left. */
export function chooseTighter(headers: RateHeaders, rate: Rate): RateHeaders {
  const remaining = headers['ratelimit-remaining'];
  return remaining !== undefined && Number(remaining) <= rate.remaining ? headers : toRateHeaders(rate);
}

/** Counts what a key changes, in addition to the rate that the key may have of its own. */
export interface WriteRate {
  /**
   * Counts one more write of a key; throws 429 past the limit. Gives the RateLimit-* headers of the answer: those of the
   * key's own rate where fewer requests are left by it.
   */
  count(keyId: string, ownHeaders: RateHeaders): RateHeaders;
}

interface WriteRateOptions {
  /** Writes of one key in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Makes counters with windows of a minute. */
  readonly makeCounter: MakeCounter;
}

/** Builds the limit on routes that change something. */
export function makeWriteRate({ perMinute, makeCounter }: WriteRateOptions): WriteRate {
  if (perMinute === 0) return { count: (_, ownHeaders) => ownHeaders };
  const writes = makeCounter('writes');
  return {
    count(keyId, ownHeaders) {
      const { count, resetS } = writes.add(keyId, perMinute);
      if (count > perMinute) {
        throw notAllowed(
          'write-rate-limited',
          `The limit of ${perMinute} writes per minute for one key is reached.`,
          { details: { retryAfterS: resetS, rateLimit: perMinute } },
        );
      }
      return chooseTighter(ownHeaders, { limit: perMinute, remaining: perMinute - count, resetS });
    },
  };
}

/** Counts what callers without a key have drawn, by the address of the client. */
export interface OpenRate {
  /** Counts one more request; throws 429 past the limit. Gives the RateLimit-* headers of the answer. */
  count(address: string): RateHeaders;
}

interface OpenRateOptions {
  /** Requests of one client address, or of one IPv6 network of /64, in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Makes counters with windows of a minute. */
  readonly makeCounter: MakeCounter;
}

/** Builds the limit on open routes that draw: signed thumbnails. */
export function makeOpenRate({ perMinute, makeCounter }: OpenRateOptions): OpenRate {
  if (perMinute === 0) return { count: () => ({}) };
  const requests = makeCounter('open');
  return {
    count(address) {
      const { count, resetS } = requests.add(toClientNetwork(address), perMinute);
      if (count > perMinute) {
        throw notAllowed(
          'open-rate-limited',
          `The limit of ${perMinute} thumbnails per minute for one address is reached.`,
          { details: { retryAfterS: resetS, rateLimit: perMinute } },
        );
      }
      return toRateHeaders({ limit: perMinute, remaining: perMinute - count, resetS });
    },
  };
}

/** Counts the work that the requests of a key may cost, in addition to the rate that the key may have of its own. */
export interface WorkBudget {
  /**
   * Pays for a request; throws 429 if the key has used up its budget. Gives the RateLimit-* headers of the answer: how
   * many such requests are left, or those of a tighter rate.
   */
  pay(key: Pick<KeyRecord, 'id' | 'role'>, cost: number, ownHeaders: RateHeaders): RateHeaders;
}

interface WorkBudgetOptions {
  /** Milliseconds of work of one key in a minute; 0 for no limit. */
  readonly perMinute: number;
  /** Milliseconds of work of one read-only key in a minute; 0 for no limit. */
  readonly readOnlyPerMinute: number;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** What a key had left, and when. */
interface Account {
  readonly left: number;
  readonly atMs: number;
}

/** Max keys that are remembered; one that is forgotten has a whole budget again. */
const MAX_KEYS = 10_000;

/**
 * Builds the budget: a token bucket for each key, in memory. It holds the work of a minute, which may be used at once, and
 * fills evenly. Each node counts on its own, because the work is that of its main thread.
 */
export function makeWorkBudget({ perMinute, readOnlyPerMinute, nowMs }: WorkBudgetOptions): WorkBudget {
  const accounts = makeLru<Account>({ max: MAX_KEYS });
  return {
    pay({ id, role }, cost, ownHeaders) {
      const whole = role === 'read' ? readOnlyPerMinute : perMinute;
      if (whole === 0 || cost === 0) return ownHeaders;
      // A budget that is smaller than one request allows one at a time.
      const price = Math.min(cost, whole);
      const now = nowMs();
      const before = accounts.get(id) ?? { left: whole, atMs: now };
      const left = Math.min(whole, before.left + ((now - before.atMs) * whole) / MINUTE_MS);
      const limit = Math.floor(whole / price);
      if (left < price) {
        const retryAfterS = Math.ceil(((price - left) * 60) / whole);
        throw notAllowed(
          'work-limited',
          `This key's budget of ${whole} ms of work per minute is used up: ${limit} requests of this kind a minute, which cost ${price} each; ask again in ${retryAfterS} s.`,
          { details: { retryAfterS, rateLimit: limit } },
        );
      }
      accounts.set(id, { left: left - price, atMs: now });
      return chooseTighter(ownHeaders, {
        limit,
        remaining: Math.floor((left - price) / price),
        resetS: Math.max(1, Math.ceil(((whole - left + price) * 60) / whole)),
      });
    },
  };
}

/** Takes keys out of a text that is about to be logged. */
export type RedactKeys = (text: string) => string;

/**
 * Builds the redaction: anything that looks like a key of ours or is named like one, signatures of thumbnails, tokens of public recipes, and the secrets of the settings,
 * which look like anything. A secret holds only characters that the normal form of an address leaves unencoded.
 */
export function makeRedactKeys(secrets: readonly string[]): RedactKeys {
  return (text) => {
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    return known
      .replace(/(api[_-]?key(?:=|%3d|%253d))[^&/]*/gi, '$1…')
      .replace(/(\/render\/thumbnails\/)[^/]+/g, '$1…')
      .replace(/(\/api\/public\/)[^/]+/g, '$1…')
      .replace(/(\/stac\/files\/)[^/]+/g, '$1…')
      .replace(/(\/ogc\/xyz\/)[^/]+/g, '$1…')
      .replace(/apk(?:\.|%2e)[0-9a-f]+/gi, 'apk.…');
  };
}
