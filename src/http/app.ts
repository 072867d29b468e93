import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { badInput, isSwathError, notAllowed, notFound, tooBusy, unsupported } from '../errors.ts';
import type { Auth } from './auth.ts';
import type { Route } from './endpoint.ts';
import { readJson } from './json-body.ts';
import { limits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { parseQuery } from './query.ts';
import { redactKeys, splitTarget } from './raw-target.ts';
import { addCorsHeaders, addSecureHeaders, toPreflightAnswer } from './secure-headers.ts';
import { statusOf, toErrorResponse } from './wire-error.ts';

/** Where the access log goes; pino fits. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What the application needs from outside. */
export interface AppDeps {
  readonly routes: readonly Route[];
  readonly auth: Auth;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Address users reach us at; null takes it from each request. */
  readonly publicUrl: string | null;
  readonly trustProxy: boolean;
  /** True while shutting down: what is under way finishes, nothing new begins. */
  readonly isDraining: () => boolean;
}

type Env = {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string; route: string; keyId: string };
};
type Call = Context<Env>;

/** Builds the application: limits, keys, log, errors around the route table. Testable without a socket. */
export function makeApp(deps: AppDeps): Hono<Env> {
  const app = new Hono<Env>({ strict: false });

  app.use(async (c, next) => {
    const startedAt = performance.now();
    c.set('requestId', readRequestId(c.req.header('x-request-id')));
    c.set('route', 'unknown');
    await next();
    finish(c, deps, startedAt);
  });
  app.onError((error, c) => {
    logFailure(deps.log, error, c);
    return toErrorResponse(error, c.get('requestId'));
  });
  app.notFound((c) =>
    toErrorResponse(
      notFound('unknown-route', 'There is nothing at this address; /docs lists what there is.'),
      c.get('requestId'),
    ),
  );

  app.use(async (c, next) => {
    const { path, query } = readTarget(c);
    if (path.length > limits.pathChars) {
      throw badInput('path-too-long', `The path is longer than ${limits.pathChars} characters.`);
    }
    if (query.length > limits.queryChars) {
      throw badInput('query-too-long', `The query is longer than ${limits.queryChars} characters.`);
    }
    if (c.req.method === 'OPTIONS') return toPreflightAnswer();
    return next();
  });

  for (const route of deps.routes) {
    app.on(route.method, route.path, (c) => {
      c.set('route', route.shownPath ?? route.path);
      return answer(c, route, deps);
    });
  }
  for (const [path, methods] of methodsByPath(deps.routes)) {
    app.all(path, () => {
      throw unsupported('method-not-allowed', `This address answers ${methods} only.`, {
        details: { allow: methods },
      });
    });
  }
  return app;
}

async function answer(c: Call, route: Route, deps: AppDeps): Promise<Response> {
  // Whoever watches the service must still see it go.
  if (deps.isDraining() && route.endpoint.tag !== 'Service') {
    throw tooBusy('shutting-down', 'Swath is shutting down; ask again in a moment.');
  }
  const { path, query: rawQuery } = readTarget(c);
  const query = parseQuery(rawQuery);
  const caller =
    route.access === 'open'
      ? null
      : await deps.auth.identify({
          query,
          headers: c.req.raw.headers,
          address: readAddress(c, deps.trustProxy),
        });
  c.set('keyId', caller?.key.id ?? '');
  if (route.access === 'write' && caller?.key.scope === 'read') {
    throw notAllowed('read-only-key', 'This key may only read.');
  }
  const response = await route.endpoint.handle({
    id: c.get('requestId'),
    rawPath: path,
    params: c.req.param() as Record<string, string>,
    query,
    headers: c.req.raw.headers,
    key: caller?.key ?? null,
    // Only links need it, and reading an address takes longer than the rest of this.
    get publicUrl() {
      return deps.publicUrl ?? new URL(c.req.url).origin;
    },
    signal: c.req.raw.signal,
    readJson: (maxBytes) => readJson(c.req.raw, maxBytes),
    onSent: (listener) => void c.env?.outgoing?.once('finish', listener),
  });
  for (const [name, value] of Object.entries(caller?.headers ?? {})) response.headers.set(name, value);
  return response;
}

/** The last step of every request, whatever happened in between. */
function finish(c: Call, deps: AppDeps, startedAt: number): void {
  c.res.headers.set('x-request-id', c.get('requestId'));
  addSecureHeaders(c.res.headers);
  addCorsHeaders(c.res.headers);
  if (deps.isDraining()) c.res.headers.set('connection', 'close');
  const ms = performance.now() - startedAt;
  const { status } = c.res;
  deps.metrics.observeRequest({ route: c.get('route'), method: c.req.method, status, seconds: ms / 1000 });
  // The query is left out whole: keys travel in it (hardening K3).
  deps.log.info(
    {
      request_id: c.get('requestId'),
      method: c.req.method,
      path: redactKeys(readTarget(c).path).slice(0, 300),
      status,
      ms: Math.round(ms * 10) / 10,
      address: readAddress(c, deps.trustProxy),
      ...(c.get('keyId') ? { key: c.get('keyId') } : {}),
    },
    'request',
  );
}

function logFailure(log: Log, error: unknown, c: Call): void {
  const fields = { request_id: c.get('requestId'), err: error };
  const status = isSwathError(error) ? statusOf(error) : 500;
  if (status === 500) log.error(fields, 'request failed');
  else if (status === 502 || status === 504) log.warn(fields, 'a source failed');
}

function readTarget(c: Call): { readonly path: string; readonly query: string } {
  return splitTarget(c.env?.incoming?.url ?? c.req.url);
}

function readAddress(c: Call, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || c.env?.incoming?.socket.remoteAddress || 'unknown';
}

/** A caller's own id is kept when it is harmless in a log line; it helps to follow a request through proxies. */
const readRequestId = (given: string | undefined): string =>
  given !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, string> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? new Set<string>();
    methods.set(path, known.add(method));
    if (method === 'GET') known.add('HEAD');
  }
  return new Map([...methods].map(([path, names]) => [path, [...names, 'OPTIONS'].join(', ')]));
}
