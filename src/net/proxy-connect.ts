import type { ClientRequest } from 'node:http';
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { portOf } from './address-policy.ts';
import { sourceBroken } from './errors.ts';
import { isCertificateError } from './exchange.ts';
import { ProxyFailure, toProxyError, toProxyHeaders } from './proxy.ts';

type Target = buildConnector.Options;
type Callback = buildConnector.Callback;

interface ProxyConnectOptions {
  /** Opens a socket to any address, and speaks TLS on one that is open. */
  readonly connect: buildConnector.connector;
  readonly userAgent: string;
}

/** Opens sockets by way of a proxy. Its own address is the operator's choice and may lie in a private network. */
interface ProxyConnect {
  /** To the proxy, which is then asked for whole addresses. */
  forward(proxy: URL, callback: Callback): void;
  /** Through the proxy to the target. */
  tunnel(tunnel: Tunnel, callback: Callback): void;
}

interface Tunnel {
  readonly proxy: URL;
  /** Where the proxy is asked to connect to: a name or an address with its port. */
  readonly authority: string;
  /** Whom we speak TLS with, if it is https. */
  readonly target: Target;
  /** Stops the attempt. */
  readonly signal: AbortSignal;
}

/**
 * Undici has an agent for proxies too. It does not fit here: it opens its sockets past the guarded connect, and says only
 * in a text why a proxy refused.
 */
export function makeProxyConnect({ connect, userAgent }: ProxyConnectOptions): ProxyConnect {
  return {
    forward(proxy, callback) {
      const { hostname, host, protocol } = proxy;
      connect({ hostname, host, protocol, port: String(portOf(proxy)) }, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(toConnectError(proxy, error), null);
      });
    },
    tunnel({ proxy, authority, target, signal }, callback) {
      const request = requestTunnel({ proxy, authority, signal }, userAgent);
      request.on('error', (error) => callback(toConnectError(proxy, error), null));
      request.on('connect', ({ statusCode = 0 }, socket, early) => {
        // The other side of a tunnel never speaks first: these bytes are the proxy's own.
        const isOpen = statusCode >= 200 && statusCode <= 299 && early.length === 0;
        if (!isOpen) {
          socket.destroy();
          callback(toProxyError(proxy, statusCode), null);
        } else if (target.protocol === 'https:') connect({ ...target, httpSocket: socket }, callback);
        else callback(null, socket);
      });
      request.end();
    },
  };
}

function requestTunnel(
  { proxy, authority, signal }: Omit<Tunnel, 'target'>,
  userAgent: string,
): ClientRequest {
  const hostname = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const options = {
    method: 'CONNECT',
    hostname,
    port: portOf(proxy),
    path: authority,
    headers: { host: authority, 'user-agent': userAgent, ...toProxyHeaders(proxy) },
    // A socket of its own, which becomes the tunnel.
    agent: false,
    signal,
  };
  if (proxy.protocol !== 'https:') return requestByHttp(options);
  // By default it would be the name in the Host header, which is that of the target.
  return requestByHttps({ ...options, servername: isIP(hostname) === 0 ? hostname : '' });
}

/** The error for a proxy to which no connection can be made. */
function toConnectError(proxy: URL, error: Error): Error {
  const cause = new ProxyFailure(proxy, null, error);
  return isCertificateError(error)
    ? sourceBroken('source-untrusted', 'The certificate of the proxy of this service is not valid.', {
        cause,
      })
    : sourceBroken('source-unreachable', 'The proxy of this service cannot be reached.', { cause });
}
