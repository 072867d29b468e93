import { lookup } from 'node:dns/promises';
import type { LookupFunction, OnReadOpts, Socket } from 'node:net';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { addressNotAllowed, isInNetworks, isPublicAddress, parseNetworks } from './address-policy.ts';
import { timedOut } from './errors.ts';

/** Room for one read of a socket, as much as Node takes itself. */
const READ_BYTES = 64 * 1024;
/**
 * A byte that was read stays as it is until 64 KiB more have arrived. Undici needs that of a head, whose pieces it keeps
 * until the head is complete: at most 16 KiB.
 */
const SLAB_BYTES = 3 * READ_BYTES;

const makeSlab = (): Buffer => Buffer.allocUnsafeSlow(SLAB_BYTES).subarray(0, READ_BYTES);

/**
 * Lets sockets read into memory of their own, used again and again. Node allocates 64 KiB for each read otherwise, and V8
 * counts them: it collected the whole heap of the network thread after every 10 MB.
 *
 * The chunks are those of a usual socket, for a reader that copies or parses each as soon as it reads it.
 */
export function makeSlabReads(): OnReadOpts {
  // Node asks for the next place as soon as the callback has returned.
  let next: Buffer | null = null;
  return {
    buffer() {
      const place = next ?? makeSlab();
      next = null;
      return place;
    },
    callback(this: Socket, byteLength: number, { buffer, byteOffset }: Uint8Array): boolean {
      const end = byteOffset + byteLength;
      // Chunks that nobody has read yet keep their slab, and the socket gets another.
      const isRead = this.readableLength === 0;
      next = isRead ? Buffer.from(buffer, end + READ_BYTES <= SLAB_BYTES ? end : 0, READ_BYTES) : null;
      return this.push(Buffer.from(buffer, byteOffset, byteLength));
    },
  };
}

/** Finds all addresses of a name; tests bring their own. */
export type ResolveName = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

interface GuardedConnectOptions {
  /** Undici's, which is loaded on first use. */
  readonly buildConnector: typeof buildConnector;
  readonly timeoutMs: number;
  readonly privateNetworks?: readonly string[];
  readonly resolveName?: ResolveName | undefined;
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
