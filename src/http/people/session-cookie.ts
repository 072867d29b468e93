/** The cookies of sessions and sign-ins, and the check of requests that are sent with a session. */
import { notAllowed } from '../errors.ts';
import type { RequestHeaders } from '../kit/answers.ts';

type CookieName = 'session' | 'sign-in';

/**
 * The name of a cookie. Browsers accept `__Host-` only over TLS and from this host itself, so that another host of the
 * domain cannot give a person the session of somebody else.
 */
const toName = (name: CookieName, isSecure: boolean): string => `${isSecure ? '__Host-' : ''}swath-${name}`;

const isSecureUrl = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/** The value of a cookie of ours; null if there is none, or an empty one. */
export const readCookie = (headers: RequestHeaders, name: CookieName, publicUrl: string): string | null =>
  findCookie(headers.get('cookie'), toName(name, isSecureUrl(publicUrl)));

/** The session in a `cookie` header, by which queues tell callers apart. It is not verified, so it permits nothing. */
export const guessSession = (header: string): string | null =>
  findCookie(header, toName('session', true)) ?? findCookie(header, toName('session', false));

function findCookie(header: string | null, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null;
  }
  return null;
}

interface CookieOptions {
  readonly publicUrl: string;
  /** 0 removes the cookie. */
  readonly maxAgeS: number;
}

/** A cookie that scripts cannot read, and that pages of other sites do not send along except by a link. */
export function toCookie(name: CookieName, value: string, { publicUrl, maxAgeS }: CookieOptions): string {
  const isSecure = isSecureUrl(publicUrl);
  return `${toName(name, isSecure)}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/**
 * Refuses requests that a page of another origin has a browser send with the cookie (CSRF). Browsers name the origin of
 * every request that may change something; programs have keys.
 */
export function refuseOtherOrigins(headers: RequestHeaders, publicUrl: string): void {
  if (headers.get('origin') === new URL(publicUrl).origin) return;
  throw notAllowed('other-origin', 'Requests of a session that change something must come from the viewer.');
}
