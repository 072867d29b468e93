import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AddressPolicy } from '../address-policy.ts';
import type { ResolveName } from '../guarded-connect.ts';
import type { GuardedFetchOptions } from '../guarded-fetch.ts';
import { makeGuardedFetch } from '../guarded-fetch.ts';

/** A server on both loopback addresses that guarded code must not reach; it counts connections. */
export interface Canary {
  readonly port: number;
  /** Connections since the start, or since the test set it to 0. */
  connections: number;
  /** The most open policy without private networks: http, and the canary's port. */
  openPolicy(more?: AddressPolicy): AddressPolicy;
  /** The same with the canary's own network. */
  localPolicy(more?: AddressPolicy): AddressPolicy;
  stop(): void;
}

/** Starts a canary. It answers with the headers it received, echoes a POST, and redirects to `?to=`. */
export async function startCanary(): Promise<Canary> {
  const servers: Server[] = [];
  let port = 0;
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://canary').searchParams.get('to');
      if (path !== null) response.writeHead(302, { location: path }).end();
      else if (request.method === 'POST') request.pipe(response);
      else response.end(JSON.stringify(request.headers));
    }).on('connection', () => {
      canary.connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  const openPolicy = (more: AddressPolicy = {}): AddressPolicy => ({
    allowHttp: true,
    ports: [port, 80, 443],
    ...more,
  });
  const canary: Canary = {
    port,
    connections: 0,
    openPolicy,
    localPolicy: (more = {}) => openPolicy({ privateNetworks: ['127.0.0.0/8', '::1'], ...more }),
    stop() {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
  return canary;
}

const names: Readonly<Record<string, readonly string[]>> = {
  'localhost.': ['127.0.0.1'],
  'loop.example': ['127.0.0.1'],
  'loop6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'both-other-way.example': ['127.0.0.1', '93.184.215.14'],
  'both-families.example': ['93.184.215.14', '::1'],
  'metadata.example': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'sixtofour.example': ['2002:7f00:1::'],
  'teredo.example': ['2001:0:7f00:1::'],
  'zone.example': ['fe80::1%lo'],
  'nonsense.example': ['not-an-address'],
  'xn--e1afmkfd.example': ['10.0.0.1'],
};
/** Resolves the names that lead inside by a table, and all others by DNS. */
export const resolveByTable: ResolveName = async (hostname) => {
  const known = names[hostname];
  if (known === undefined) return lookup(hostname, { all: true });
  return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

/** Resolves every name to the canary. */
export const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];

/** Fetches through a new guarded door that resolves names by the table. */
export const get = (url: string, options: GuardedFetchOptions) =>
  makeGuardedFetch({ resolveName: resolveByTable, ...options })({ url, limitBody: () => 10_000 });
