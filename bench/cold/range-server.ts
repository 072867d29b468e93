import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** A server of files that waits before each answer, as a store far away does. */
export interface RangeServer extends AsyncDisposable {
  readonly port: number;
  readonly counts: { requests: number; bytes: number };
}

/** Starts it on a free port of this machine. */
export async function startRangeServer(folder: string, delayMs: number): Promise<RangeServer> {
  const counts = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    setTimeout(() => void answer(request, response), delayMs);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const path = join(folder, basename(request.url?.split('?')[0] ?? ''));
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile()) return response.writeHead(404).end();
    const [isRange, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const from = Number(first ?? 0);
    const to = last === undefined || last === '' ? found.size - 1 : Math.min(Number(last), found.size - 1);
    response.writeHead(isRange === undefined ? 200 : 206, {
      'accept-ranges': 'bytes',
      'content-length': to - from + 1,
      etag: `"${found.size}-${found.mtimeMs}"`,
      ...(isRange === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${found.size}` }),
    });
    if (request.method === 'HEAD') return response.end();
    counts.bytes += to - from + 1;
    // In one piece: the server shares its cores with what is measured.
    const bytes = Buffer.allocUnsafe(to - from + 1);
    await using file = await open(path);
    await file.read(bytes, 0, bytes.length, from);
    return response.end(bytes);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
