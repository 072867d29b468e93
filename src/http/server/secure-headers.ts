import { Answer } from '../kit/answer.ts';

/**
 * The viewer's page may load only what we serve; no inline script, nothing from elsewhere.
 * MapLibre's own style sheet holds its icons as data: addresses.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Anything that is not a page runs nothing at all, even when it is opened in a tab. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Adds the headers every answer carries. */
export function addSecureHeaders(headers: Map<string, string>): void {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('content-security-policy', isPage ? PAGE_POLICY : DATA_POLICY);
  // Tiles are meant to be shown on other people's pages; they hold nothing of the reader's.
  headers.set('cross-origin-resource-policy', 'cross-origin');
}

/** CORS open to all origins: access is by key, never by cookie. */
export function addCorsHeaders(headers: Map<string, string>): void {
  headers.set('access-control-allow-origin', '*');
  headers.set(
    'access-control-expose-headers',
    'accept-ranges, content-disposition, content-length, content-range, etag, location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, server-timing, x-ignored-parameters, x-request-id, x-swath-note, x-swath-scene, x-weather-age, x-weather-day, x-weather-elevation, x-weather-method, x-weather-run, x-weather-source',
  );
}

/** The answer to a CORS preflight: the methods are those of all routes. */
export function toPreflightAnswer(methods: string): Answer {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers':
      'content-type, if-match, if-none-match, if-range, range, x-api-key, x-request-id',
    'access-control-max-age': '86400',
  };
  return new Answer(null, { status: 204, headers });
}
