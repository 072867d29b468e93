import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { OpenSpan, Tracer } from './tracer.ts';
import { toFailure } from './tracer.ts';

/** A request of undici; its own object identifies it in all events. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly method: string;
}

interface UndiciEvent {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly chunk?: Uint8Array;
  readonly error?: unknown;
}

/**
 * Makes a span of each request that this thread sends for traced work: to catalogs, buckets, hosts of files and weather
 * servers. Undici announces them, so the guarded door need not know of traces, and without a subscriber they cost nothing. A span
 * names the host, never the path, which may hold a signature. Returns the function that ends this.
 */
export function traceRequests(tracer: Tracer): () => void {
  const open = new WeakMap<UndiciRequest, { readonly span: OpenSpan; bytes: number }>();

  const listeners: Readonly<Record<string, (event: UndiciEvent) => void>> = {
    'undici:request:create'({ request }) {
      if (tracer.current() === null) return;
      const { hostname, port } = new URL(String(request.origin));
      const span = tracer.begin(`${request.method} ${hostname}`, {
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'server.address': hostname,
          ...(port === '' ? {} : { 'server.port': Number(port) }),
        },
      });
      if (span !== null) open.set(request, { span, bytes: 0 });
    },
    'undici:request:headers'({ request, response }) {
      if (response !== undefined)
        open.get(request)?.span.set({ 'http.response.status_code': response.statusCode });
    },
    'undici:request:bodyChunkReceived'({ request, chunk }) {
      const one = open.get(request);
      if (one !== undefined) one.bytes += chunk?.length ?? 0;
    },
    'undici:request:trailers': ({ request }) => end(request),
    'undici:request:error': ({ request, error }) => end(request, toFailure(error)),
  };

  function end(request: UndiciRequest, failure?: string): void {
    const one = open.get(request);
    one?.span.set({ 'http.response.body.size': one.bytes });
    one?.span.end(failure);
    open.delete(request);
  }

  const entries = Object.entries(listeners).map(
    ([channel, listener]) => [channel, (event: unknown) => listener(event as UndiciEvent)] as const,
  );
  for (const [channel, listener] of entries) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener);
  };
}
