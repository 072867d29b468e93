import { lookup } from 'node:dns/promises';
import type { LookupFunction, OnReadOpts, Socket } from 'node:net';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { addressNotAllowed, isInNetworks, isPublicAddress, parseNetworks, portOf } from './address-policy.ts';
import { timedOut } from './errors.ts';
import type { ProxySettings, Route } from './proxy.ts';
import { ProxyFailure, planRoute } from './proxy.ts';
import { makeProxyConnect } from './proxy-connect.ts';

/** Bytes for one read of a socket, as many as Node's default. */
const READ_BYTES = 64 * 1024;
/**
 * A byte stays unchanged until 64 KiB more have arrived. Undici relies on that: it keeps the pieces of a head, at most
 * 16 KiB, until the head is complete.
 */
const SLAB_BYTES = 3 * READ_BYTES;

const makeSlab = (): Buffer => Buffer.allocUnsafeSlow(SLAB_BYTES).subarray(0, READ_BYTES);

/**
 * Lets a socket reuse its own memory for reads. By default Node allocates 64 KiB for each read, and V8 counts them: it
 * collected the whole heap of the network thread after every 10 MB.
 *
 * The chunks are those of a normal socket, for a reader that copies or parses each one as soon as it arrives.
 */
export function makeSlabReads(): OnReadOpts {
  // Node asks for the next buffer as soon as the callback has returned.
  let next: Buffer | null = null;
  return {
    buffer() {
      const place = next ?? makeSlab();
      next = null;
      return place;
    },
    callback(this: Socket, byteLength: number, { buffer, byteOffset }: Uint8Array): boolean {
      const end = byteOffset + byteLength;
      // Unread chunks keep their slab, and the socket gets another.
      const isRead = this.readableLength === 0;
      next = isRead ? Buffer.from(buffer, end + READ_BYTES <= SLAB_BYTES ? end : 0, READ_BYTES) : null;
      return this.push(Buffer.from(buffer, byteOffset, byteLength));
    },
  };
}

/** Resolves a name to all its addresses; tests pass their own. */
export type ResolveName = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

interface GuardedConnectOptions {
  /** Undici's, which is loaded on first use. */
  readonly buildConnector: typeof buildConnector;
  readonly timeoutMs: number;
  readonly privateNetworks?: readonly string[];
  readonly resolveName?: ResolveName | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** Whether only listed hosts are called: then a proxy may look up their names. */
  readonly hasHostList: boolean;
  /** Sent to proxies. */
  readonly userAgent: string;
}

/** The system's resolver, which reads the hosts file too; every address it returns is checked. */
const resolveBySystem: ResolveName = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });

/**
 * Opens sockets to allowed addresses only. The check happens here, and not before the request, so that it sees the
 * address that the socket connects to: DNS rebinding, a public address first and a private one later, does not pass.
 * Behind a proxy it is the same for numbers, and for names unless the policy lists the hosts (docs/operate/hardening.md).
 */
export function makeGuardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { timeoutMs, proxy, hasHostList, userAgent, resolveName = resolveBySystem } = options;
  const networks = parseNetworks(options.privateNetworks ?? []);
  const isAllowed = (address: string) => isPublicAddress(address) || isInNetworks(address, networks);

  /** All addresses of a name. One private address among public ones is refused too: the socket may connect to any. */
  const resolveAllowed: ResolveName = async (hostname) => {
    const found = await resolveName(hostname);
    if (found.length === 0) throw new Error('The name has no address.');
    const forbidden = found.find(({ address }) => !isAllowed(address));
    if (forbidden !== undefined) throw addressNotAllowed(`${hostname} leads to ${forbidden.address}`);
    return found;
  };
  // Called once per connection; the socket connects to exactly these addresses, without another look-up.
  const guardedLookup: LookupFunction = (hostname, { all }, callback) => {
    resolveAllowed(hostname).then(
      (found) => {
        const [first] = found;
        if (all || first === undefined) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  const common = { timeout: timeoutMs, allowH2: false, onread: makeSlabReads() };
  const connect = options.buildConnector({ ...common, lookup: guardedLookup });
  const proxied = makeProxyConnect({ connect: options.buildConnector(common), userAgent });

  const open = async ({ route, url, target, signal, callback }: Opening): Promise<void> => {
    if (route.kind === 'direct') return connect(target, callback);
    if (route.kind === 'forward') return proxied.forward(route.proxy, callback);
    const isName = isIP(toLiteral(url)) === 0;
    const to = route.to === 'address' && isName ? toNumber(await resolveAllowed(url.hostname)) : url.hostname;
    const authority = `${to}:${portOf(url)}`;
    return proxied.tunnel({ proxy: route.proxy, authority, target, signal }, callback);
  };

  return (target, callback) => {
    const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
    // Node does not look up a literal address, so `lookup` alone would let every one through.
    const literal = toLiteral(url);
    if (isIP(literal) !== 0 && !isAllowed(literal)) {
      queueMicrotask(() => callback(addressNotAllowed(`the address is ${literal}`), null));
      return;
    }
    const route = planRoute(url, { proxy, hasHostList });
    // Undici's own timeout closes the socket about a second late; this one answers in time.
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      const cause = route.kind === 'direct' ? undefined : new ProxyFailure(route.proxy, null);
      callback(timedOut.about('source-timed-out', '{server} took too long to answer.', { cause }), null);
    }, timeoutMs);
    const settle: buildConnector.Callback = (...[error, socket]) => {
      clearTimeout(timer);
      if (late.signal.aborted) socket?.destroy();
      else if (error === null) callback(null, socket);
      else callback(error, null);
    };
    open({ route, url, target, signal: late.signal, callback: settle }).catch((error: Error) =>
      settle(error, null),
    );
  };
}

/** A connection that is being made. */
interface Opening {
  readonly route: Route;
  readonly url: URL;
  readonly target: buildConnector.Options;
  /** Stops the attempt. */
  readonly signal: AbortSignal;
  readonly callback: buildConnector.Callback;
}

/** The address that a URL has in place of a name, without the brackets of IPv6. */
const toLiteral = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** One of the addresses of a name, as an authority is written. A proxy more likely has IPv4 than IPv6. */
function toNumber(found: Awaited<ReturnType<ResolveName>>): string {
  const { address, family } = found.find(({ family }) => family === 4) ??
    found[0] ?? { address: '', family: 0 };
  return family === 6 ? `[${address}]` : address;
}
