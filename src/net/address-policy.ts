import type { SwathError } from '../errors.ts';
import { notAllowed } from '../errors.ts';

/** Which addresses the guarded door may call; what is left out is refused. */
export interface AddressPolicy {
  /** Hosts that may be called, exact or `*.suffix`; left out: every host with a public address. */
  readonly hosts?: readonly string[];
  /** Allows http in addition to https. */
  readonly allowHttp?: boolean;
  /** Ports that may be called; by default 443, and 80 where http is allowed. */
  readonly ports?: readonly number[];
  /** Networks (CIDR) that may be called although they are not public. */
  readonly privateNetworks?: readonly string[];
}

/** The one refusal of the guarded door: the same sentence whatever the reason, which only the log learns. */
export const addressNotAllowed = (reason: string): SwathError =>
  notAllowed('address-not-allowed', 'This address is not allowed.', { cause: new Error(reason) });

/** Longer ones are refused before they are parsed; real hrefs, signed ones too, stay well below. */
const MAX_URL_CHARACTERS = 4096;

/** Parses an address and refuses what the policy does not allow; where its name leads is checked at connect time. */
export function parseAllowedUrl(text: string, policy: AddressPolicy): URL {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (url === null) throw addressNotAllowed('not a URL, or a very long one');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp === true)) {
    throw addressNotAllowed(`scheme ${url.protocol.slice(0, 20)}`);
  }
  if (url.username !== '' || url.password !== '') throw addressNotAllowed('credentials in the address');
  const port = portOf(url);
  const ports = policy.ports ?? (policy.allowHttp === true ? [443, 80] : [443]);
  if (!ports.includes(port)) throw addressNotAllowed(`port ${port}`);
  const host = toHostName(url.hostname);
  if (host === '' || (policy.hosts !== undefined && !policy.hosts.some((pattern) => isHost(host, pattern)))) {
    throw addressNotAllowed(`host ${host} is not in the list`);
  }
  url.hash = '';
  return url;
}

/** The port a URL leads to, also where it leaves the port out. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** The final dot of `localhost.` makes another spelling of the same name, not another name. */
export const toHostName = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/** `*.example.com` is every name below example.com, and not example.com itself. */
export function isHost(host: string, pattern: string): boolean {
  const wanted = toHostName(pattern);
  return wanted.startsWith('*.')
    ? host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1
    : host === wanted;
}
