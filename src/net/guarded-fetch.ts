import type { Agent, Dispatcher } from 'undici';
import type { Subject, SwathError } from '../errors.ts';
import { withSubject } from '../errors.ts';
import type { AddressPolicy } from './address-policy.ts';
import { parseAllowedUrl } from './address-policy.ts';
import { startDeadline } from './attempt.ts';
import { sourceBroken } from './errors.ts';
import type { ResponseHead } from './exchange.ts';
import { exchange, startBody, toNetworkError } from './exchange.ts';
import type { ResolveName } from './guarded-connect.ts';
import { makeGuardedConnect } from './guarded-connect.ts';
import type { ProxySettings, Route } from './proxy.ts';
import { planRoute, toProxyError, toProxyHeaders } from './proxy.ts';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that a redirect to another origin carries on; any other could hold a secret. */
const HARMLESS_HEADERS = new Set(['accept', 'if-match', 'if-unmodified-since', 'range']);

/** One address in a chain of redirects, with the headers to send there. */
interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface RedirectQuestion {
  readonly head: ResponseHead;
  readonly hop: Hop;
  readonly method: string;
  readonly policy: AddressPolicy;
}

/** A redirect that is not followed, as the cause of its error. Amazon states the region of a bucket in it. */
export class Redirection extends Error {
  readonly region: string | null;

  constructor(head: ResponseHead) {
    const region = head.header('x-amz-bucket-region');
    super(`status ${head.status}${region === null ? '' : `, the bucket is in the region ${region}`}`);
    this.name = 'Redirection';
    this.region = region;
  }
}

const movedError = (head: ResponseHead): SwathError =>
  sourceBroken.about('source-redirected', '{file} was moved to another address.', {
    cause: new Redirection(head),
  });

/** True for a status that redirects to another address. */
const isRedirect = ({ status }: ResponseHead): boolean => REDIRECT_STATUSES.has(status);

/** The target of a redirect, checked like a first address. */
function planRedirect({ head, hop, method, policy }: RedirectQuestion): Hop {
  const target = URL.parse(head.header('location') ?? '', hop.url.href);
  if (target === null || (method !== 'GET' && method !== 'HEAD')) throw movedError(head);
  const url = parseAllowedUrl(target.href, policy);
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw sourceBroken.about('source-redirected', '{file} was moved to an address without TLS.');
  }
  if (url.origin === hop.url.origin) return { url, headers: hop.headers };
  const headers = Object.entries(hop.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()));
  return { url, headers: Object.fromEntries(headers) };
}

/** Time limits for the parts of a call. */
export interface NetworkTimeouts {
  readonly connectMs: number;
  /** From the request to the head of its answer, with the connection if a new one is needed. */
  readonly headersMs: number;
  /** The longest gap between chunks of the body. */
  readonly idleMs: number;
  /** The whole call, redirects included. */
  readonly totalMs: number;
}

/** The default timeouts. */
export const DEFAULT_TIMEOUTS: NetworkTimeouts = {
  connectMs: 2_000,
  headersMs: 5_000,
  idleMs: 5_000,
  totalMs: 10_000,
};

/** A request, and how much of its answer to read. */
export interface GuardedRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /**
   * Max bytes of this answer's body; more is an error, and 0 discards the body unread. Called before the body is read;
   * throws to refuse the answer.
   */
  readonly limitBody: (head: ResponseHead) => number;
  /** Allocates memory for a body with an announced length; new memory by default. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface GuardedResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/** Calls an address through the guarded door. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResponse>;

/** Options of the guarded door. */
export interface GuardedFetchOptions {
  readonly policy: AddressPolicy;
  readonly timeouts?: Partial<NetworkTimeouts> | undefined;
  /** Redirects followed, each checked like a first address; 0 (the default) makes a redirect an error. At most 3. */
  readonly maxRedirects?: number | undefined;
  readonly resolveName?: ResolveName | undefined;
  /** How errors name the file and its server. */
  readonly subject?: Subject;
  /** The way out of the network, where it leads through a proxy. */
  readonly proxy?: ProxySettings | undefined;
  /** Who asks; some services want to know whom to write to. */
  readonly userAgent?: string | undefined;
}

const DEFAULT_USER_AGENT = 'swath';

const MAX_REDIRECTS = 3;
/** Sockets per origin; further requests wait for a free one. An origin's gate admits fewer. */
const CONNECTIONS_PER_ORIGIN = 64;

/** Connections stay open while a user looks at the map; undici notices a store that closes them sooner. */
const KEEP_ALIVE_MS = 60_000;

/** Builds the guarded door to the network, the only way out of Swath (docs/operate/hardening.md). */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, subject, proxy, userAgent = DEFAULT_USER_AGENT } = options;
  const hasHostList = policy.hosts !== undefined;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const maxRedirects = Math.min(options.maxRedirects ?? 0, MAX_REDIRECTS);
  let agent: Promise<Agent> | null = null;

  return async (request) => {
    const deadline = startDeadline(request.signal, timeouts.totalMs);
    try {
      let hop = { url: parseAllowedUrl(request.url, policy), headers: request.headers ?? {} };
      for (let hops = 0; ; hops += 1) {
        // Undici's own timeouts are only accurate to about a second.
        deadline.limitPart(timeouts.headersMs);
        agent ??= makeAgent({ ...options, userAgent }, timeouts);
        const route = planRoute(hop.url, { proxy, hasHostList });
        const { head, body } = await exchange(await agent, {
          question: toQuestion(request, hop, { route, userAgent }),
          signal: deadline.signal,
          onHead: (head) => {
            deadline.limitPart(timeouts.idleMs);
            if (route.kind === 'forward' && head.status === 407) throw toProxyError(route.proxy, head.status);
            const maxBytes = isRedirect(head) ? 0 : request.limitBody(head);
            return maxBytes === 0 ? null : startBody(head, { maxBytes, allocate: request.allocate });
          },
          onChunk: () => deadline.limitPart(timeouts.idleMs),
        });
        if (!isRedirect(head)) return { ...head, body };
        if (hops >= maxRedirects) throw movedError(head);
        hop = planRedirect({ head, hop, method: request.method ?? 'GET', policy });
      }
    } catch (error) {
      const failure = toNetworkError(error, 'before-answer');
      throw subject === undefined ? failure : withSubject(failure, subject);
    } finally {
      deadline.end();
    }
  };
}

/** Loads undici on the first call: most threads never make one, and loading it would add 0.1 s to each thread's start. */
async function makeAgent(
  { policy, resolveName, proxy, userAgent }: GuardedFetchOptions & { readonly userAgent: string },
  timeouts: NetworkTimeouts,
): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const connect = makeGuardedConnect({
    buildConnector,
    timeoutMs: timeouts.connectMs,
    privateNetworks: policy.privateNetworks ?? [],
    resolveName,
    proxy,
    hasHostList: policy.hosts !== undefined,
    userAgent,
  });
  return new Agent({
    connect,
    connections: CONNECTIONS_PER_ORIGIN,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.idleMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    allowH2: false,
  });
}

function toQuestion(
  { method = 'GET', body }: GuardedRequest,
  { url, headers }: Hop,
  { route, userAgent }: { readonly route: Route; readonly userAgent: string },
): Dispatcher.DispatchOptions {
  const isForwarded = route.kind === 'forward';
  return {
    origin: url.origin,
    path: isForwarded ? url.href : `${url.pathname}${url.search}`,
    method,
    headers: {
      // Compressed bytes would have other offsets than the file, and inflating is not the door's job.
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...headers,
      ...(isForwarded ? toProxyHeaders(route.proxy) : {}),
    },
    body: body ?? null,
  };
}
