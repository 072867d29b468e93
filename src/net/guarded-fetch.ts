import type { Agent, Dispatcher } from 'undici';
import type { Subject } from '../errors.ts';
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
/** Headers that are sent again to another origin; everything else could carry a secret. */
const HARMLESS_HEADERS = new Set(['accept', 'if-match', 'if-unmodified-since', 'range']);

/** One address on the way, with the headers that go there. */
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

/** True for an answer that sends us elsewhere. */
const isRedirect = ({ status }: ResponseHead): boolean => REDIRECT_STATUSES.has(status);

/** Where a redirect sends us, checked like a first address. */
function planRedirect({ head, hop, method, policy }: RedirectQuestion): Hop {
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

/** How long each part of a call may take. */
export interface NetworkTimeouts {
  readonly connectMs: number;
  /** From the question to the head of its answer, with the connection where one has to be made. */
  readonly headersMs: number;
  /** The longest silence while the body arrives. */
  readonly idleMs: number;
  /** Everything together, redirects included. */
  readonly totalMs: number;
}

/** The default timeouts. */
export const DEFAULT_TIMEOUTS: NetworkTimeouts = {
  connectMs: 2_000,
  headersMs: 5_000,
  idleMs: 5_000,
  totalMs: 10_000,
};

/** What to ask, and how much of an answer is wanted. */
export interface GuardedRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /**
   * Max bytes of this answer's body; more is an error, and 0 discards the body unread. Called before
   * anything of the body is read; what it throws refuses the answer.
   */
  readonly limitBody: (head: ResponseHead) => number;
  /** Memory for a body whose length is announced; its own otherwise. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer. */
export interface GuardedResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/** Calls an address through the guarded door. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResponse>;

/** How the door is set up. */
export interface GuardedFetchOptions {
  readonly policy: AddressPolicy;
  readonly timeouts?: Partial<NetworkTimeouts> | undefined;
  /** Redirects followed, each checked like a first address; 0 (the default) makes a redirect an error. At most 3. */
  readonly maxRedirects?: number | undefined;
  readonly resolveName?: ResolveName | undefined;
  /** What is called, as errors name it. */
  readonly subject?: Subject;
  /** The way out of the network, where it leads through a proxy. */
  readonly proxy?: ProxySettings | undefined;
  /** Who asks; some services want to know whom to write to. */
  readonly userAgent?: string | undefined;
}

const DEFAULT_USER_AGENT = 'swath';

const MAX_REDIRECTS = 3;
/** Sockets of one origin; what is above waits for a free one. The gate of an origin admits fewer. */
const CONNECTIONS_PER_ORIGIN = 64;

/** Connections stay open for a person who looks at the map for a while; a store that closes sooner says so, or is noticed. */
const KEEP_ALIVE_MS = 60_000;

/** Builds the one guarded door to the network: every call of Swath goes through this (docs/operate/hardening.md). */
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
        // Undici has such limits too, but only to the nearest second or so.
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
        if (hops >= maxRedirects) {
          throw sourceBroken.about('source-redirected', '{file} was moved to another address.');
        }
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

/** Undici is loaded for the first call: most threads never make one, and it takes 0.1 s of each one's start. */
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
      // Compressed bytes have other offsets than the file's, and inflating is nothing a door should do.
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...headers,
      ...(isForwarded ? toProxyHeaders(route.proxy) : {}),
    },
    body: body ?? null,
  };
}
