import { isIP } from 'node:net';
import { isHost, isInNetworks, parseNetworks, portOf, toHostName } from './address-policy.ts';
import { sourceBroken } from './errors.ts';
import { toShownAddress } from './shown-address.ts';

/** The proxies that lead out of a network; plain data, so that it can be given to a thread. */
export interface ProxySettings {
  /** Addresses of proxies for https and for http targets, with credentials where they demand some. */
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** Targets that are reached without a proxy: entries as in NO_PROXY, with commas or spaces between them. */
  readonly noProxy?: string | undefined;
}

/**
 * The way to a target. `forward` asks the proxy for an http address as it stands. `tunnel` asks it for a connection, to
 * the name of the target or to one of its addresses, which was checked here.
 */
export type Route =
  | { readonly kind: 'direct' }
  | { readonly kind: 'forward'; readonly proxy: URL }
  | { readonly kind: 'tunnel'; readonly proxy: URL; readonly to: 'name' | 'address' };

interface RouteOptions {
  readonly proxy: ProxySettings | undefined;
  /** Whether the policy lists the hosts that may be called. If not, the proxy does not get to choose what a name means. */
  readonly hasHostList: boolean;
}

/** Finds the way to a target. */
export function planRoute(url: URL, { proxy, hasHostList }: RouteOptions): Route {
  const found = proxy === undefined ? null : findProxy(url, proxy);
  if (found === null) return { kind: 'direct' };
  if (!hasHostList) return { kind: 'tunnel', proxy: found, to: 'address' };
  // Many proxies allow tunnels to port 443 only.
  return url.protocol === 'http:'
    ? { kind: 'forward', proxy: found }
    : { kind: 'tunnel', proxy: found, to: 'name' };
}

/** The proxy for a target; null for a target that is reached directly. */
function findProxy(url: URL, { https, http, noProxy = '' }: ProxySettings): URL | null {
  const address = url.protocol === 'https:' ? https : http;
  return address === undefined || isExempt(url, noProxy) ? null : new URL(address);
}

const loopback = parseNetworks(['127.0.0.0/8', '::1']);

/** This machine is never reached through a proxy, where its names mean another machine. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = toHostName(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host.endsWith('.localhost') || isInNetworks(host, loopback)) return true;
  return noProxy.split(/[\s,]+/).some((entry) => isEntryOf(entry, host, portOf(url)));
}

/** `example.org` and `.example.org` mean the name and all below it, as for curl; a network means addresses in it. */
function isEntryOf(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  const { name, entryPort } = splitEntry(entry);
  if (entryPort !== null && entryPort !== port) return false;
  if (isIP(host) !== 0) return isInEntry(host, name);
  const apex = name.replace(/^\*?\./, '');
  return apex !== '' && ((host === apex && !name.startsWith('*.')) || isHost(host, `*.${apex}`));
}

/** Name and port of `host`, `host:8080`, `::1` and `[::1]:8080`. */
function splitEntry(entry: string): { readonly name: string; readonly entryPort: number | null } {
  const isBareIpv6 = !entry.startsWith('[') && entry.split(':').length > 2;
  const [, name = entry, port] = (isBareIpv6 ? null : /^(.*?)(?::(\d{1,5}))?$/.exec(entry)) ?? [];
  return {
    name: toHostName(name.replace(/^\[(.*)\]$/, '$1')),
    entryPort: port === undefined ? null : Number(port),
  };
}

function isInEntry(address: string, network: string): boolean {
  try {
    return isInNetworks(address, parseNetworks([network]));
  } catch {
    // A network of another tool's grammar: no target lies in it.
    return false;
  }
}

/** What a proxy is sent with each request of ours; empty if its address has no credentials. */
export function toProxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}

/** Why a proxy gave no connection: the cause of the error that callers get, for the log and for `swath doctor`. */
export class ProxyFailure extends Error {
  /** The status that it answered; null if it did not answer. */
  readonly status: number | null;

  constructor(proxy: URL, status: number | null, cause?: unknown) {
    const shown = toShownAddress(proxy.href).replace(/\/$/, '');
    super(
      status === null
        ? `the proxy ${shown} cannot be used`
        : `the proxy ${shown} answered with status ${status}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ProxyFailure';
    this.status = status;
  }
}

/** The error for a status of a proxy. Servers behind it that it cannot reach are unreachable; its own refusal is final. */
export function toProxyError(proxy: URL, status: number): Error {
  const cause = new ProxyFailure(proxy, status);
  if (status === 407) {
    return sourceBroken.about('proxy-refused', 'The proxy of this service demands other credentials.', {
      cause,
    });
  }
  return status >= 500
    ? sourceBroken.about('source-unreachable', '{server} cannot be reached.', { cause })
    : sourceBroken.about('proxy-refused', 'The proxy of this service refuses the connection to {server}.', {
        cause,
      });
}
