import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { timedOut } from '../errors.ts';
import { addressNotAllowed } from './address-policy.ts';
import { isInNetworks, isPublicAddress, parseNetworks } from './public-address.ts';
import { makeSlabReads } from './slab-reads.ts';

/** Finds all addresses of a name; tests bring their own. */
export type ResolveName = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

interface GuardedConnectOptions {
  /** Undici's, which is loaded on first use. */
  readonly buildConnector: typeof buildConnector;
  readonly timeoutMs: number;
  readonly privateNetworks?: readonly string[];
  readonly resolveName?: ResolveName;
}

/** The system's own resolver, with the hosts file: what it says is checked, wherever it comes from. */
const resolveBySystem: ResolveName = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });

/**
 * Opens sockets to allowed addresses only. The check sits here, and not before the request, so that it sees the very
 * address the socket goes to: a name that answers a public address first and a private one later does not get through.
 */
export function makeGuardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { timeoutMs, resolveName = resolveBySystem } = options;
  const networks = parseNetworks(options.privateNetworks ?? []);
  const isAllowed = (address: string) => isPublicAddress(address) || isInNetworks(address, networks);

  // Asked once a connection; the socket connects to exactly the addresses returned, without another look-up.
  const guardedLookup: LookupFunction = (hostname, { all }, callback) => {
    resolveName(hostname).then(
      (found) => {
        const [first] = found;
        if (first === undefined) return callback(new Error('The name has no address.'), []);
        // One private address among public ones is refused too: which one is taken is chance.
        const forbidden = found.find(({ address }) => !isAllowed(address));
        if (forbidden !== undefined) {
          return callback(addressNotAllowed(`${hostname} leads to ${forbidden.address}`), []);
        }
        return all ? callback(null, [...found]) : callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  const connect = options.buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: guardedLookup,
    onread: makeSlabReads(),
  });
  return (target, callback) => {
    // For an address instead of a name no lookup happens, so `lookup` alone would let every literal through.
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !isAllowed(host)) {
      queueMicrotask(() => callback(addressNotAllowed(`the address is ${host}`), null));
      return;
    }
    // Undici's own limit, which ends the socket, is late by a second or so: this one answers in time.
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      callback(timedOut.about('source-timed-out', '{server} took too long to answer.'), null);
    }, timeoutMs);
    connect(target, (...[error, socket]) => {
      clearTimeout(timer);
      if (isLate) socket?.destroy();
      else if (error === null) callback(null, socket);
      else callback(error, null);
    });
  };
}
