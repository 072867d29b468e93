import type { GuardedFetch } from '../net/index.ts';
import { makeGuardedFetch, portOf } from '../net/index.ts';
import type { ProxyConfig } from '../settings/index.ts';
import { toProxy } from '../settings/index.ts';

/** How long the server may take to answer. */
const TIMEOUT_MS = 10_000;

/** Sends requests to one server that the operator names, and to no other; it may have a private address. */
export function makeNamedServerFetch(url: string, name: string, config: ProxyConfig): GuardedFetch {
  const address = new URL(url);
  return makeGuardedFetch({
    policy: {
      hosts: [address.hostname],
      allowHttp: address.protocol === 'http:',
      ports: [portOf(address)],
      privateNetworks: ['0.0.0.0/0', '::/0'],
    },
    proxy: toProxy(config),
    subject: { file: name, server: name },
    timeouts: { connectMs: TIMEOUT_MS, headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS },
  });
}

/** Upper bound of a response; metrics have some hundred kilobytes. */
const METRICS_BYTES = 16 * 2 ** 20;

/** Reads `/metrics` of a node; null if it does not answer, or refuses. */
export async function readNodeMetrics(
  url: string,
  config: ProxyConfig & { readonly apiKey: string | null },
): Promise<string | null> {
  try {
    const { status, body } = await makeNamedServerFetch(
      url,
      'the node',
      config,
    )({
      url: `${url}/metrics`,
      headers: config.apiKey === null ? {} : { 'x-api-key': config.apiKey },
      limitBody: () => METRICS_BYTES,
    });
    return status === 200 ? Buffer.from(body).toString() : null;
  } catch {
    return null;
  }
}
