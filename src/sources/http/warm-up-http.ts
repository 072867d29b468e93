import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeGuardedFetch, makeUpstream } from '../../net/index.ts';
import { openHttpSource } from './http-source.ts';

const HOST = '127.0.0.1';
const SIZE = 1_000_000;
/** Enough that the code of a read is compiled. */
const READS = 50;
const READ_BYTES = 10_000;

/**
 * Reads ranges from a server of this thread for a moment, so that the first file of a store is read as fast as any other:
 * loading the HTTP client and compiling its parser takes 0.1 s. Nothing leaves the machine.
 */
export async function warmUpHttp(): Promise<void> {
  const content = Buffer.alloc(SIZE);
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [from, to] = [Number(first), Math.min(Number(last), SIZE - 1)];
    response.writeHead(206, {
      'content-range': `bytes ${from}-${to}/${SIZE}`,
      'content-length': to - from + 1,
      etag: '"1"',
    });
    response.end(content.subarray(from, to + 1));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  try {
    const { port } = server.address() as AddressInfo;
    const fetch = makeGuardedFetch({
      policy: { hosts: [HOST], allowHttp: true, ports: [port], privateNetworks: [`${HOST}/32`] },
    });
    const source = await openHttpSource(`http://${HOST}:${port}/`, { fetch, upstream: makeUpstream() });
    for (let i = 0; i < READS; i += 1) await source.read(SIZE - (i + 1) * READ_BYTES, READ_BYTES);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}
