import { readdirSync, readFileSync, statSync } from 'node:fs';
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
  const files = readFolder(folder);
  const server = createServer((request, response) => {
    counts.requests += 1;
    setTimeout(() => answer(request, response), delayMs);
  });

  function answer(request: IncomingMessage, response: ServerResponse): unknown {
    const found = files.get(basename(request.url?.split('?')[0] ?? ''));
    if (found === undefined) return response.writeHead(404).end();
    const { bytes, etag } = found;
    const [isRange, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const from = Number(first ?? 0);
    const to =
      last === undefined || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
    response.writeHead(isRange === undefined ? 200 : 206, {
      'accept-ranges': 'bytes',
      'content-length': to - from + 1,
      etag,
      ...(isRange === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${bytes.length}` }),
    });
    if (request.method === 'HEAD') return response.end();
    counts.bytes += to - from + 1;
    return response.end(bytes.subarray(from, to + 1));
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

interface StoredFile {
  readonly bytes: Buffer;
  readonly etag: string;
}

/**
 * Files of a folder in memory, each once however many names it has: the server shares its cores with what is measured,
 * which a store far away does not.
 */
function readFolder(folder: string): ReadonlyMap<string, StoredFile> {
  const read = new Map<number, StoredFile>();
  const files = new Map<string, StoredFile>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { ino, size, mtimeMs } = statSync(path);
    const file = read.get(ino) ?? { bytes: readFileSync(path), etag: `"${size}-${mtimeMs}"` };
    read.set(ino, file);
    files.set(name, file);
  }
  return files;
}
