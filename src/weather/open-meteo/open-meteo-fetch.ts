import type { AddressPolicy, GuardedFetch } from '../../net/index.ts';
import { makeGuardedFetch } from '../../net/index.ts';

/** Addresses of the servers, without a slash at the end. */
export interface OpenMeteoServers {
  readonly forecastUrl: string;
  readonly archiveUrl: string;
}

interface FetchOptions extends OpenMeteoServers {
  /** Networks (CIDR) in which the servers may be although they are not public. */
  readonly privateNetworks: readonly string[];
  readonly timeoutMs?: number;
}

/** A year of an area is computed in seconds; a server that takes longer does not answer. */
const TIMEOUT_MS = 20_000;

/** Builds the guarded door to the servers: it leads to them and nowhere else, and follows no redirect. */
export function makeOpenMeteoFetch({
  forecastUrl,
  archiveUrl,
  privateNetworks,
  timeoutMs = TIMEOUT_MS,
}: FetchOptions): GuardedFetch {
  const urls = [new URL(forecastUrl), new URL(archiveUrl)];
  const policy: AddressPolicy = {
    hosts: urls.map(({ hostname }) => hostname),
    ports: urls.map(({ port, protocol }) =>
      port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ),
    allowHttp: urls.some(({ protocol }) => protocol === 'http:'),
    privateNetworks,
  };
  return makeGuardedFetch({
    policy,
    subject: { file: 'the weather server', server: 'the weather server' },
    timeouts: { connectMs: timeoutMs / 4, headersMs: timeoutMs, idleMs: timeoutMs / 2, totalMs: timeoutMs },
  });
}
