import { BlockList, isIP } from 'node:net';
import type { SwathError } from '../errors.ts';
import { badInput, notAllowed } from './errors.ts';

/** The addresses that the guarded door may call; all others are refused. */
export interface AddressPolicy {
  /** Hosts that may be called, exact or `*.suffix`; by default every host with a public address. */
  readonly hosts?: readonly string[];
  /** Allows http in addition to https. */
  readonly allowHttp?: boolean;
  /** Ports that may be called; by default 443, and 80 where http is allowed. */
  readonly ports?: readonly number[] | undefined;
  /** Networks (CIDR) that may be called although they are not public. */
  readonly privateNetworks?: readonly string[] | undefined;
}

/** The only refusal of the guarded door: the same message for every reason, which only the log shows. */
export const addressNotAllowed = (reason: string): SwathError =>
  notAllowed('address-not-allowed', 'This address is not allowed.', { cause: new Error(reason) });

/** Longer URLs are refused before they are parsed; real hrefs, signed ones too, are much shorter. */
const MAX_URL_CHARACTERS = 4096;

/** Parses an address and refuses what the policy does not allow; the door checks the IP address when it connects. */
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

/** The port of a URL, explicit or the scheme's default. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** A host name in canonical form: `localhost.` with a final dot is the same name. */
export const toHostName = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/** `*.example.com` is every name below example.com, and not example.com itself. */
export function isHost(host: string, pattern: string): boolean {
  const wanted = toHostName(pattern);
  return wanted.startsWith('*.')
    ? host.endsWith(wanted.slice(1)) && host.length > wanted.length - 1
    : host === wanted;
}

/**
 * IPv4 networks that are not the public internet, from IANA's special-purpose registry (RFC 6890 and its updates).
 * `BlockList` compares mapped IPv6 addresses (`::ffff:127.0.0.1`) with these too.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, where clouds have their metadata service
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with broadcast
];

/**
 * Only 2000::/3 is allocated to the public IPv6 internet, so everything else (loopback, mapped, NAT64 64:ff9b::/96,
 * unique-local, link-local, multicast) is refused without a list. The special networks below lie inside it.
 */
const PUBLIC_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo 2001::/32, which carries an IPv4 address inside
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address inside
  '3fff::/20', // documentation
];

/** Parses networks in CIDR notation (`10.0.0.0/8`, `fd00::/8`); a bare address is a network of one. */
export function parseNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/');
    const version = isIP(address);
    const maxBits = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || address.includes('%') || rest.length > 0 || prefix < 0 || prefix > maxBits) {
      throw badInput('bad-network', `"${network}" is not a network such as 10.0.0.0/8 or fd00::/8.`);
    }
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const special = parseNetworks([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const publicIpv6 = parseNetworks(PUBLIC_IPV6);

/** True for an address of the public internet; false for a special one, and for a string that is not an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone id (`fe80::1%eth0`) names an interface of this machine: never public.
  if (version === 0 || address.includes('%')) return false;
  if (version === 4) return !special.check(address, 'ipv4');
  return publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** True for an address inside one of the given networks. */
export function isInNetworks(address: string, networks: BlockList): boolean {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  return networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Names of the machine itself, from RFC 6761 and the hosts files of Linux systems. */
const OWN_NAME = /^(?:(?:.*\.)?localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback))$/;

/**
 * Whether a policy may allow an address, as far as that is known without a DNS look-up: false for forbidden IP addresses
 * and for names of the machine itself. The guarded door checks every address again when it connects.
 */
export function mayLeadTo(url: URL, { privateNetworks = [] }: AddressPolicy): boolean {
  const networks = parseNetworks(privateNetworks);
  const host = toHostName(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (OWN_NAME.test(host)) return isInNetworks('127.0.0.1', networks) || isInNetworks('::1', networks);
  return isIP(host) === 0 || isPublicAddress(host) || isInNetworks(host, networks);
}
