import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { toHostName } from './address-policy.ts';
import { isInNetworks, isPublicAddress, parseNetworks } from './public-address.ts';

/** Names of the machine itself: RFC 6761, and what hosts files of Linux systems call it. */
const OWN_NAME = /^(?:(?:.*\.)?localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback))$/;

/**
 * Whether an address can lead to where a policy allows, as far as that is known without looking up a name: false for forbidden
 * numbers and names of the machine itself. The guarded door checks every address again when it connects.
 */
export function mayLeadTo(url: URL, { privateNetworks = [] }: AddressPolicy): boolean {
  const networks = parseNetworks(privateNetworks);
  const host = toHostName(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (OWN_NAME.test(host)) return isInNetworks('127.0.0.1', networks) || isInNetworks('::1', networks);
  return isIP(host) === 0 || isPublicAddress(host) || isInNetworks(host, networks);
}
