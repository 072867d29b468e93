import { sourceBroken } from '../errors.ts';
import type { AddressPolicy } from './address-policy.ts';
import { parseAllowedUrl } from './address-policy.ts';
import type { ResponseHead } from './response.ts';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent again to another origin; everything else could carry a secret. */
const HARMLESS_HEADERS = new Set(['accept', 'if-match', 'if-unmodified-since', 'range']);

/** One address on the way, with the headers that go there. */
export interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface RedirectQuestion {
  readonly head: ResponseHead;
  readonly hop: Hop;
  readonly method: string;
  readonly policy: AddressPolicy;
}

/** True for an answer that sends us elsewhere. */
export const isRedirect = ({ status }: ResponseHead): boolean => REDIRECT_STATUSES.has(status);

/** Where a redirect sends us, checked like a first address. */
export function planRedirect({ head, hop, method, policy }: RedirectQuestion): Hop {
  const target = URL.parse(head.header('location') ?? '', hop.url.href);
  if (target === null || (method !== 'GET' && method !== 'HEAD')) {
    throw sourceBroken.about('source-redirected', '{file} was moved to another address.');
  }
  const url = parseAllowedUrl(target.href, policy);
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw sourceBroken.about('source-redirected', '{file} was moved to an unprotected address.');
  }
  if (url.origin === hop.url.origin) return { url, headers: hop.headers };
  const headers = Object.entries(hop.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()));
  return { url, headers: Object.fromEntries(headers) };
}
