import { Hono } from 'hono';
import { badInput, isSwathError, notAllowed, notFound, tooBusy, unsupported } from '../../errors.ts';
import type { BodyBudget } from '../kit/bodies.ts';
import { makeBodyBudget, makeTurns, readBody, refuseAnnounced } from '../kit/bodies.ts';
import type { Endpoint, Route } from '../kit/endpoint.ts';
import { shownPathOf } from '../kit/endpoint.ts';
import { parseJsonBody, toJsonText } from '../kit/json-body.ts';
import { limits } from '../kit/limits.ts';
import type { KnownNames } from '../kit/query.ts';
import {
  IGNORED_HEADER,
  makeIgnoredNames,
  makeKnownNames,
  parseQuery,
  refuseLists,
  toKnownNames,
} from '../kit/query.ts';
import { findUnknownKeys } from '../kit/unknown-keys.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { Auth, Caller } from './auth.ts';
import type { Call, Env } from './call.ts';
import {
  readAddress,
  readOrigin,
  readRequestId,
  readSlot,
  readStream,
  readTarget,
  refuseBadHost,
} from './call.ts';
import { toErrorResponse } from './error-answer.ts';
import type { OpenRate } from './open-rate.ts';
import type { RedactKeys } from './redact-keys.ts';
import type { Log } from './request-log.ts';
import { logBrokenAnswer, logFailure, logRequest } from './request-log.ts';
import type { RouteTable } from './route-table.ts';
import { addCorsHeaders, addSecureHeaders, toPreflightAnswer } from './secure-headers.ts';
import type { StatisticsRate } from './statistics-rate.ts';
import type { WorkBudget } from './work-budget.ts';
import type { WriteRate } from './write-rate.ts';

/** What the application needs from outside. */
export interface AppDeps {
  readonly routes: RouteTable;
  readonly auth: Auth;
  readonly writeRate: WriteRate;
  readonly workBudget: WorkBudget;
  readonly statisticsRate: StatisticsRate;
  readonly openRate: OpenRate;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Address users reach us at; null takes it from each request. */
  readonly publicUrl: string | null;
  readonly trustProxy: boolean;
  /** Takes keys out of what is logged. */
  readonly redact: RedactKeys;
  /** Longest time that one render may compute. */
  readonly renderTimeoutMs: number;
  /** True while shutting down: what is under way finishes, nothing new begins. */
  readonly isDraining: () => boolean;
}

/** Builds the application: limits, keys, log, errors around the route table. Testable without a socket. */
export function makeApp(deps: AppDeps): Hono<Env> {
  const app = new Hono<Env>({ strict: false });

  app.use(async (c, next) => {
    const startedAt = performance.now();
    c.set('requestId', readRequestId(c, deps.redact));
    c.set('route', 'unknown');
    await next();
    if (c.req.method === 'HEAD') await addLength(c.res);
    finish(c, deps, startedAt);
  });
  app.onError((error, c) => {
    logFailure(deps.log, c, error);
    return toErrorResponse(withNearAddress(error, c, deps.routes), c.get('requestId'));
  });
  app.notFound((c) => {
    const unknown = notFound('unknown-route', 'There is nothing at this address; /docs lists what there is.');
    return toErrorResponse(withNearAddress(unknown, c, deps.routes), c.get('requestId'));
  });

  app.use(async (c, next) => {
    refuseBadHost(c);
    const { path, query } = readTarget(c);
    if (path.length > limits.pathChars) {
      throw badInput('path-too-long', `The path is longer than ${limits.pathChars} characters.`);
    }
    if (query.length > limits.queryChars) {
      throw badInput('query-too-long', `The query is longer than ${limits.queryChars} characters.`);
    }
    if (c.req.method === 'OPTIONS') return toPreflightAnswer(deps.routes.allow);
    return next();
  });

  const bodies = makeBodyBudget({
    maxBytes: limits.bodiesBytes,
    maxBytesPerOwner: limits.bodiesBytesPerCaller,
  });
  const parts = { ...deps, bodies, nextTurn: makeTurns() };
  app.all('*', (c) => {
    const match = deps.routes.find(c.req.method, readTarget(c).path);
    if (match === null) return c.notFound();
    if (match.route === null) throw refuseMethod(match.allow);
    c.set('route', shownPathOf(match.route));
    return answer(c, match, parts);
  });
  return app;
}

/** Errors of addresses that are perhaps those of something else, misspelt: below /api/render all others are pictures. */
const MISSPELT: ReadonlySet<string> = new Set(['unknown-route', 'unknown-sensor', 'unknown-scene']);

/** The error, with the address that may be meant. */
function withNearAddress(error: unknown, c: Call, routes: RouteTable): unknown {
  if (!isSwathError(error) || error.tag !== 'not-found' || !MISSPELT.has(error.code)) return error;
  const suggestion = routes.suggest(c.req.method, readTarget(c).path);
  if (suggestion === null) return error;
  return notFound(error.code, `${error.message} Did you mean ${suggestion}?`, { details: { suggestion } });
}

const refuseMethod = (allow: string): Error =>
  unsupported('method-not-allowed', `This address answers ${allow} only.`, { details: { allow } });

/** What keeps bodies from taking memory or time from others. */
interface Bodies {
  readonly bodies: BodyBudget;
  readonly nextTurn: () => Promise<void>;
}

/** A route, and what its path holds. */
interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

async function answer(c: Call, { route, params }: Matched, deps: AppDeps & Bodies): Promise<Response> {
  const { bodies, nextTurn } = deps;
  if (deps.isDraining() && !route.answersWhileDraining) {
    throw tooBusy('shutting-down', 'Swath is shutting down; ask again in a moment.');
  }
  const { path, query: rawQuery } = readTarget(c);
  const known = knownNamesOf(route.endpoint);
  const written = parseQuery(rawQuery);
  refuseLists(written, (name) => known.find(name) !== undefined);
  const ignored = makeIgnoredNames();
  const query = toKnownNames(written, known, (name) => ignored.add(name, known.all));
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
  const rateHeaders = caller === null ? countOpen(route, c, deps) : await countRequest(route, caller, deps);
  const readOwnBody = async (maxBytes: number): Promise<Uint8Array> => {
    refuseAnnounced(c.req.raw.headers.get('content-length'), maxBytes);
    const limit = { maxBytes, owner: callerOf(caller), budget: bodies };
    const bytes = await readBody(readStream(c), limit);
    // Text of a megabyte takes some milliseconds to parse: as many at once would hold up everything else.
    if (bytes.length > limits.smallBodyBytes) await nextTurn();
    return bytes;
  };
  const parseOwnJson = (bytes: Uint8Array): unknown => {
    const body = parseJsonBody(bytes);
    const { body: documented } = route.endpoint;
    if (documented !== undefined) findUnknownKeys(body, documented.schema, ignored.add);
    return body;
  };
  const response = await route.endpoint.handle({
    id: c.get('requestId'),
    method: c.req.method,
    rawPath: path,
    params,
    query,
    headers: c.req.raw.headers,
    key: caller?.key ?? null,
    // Only links need it, and reading an address takes longer than the rest of this.
    get publicUrl() {
      return deps.publicUrl ?? readOrigin(c);
    },
    ticket: {
      owner: callerOf(caller),
      lane: route.lane,
      timeoutMs: deps.renderTimeoutMs,
      signal: c.req.raw.signal,
      onFetch: () => readSlot(c)?.lend() ?? (() => {}),
    },
    readJson: async (maxBytes = limits.bodyBytes) => parseOwnJson(await readOwnBody(maxBytes)),
    readOptionalJson: async () => {
      const bytes = await readOwnBody(limits.bodyBytes);
      return bytes.length === 0 ? undefined : parseOwnJson(bytes);
    },
    tellIgnored: ignored.add,
    readJsonText: async () => toJsonText(await readOwnBody(limits.bodyBytes)),
    onSent: (listener) => void c.env?.outgoing?.once('finish', listener),
    breakOff(error) {
      logBrokenAnswer(deps.log, c, error);
      return c.env?.outgoing?.destroy() !== undefined;
    },
  });
  for (const [name, value] of Object.entries(rateHeaders)) response.headers.set(name, value);
  // Pages have parameters of their own, which the viewer reads.
  const told = path.startsWith('/api/') ? ignored.toHeader() : null;
  if (told !== null) response.headers.set(IGNORED_HEADER, told);
  return response;
}

const knownNames = new WeakMap<Endpoint, KnownNames>();

/** The names of an operation's parameters; those of the key are of every operation. */
function knownNamesOf(endpoint: Endpoint): KnownNames {
  const before = knownNames.get(endpoint);
  if (before !== undefined) return before;
  const made = makeKnownNames(['api_key', ...Object.keys(endpoint.query ?? {})]);
  knownNames.set(endpoint, made);
  return made;
}

/** Counts a request of a key against the limits of its route, before its body is read; the headers of the answer. */
async function countRequest(
  { access, countedAs, cost = 0 }: Route,
  { key, headers }: Caller,
  { writeRate, workBudget, statisticsRate }: AppDeps,
): Promise<Caller['headers']> {
  const paidHeaders = workBudget.pay(key, cost, headers);
  const rateHeaders = access === 'write' ? writeRate.count(key.id, paidHeaders) : paidHeaders;
  if (countedAs === undefined) return rateHeaders;
  return statisticsRate.count({ keyId: key.id, name: countedAs }, rateHeaders);
}

/** Counts a request without a key against the limit of its client address, if it is for something to draw. */
function countOpen({ door }: Route, c: Call, { openRate, trustProxy }: AppDeps): Caller['headers'] {
  return door === 'render' ? openRate.count(readAddress(c, trustProxy)) : {};
}

/** Whose work it is; open routes have one owner together. */
const callerOf = (caller: Caller | null): string => caller?.key.id ?? 'open';

/**
 * HEAD is answered as GET, whose body is made and left out: it costs the same, and has the same headers. Routes whose
 * bodies are long say their length, and make none.
 */
async function addLength(response: Response): Promise<void> {
  if (response.body === null) return;
  response.headers.set('content-length', String((await response.arrayBuffer()).byteLength));
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
  logRequest(deps.log, c, { ms, trustProxy: deps.trustProxy, redact: deps.redact });
}
