/** How an answer is sent: the headers that every answer carries, and its bytes. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Answer } from '../kit/answers.ts';

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

/** Writes an answer; resolves when all of it is handed to Node, or its client has left. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const head: Record<string, string | number> = Object.fromEntries(headers);
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (body !== null) head['content-length'] ??= Buffer.byteLength(body);
    response.writeHead(status, head);
    response.end(body ?? undefined);
    return Promise.resolve();
  }
  response.writeHead(status, head);
  response.flushHeaders();
  return writeStream(response, body);
}

/** Reads a stream as fast as its client does. */
async function writeStream(response: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  response.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await drained(response);
    }
    response.end();
  } catch (error) {
    response.destroy(error as Error);
  } finally {
    response.off('close', leave);
  }
}

/** Resolves when the client has read, or left. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
    if (response.destroyed) go();
  });

/** How much of a body that no one wants is read, and for how long, so that its connection can be used again. */
const UNWANTED_BYTES = 64 * 2 ** 20;
const UNWANTED_MS = 500;

/** Reads the rest of a request to throw it away; a client that sends too much, or too slowly, is cut off. */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => {
    stop();
    (request.socket as Socket).destroySoon();
  };
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > UNWANTED_BYTES) cut();
  };
  const timer = setTimeout(cut, UNWANTED_MS).unref();
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('error', stop);
  };
  request.on('data', count).on('end', stop).on('error', stop).resume();
}
