/** Who is calling: the key of a request, and the limits on wrong keys and on requests of a key. */

import { makeWindowCounter } from '../../async/index.ts';
import { badInput, notAllowed } from '../../errors.ts';
import type { KeyRecord, Keys } from '../../keys/index.ts';
import type { RequestHeaders } from '../kit/api-request.ts';
import { limits } from '../kit/limits.ts';
import type { Query } from '../kit/query.ts';
import { toRateHeaders } from './rates.ts';

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

/** Decides who is calling. */
export interface Auth {
  /** The caller's key; throws 401, 403 or 429. Headers to add to the answer come along. */
  identify(call: { query: Query; headers: RequestHeaders; address: string }): Promise<Caller>;
  /** Whether this text was a valid key lately: a guess for queues, never a permission. */
  isKnownKey(text: string): boolean;
}

/** A caller with a valid key. */
export interface Caller {
  readonly key: KeyRecord;
  /** RateLimit-* of a key that has a rate. */
  readonly headers: Readonly<Record<string, string>>;
}

interface AuthDeps {
  readonly keys: Keys;
  readonly nowMs: () => number;
}

const MINUTE_MS = 60_000;

/** Builds the check of keys, with its limits on wrong keys per address and on requests per key. */
export function makeAuth({ keys, nowMs }: AuthDeps): Auth {
  const wrongKeys = makeWindowCounter({ windowMs: MINUTE_MS, nowMs });
  const requests = makeWindowCounter({ windowMs: MINUTE_MS, nowMs });
  const known = makeWindowCounter({ windowMs: 10 * MINUTE_MS, nowMs, maxNames: 1_000 });

  return {
    isKnownKey: (text) => known.count(text) > 0,

    async identify({ query, headers, address }) {
      const secret = readSecret(query, headers);
      const key = await keys.verify(secret);
      if (key === null) throw refuseWrongKey(address);
      known.add(secret);
      return { key, headers: key.ratePerMinute === null ? {} : countRequest(key, key.ratePerMinute) };
    },
  };

  /**
   * A valid key is never refused for its neighbours' wrong ones: guessing 256 bits is hopeless, and a map with a
   * mistyped key asks for thirty tiles at once. The limit only tells a broken client to stop.
   */
  function refuseWrongKey(address: string): Error {
    const { count, resetS } = wrongKeys.add(address);
    if (count <= limits.wrongKeysPerMinute) return notAllowed('bad-key', 'This api_key is not valid.');
    return notAllowed(
      'too-many-wrong-keys',
      `The limit of ${limits.wrongKeysPerMinute} wrong keys per minute from this address is reached.`,
      { details: toRateDetails(limits.wrongKeysPerMinute, resetS) },
    );
  }

  function countRequest(key: KeyRecord, ratePerMinute: number): Readonly<Record<string, string>> {
    const { count, resetS } = requests.add(key.id);
    if (count > ratePerMinute) {
      throw notAllowed(
        'rate-limited',
        `This key's limit of ${ratePerMinute} requests per minute is reached.`,
        {
          details: toRateDetails(ratePerMinute, resetS),
        },
      );
    }
    return toRateHeaders({ limit: ratePerMinute, remaining: ratePerMinute - count, resetS });
  }
}

const toRateDetails = (limit: number, resetS: number) => ({ retryAfterS: resetS, rateLimit: limit });

function readSecret(query: Query, headers: RequestHeaders): string {
  const secret = readCallerKey(query, headers.get('x-api-key'));
  if (secret === '') {
    throw notAllowed(
      'no-key',
      'A key is needed: add ?api_key=… to the address, or send the header x-api-key.',
    );
  }
  return secret;
}
