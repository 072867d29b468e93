import { takeTurn } from '../../async/index.ts';
import type { Fields, GroupOutlines } from '../../fields/index.ts';
import type { Quotas, UsageCounter } from '../../keys/index.ts';
import { includesRole } from '../../keys/index.ts';
import { badInput, notAllowed, notFound, unsupported } from '../errors.ts';
import { takeFieldOfBody, takeFieldOfQuery } from '../fields/take-field.ts';
import type { Answer } from '../kit/answers.ts';
import { addCorsHeaders, addSecureHeaders, toPreflightAnswer, withoutBody } from '../kit/answers.ts';
import type { BodyBudget } from '../kit/bodies.ts';
import {
  makeBodyBudget,
  parseJsonBody,
  readBody,
  refuseAnnounced,
  saveBody,
  toJsonText,
  withAdvice,
} from '../kit/bodies.ts';
import type { Endpoint, Route } from '../kit/endpoint.ts';
import { GUEST_ID } from '../kit/endpoint.ts';
import { findUnknownKeys } from '../kit/fields.ts';
import { takePart } from '../kit/file-answer.ts';
import { limits } from '../kit/limits.ts';
import type { KnownNames, Query } from '../kit/parameters.ts';
import {
  IGNORED_HEADER,
  makeIgnoredNames,
  makeKnownNames,
  parseQuery,
  refuseLists,
  toKnownNames,
} from '../kit/parameters.ts';
import type { Metrics } from '../metrics.ts';
import { readShownLayer } from '../ogc/tile-tokens.ts';
import type { Log } from './error-answer.ts';
import { logBrokenAnswer, logFailure, toErrorAnswer, withNearAddress } from './error-answer.ts';
import type { Auth, Caller, OpenRate, RateHeaders, RedactKeys, WorkBudget, WriteRate } from './guard.ts';
import type { PublicAuth, PublicCaller } from './public-guard.ts';
import type { RouteTable } from './routing.ts';
import type { App, Call } from './server.ts';
import { readAddress, readOrigin, readRequestId, refuseBadHost } from './server.ts';
import type { StatisticsRate } from './statistics-rate.ts';

/** What the application needs from outside. */
export interface AppDeps {
  readonly routes: Pick<RouteTable, 'suggest' | 'allow'>;
  readonly auth: Auth;
  readonly publicAuth: PublicAuth;
  /** Fields that requests name in place of areas. */
  readonly fields: Pick<Fields, 'find' | 'findRef'>;
  /** Groups of fields that requests name in place of areas. */
  readonly groupOutlines: GroupOutlines;
  readonly writeRate: WriteRate;
  readonly workBudget: WorkBudget;
  readonly statisticsRate: StatisticsRate;
  readonly openRate: OpenRate;
  readonly quotas: Pick<Quotas, 'admit' | 'admitOwner'>;
  readonly usage: Pick<UsageCounter, 'count'>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Address users reach us at; null takes it from each request. */
  readonly publicUrl: string | null;
  readonly trustProxy: boolean;
  /** Takes keys out of what is logged. */
  readonly redact: RedactKeys;
  /** Longest time that one render may compute. */
  readonly renderTimeoutMs: number;
  /**
   * Aborts when the service shuts down. Requests that still arrive are answered, and their connections closed afterwards: a
   * load balancer that has not read /readyz yet does not repeat orders that were refused.
   */
  readonly stopping: AbortSignal;
}

/** What is learned about a call while it is answered, for the log. */
interface Entry {
  readonly id: string;
  keyId: string;
}

/** Builds the application: limits, keys, log and errors around the route of a call. Testable without a socket. */
export function makeApp(deps: AppDeps): App {
  const bodies = makeBodyBudget({
    maxBytes: limits.bodiesBytes,
    maxBytesPerOwner: limits.bodiesBytesPerCaller,
  });
  const parts = { ...deps, bodies };
  return async (call) => {
    const startedAt = performance.now();
    deps.metrics.beginRequest();
    const entry: Entry = { id: readRequestId(call, deps.redact), keyId: '' };
    const made = await answer(call, entry, parts)
      .then((whole) => (call.headers.get('range') === null ? whole : takePart(call, whole)))
      .catch((error: unknown) => {
        logFailure(deps.log, entry.id, error);
        const { path, query } = call.target;
        const { writeError } = call.match?.route?.endpoint ?? {};
        return toErrorAnswer(
          withNearAddress(error, () => deps.routes.suggest(call.method, path)),
          entry.id,
          {
            path,
            query,
            writeError,
          },
        );
      });
    const sent = call.method === 'HEAD' ? withoutBody(made) : made;
    finish(call, sent, { entry, ms: performance.now() - startedAt }, deps);
    return sent;
  };
}

async function answer(call: Call, entry: Entry, deps: AppDeps & Bodies): Promise<Answer> {
  refuseBadHost(call);
  const { path, query } = call.target;
  if (path.length > limits.pathChars) {
    throw badInput('path-too-long', `The path is longer than ${limits.pathChars} characters.`);
  }
  if (query.length > limits.queryChars) {
    throw badInput('query-too-long', `The query is longer than ${limits.queryChars} characters.`);
  }
  const { match } = call;
  if (call.method === 'OPTIONS') {
    const allow = match?.route === null ? match.allow : null;
    return toPreflightAnswer({ methods: deps.routes.allow, allow });
  }
  if (match === null) {
    throw notFound('unknown-route', 'There is nothing at this address; /docs lists what there is.');
  }
  if (match.route === null) throw refuseMethod(match.allow);
  return answerRoute(call, match, entry, deps);
}

const refuseMethod = (allow: string): Error =>
  unsupported('method-not-allowed', `This address answers ${allow} only.`, { details: { allow } });

/** What keeps bodies from taking memory or time from others. */
interface Bodies {
  readonly bodies: BodyBudget;
}

/** A route, and what its path holds. */
interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

async function answerRoute(
  call: Call,
  { route, params }: Matched,
  entry: Entry,
  deps: AppDeps & Bodies,
): Promise<Answer> {
  const { bodies } = deps;
  const { headers, target } = call;
  const known = knownNamesOf(route.endpoint);
  const written = parseQuery(target.query);
  refuseLists(written, (name) => known.find(name) !== undefined);
  const ignored = makeIgnoredNames();
  const query = toKnownNames(written, known, (name) => ignored.add(name, known.all));
  const { key, recipe, group, owner, rateHeaders } = await admit({ call, route, params, query, entry }, deps);
  const advice = route.endpoint.body?.ifTooLarge;
  const readOwnBody = async (maxBytes: number): Promise<Uint8Array> => {
    const read = async (): Promise<Uint8Array> => {
      refuseAnnounced(headers.get('content-length'), maxBytes);
      return readBody(call.body, { maxBytes, owner, budget: bodies });
    };
    const bytes = await read().catch((error: unknown) => {
      throw advice === undefined ? error : withAdvice(error, advice);
    });
    // Text of a megabyte takes some milliseconds to parse: as many at once would hold up everything else.
    if (bytes.length > limits.smallBodyBytes) await takeTurn();
    return bytes;
  };
  const parseOwnJson = (bytes: Uint8Array): unknown => {
    const body = parseJsonBody(bytes);
    const { body: documented } = route.endpoint;
    if (documented !== undefined) findUnknownKeys(body, documented.schema, ignored.add);
    return body;
  };
  const ticket = {
    owner,
    lane: route.lane,
    timeoutMs: deps.renderTimeoutMs,
    signal: call.signal,
    onFetch: () => call.slot?.lend() ?? (() => {}),
  };
  const naming = {
    endpoint: route.endpoint,
    owner,
    fields: deps.fields,
    groups: deps.groupOutlines,
    ticket,
  };
  const readOwnJson = async (bytes: Uint8Array): Promise<unknown> => {
    const body = parseOwnJson(bytes);
    const isTaken = key !== null && route.endpoint.tag !== 'Fields' && mayNameField(bytes);
    return isTaken ? takeFieldOfBody(body, naming) : body;
  };
  const mayName = key !== null && (query.has('field') || query.has('group'));
  const named = mayName ? await takeFieldOfQuery(query, naming) : query;
  const made = await route.endpoint.handle({
    id: entry.id,
    method: call.method,
    rawPath: target.path,
    params,
    // Without a key nothing counts that an address does not name, whatever reads the query later.
    query: route.access === 'public' || route.access === 'tiles' ? keepKnown(query, known) : named,
    headers,
    key,
    recipe,
    group,
    // Only links need it, and reading an address takes longer than the rest of this.
    get publicUrl() {
      return deps.publicUrl ?? readOrigin(call);
    },
    ticket,
    readJson: async (maxBytes = limits.bodyBytes) => readOwnJson(await readOwnBody(maxBytes)),
    readOptionalJson: async () => {
      const bytes = await readOwnBody(limits.bodyBytes);
      return bytes.length === 0 ? undefined : readOwnJson(bytes);
    },
    pay(ms) {
      if (key !== null) deps.workBudget.pay(key, ms, {});
    },
    tellIgnored: ignored.add,
    readJsonText: async () => toJsonText(await readOwnBody(limits.bodyBytes)),
    saveBody(path, maxBytes) {
      refuseAnnounced(headers.get('content-length'), maxBytes);
      return saveBody(call.body, path, maxBytes);
    },
    onSent: call.onSent,
    breakOff(error) {
      logBrokenAnswer(deps.log, entry.id, error);
      return call.cut();
    },
  });
  for (const [name, value] of Object.entries(rateHeaders)) made.headers.set(name, value);
  const told = isPage(target.path) ? null : ignored.toHeader();
  if (told !== null) made.headers.set(IGNORED_HEADER, told);
  return made;
}

/** Words without which a body names no field, unless it writes letters as escapes. */
const FIELD_WORDS = ['field', 'group', '\\'];

function mayNameField({ buffer, byteOffset, length }: Uint8Array): boolean {
  const text = Buffer.from(buffer, byteOffset, length);
  return FIELD_WORDS.some((word) => text.includes(word));
}

/** Pages have parameters of their own, which the viewer reads; all else is the interface. */
const isPage = (path: string): boolean => !/^\/(?:api|weather|stac|ogc)(?:\/|$)/.test(path);

/** A request that is about to be admitted. */
interface Arriving extends Matched {
  readonly call: Call;
  readonly query: Query;
  readonly entry: Entry;
}

/** Who calls, whose work it is, and the RateLimit-* headers of the answer. */
interface Admitted {
  readonly key: Caller['key'] | null;
  readonly recipe: PublicCaller['recipe'];
  readonly group: PublicCaller['group'];
  readonly owner: string;
  readonly rateHeaders: RateHeaders;
}

/** Identifies the caller and counts the request against its limits; throws 401, 403, 404, 410 or 429. */
async function admit({ call, route, params, query, entry }: Arriving, deps: AppDeps): Promise<Admitted> {
  const { headers } = call;
  const address = readAddress(call, deps.trustProxy);
  switch (route.access) {
    case 'open':
      // Open routes have one owner together.
      return {
        key: null,
        recipe: null,
        group: null,
        owner: 'open',
        rateHeaders: countOpen(route, address, deps),
      };
    case 'public': {
      const found = await deps.publicAuth.identify({ token: params.token ?? '', address });
      const { owner, recipe, group, headers: rateHeaders } = found;
      entry.keyId = owner;
      await deps.quotas.admitOwner(owner, 'requests');
      return { key: null, recipe, group, owner, rateHeaders };
    }
    case 'tiles': {
      const { key, headers: rateHeaders } = await deps.auth.identifyHolder(
        params.token ?? '',
        address,
        readShownLayer(params, query),
      );
      entry.keyId = key.id;
      await deps.quotas.admit(key, 'requests');
      return { key: null, recipe: null, group: null, owner: key.id, rateHeaders };
    }
    default: {
      const caller = await deps.auth.identify({
        method: call.method,
        query,
        headers,
        address,
        readPublicUrl: () => deps.publicUrl ?? readOrigin(call),
      });
      const { key } = caller;
      entry.keyId = key.id;
      if (!includesRole(key.role, route.access)) {
        throw notAllowed(
          'role-needed',
          `This needs the role "${route.access}"; the role of this key is "${key.role}".`,
          { details: { role: route.access } },
        );
      }
      // Guests are everyone, and have a rate for each address.
      if (key.id !== GUEST_ID) await deps.quotas.admit(key, 'requests');
      const rateHeaders = await countRequest(route, caller, deps);
      return { key, recipe: null, group: null, owner: key.id, rateHeaders };
    }
  }
}

/** The parameters that have a documented name. */
const keepKnown = (query: Query, { all }: KnownNames): Query =>
  new Map([...query].filter(([name]) => all.includes(name)));

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
  const rateHeaders = access === 'read' ? paidHeaders : writeRate.count(key.id, paidHeaders);
  if (countedAs === undefined) return rateHeaders;
  return statisticsRate.count({ keyId: key.id, name: countedAs }, rateHeaders);
}

/** Counts a request without a key against the limit of its client address, if it is for something to draw. */
function countOpen({ door }: Route, address: string, { openRate }: AppDeps): RateHeaders {
  return door === 'render' ? openRate.count(address) : {};
}

/** Types of answers that count as pictures. */
const PICTURE = /^(?:image\/|application\/vnd\.mapbox-vector-tile)/;

/** The bytes of a body; 0 for a stream that does not say its length. */
const sizeOf = (body: NonNullable<Answer['body']>): number =>
  typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;

/** The last step of every request, whatever happened in between. */
function finish(
  call: Call,
  { status, headers, body }: Answer,
  { entry, ms }: { readonly entry: Entry; readonly ms: number },
  { stopping, metrics, log, trustProxy, redact, usage }: AppDeps,
): void {
  headers.set('x-request-id', entry.id);
  addSecureHeaders(headers);
  addCorsHeaders(headers);
  if (stopping.aborted) headers.set('connection', 'close');
  const { method, target, match } = call;
  const route = match?.route?.shownPath ?? 'unknown';
  metrics.observeRequest({ route, method, status, seconds: ms / 1000 });
  if (entry.keyId !== '' && status !== 429) {
    const isPicture =
      status === 304 ? match?.route?.door === 'render' : PICTURE.test(headers.get('content-type') ?? '');
    const bytes = body === null ? 0 : Number(headers.get('content-length') ?? sizeOf(body));
    usage.count(entry.keyId, { requests: 1, tiles: isPicture ? 1 : 0, bytes });
  }
  log.info(
    {
      request_id: entry.id,
      method,
      // The query is never logged, because it may hold a key.
      path: redact(target.path).slice(0, 300),
      status,
      ms: Math.round(ms * 10) / 10,
      address: readAddress(call, trustProxy),
      ...(entry.keyId === '' ? {} : { key: entry.keyId }),
    },
    'request',
  );
}
