import { createHash } from 'node:crypto';
import { badInput, notAllowed } from '../errors.ts';
import type { KeyRecord, Keys } from '../keys/index.ts';
import { limits } from './limits.ts';
import type { Query } from './query.ts';
import { makeWindowCounter } from './window-counter.ts';

/** Decides who is calling. */
export interface Auth {
  /** The caller's key; throws 401, 403 or 429. Headers to add to the answer come along. */
  identify(call: { query: Query; headers: Headers; address: string }): Promise<Caller>;
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

/** Builds the check of keys, with its limits on wrong keys per address and on requests per key. */
export function makeAuth({ keys, nowMs }: AuthDeps): Auth {
  const wrongKeys = makeWindowCounter({ windowMs: limits.wrongKeyRefusalS * 1000, nowMs });
  const requests = makeWindowCounter({ windowMs: 60_000, nowMs });
  // Pairs of address and key that worked: they pass while others at the same address guess or misconfigure a key,
  // so that one wrong client does not lock out an office behind one address.
  const trusted = makeWindowCounter({ windowMs: 600_000, nowMs });

  return {
    async identify({ query, headers, address }) {
      const secret = readSecret(query, headers);
      const pair = `${address} ${createHash('sha256').update(secret).digest('base64')}`;
      if (wrongKeys.count(address) >= limits.wrongKeysPerMinute && trusted.count(pair) === 0) {
        throw notAllowed('too-many-wrong-keys', tooManyText, {
          details: { retryAfterS: limits.wrongKeyRefusalS },
        });
      }
      const key = await keys.verify(secret);
      if (key === null) {
        wrongKeys.add(address);
        throw notAllowed('bad-key', 'This api_key is not valid.');
      }
      trusted.add(pair);
      return { key, headers: key.ratePerMinute === null ? {} : countRequest(key, key.ratePerMinute) };
    },
  };

  function countRequest(key: KeyRecord, ratePerMinute: number): Record<string, string> {
    const { count, resetS } = requests.add(key.id);
    if (count > ratePerMinute) {
      throw notAllowed(
        'rate-limited',
        `This key's limit of ${ratePerMinute} requests per minute is reached.`,
        {
          details: { retryAfterS: resetS },
        },
      );
    }
    return {
      'ratelimit-limit': String(ratePerMinute),
      'ratelimit-remaining': String(ratePerMinute - count),
      'ratelimit-reset': String(resetS),
    };
  }
}

const tooManyText = `The limit of ${limits.wrongKeysPerMinute} wrong keys per minute from this address is reached.`;

/** Existing clients send the key in the query, in the header, or in both. */
function readSecret(query: Query, headers: Headers): string {
  const inQuery = query.get('api_key') ?? '';
  const inHeader = headers.get('x-api-key') ?? '';
  if (inQuery !== '' && inHeader !== '' && inQuery !== inHeader) {
    throw badInput('two-keys', 'The api_key parameter and the x-api-key header hold different keys.');
  }
  const secret = inQuery || inHeader;
  if (secret === '') {
    throw notAllowed(
      'no-key',
      'A key is needed: add ?api_key=… to the address, or send the header x-api-key.',
    );
  }
  return secret;
}
