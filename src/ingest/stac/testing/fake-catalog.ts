import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuardedFetch } from '../../../net/index.ts';
import { makeGuardedFetch } from '../../../net/index.ts';

/** A request as the server received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

/** Its answer: JSON, or a status with headers. */
export type Reply = object | { readonly status: number; readonly headers?: Record<string, string> };

/** A local catalog for tests; `seen` holds all requests in order. */
export async function startFakeCatalog(answer: (seen: Seen, base: string) => Reply): Promise<{
  readonly base: string;
  readonly seen: readonly Seen[];
  readonly fetch: GuardedFetch;
  readonly stop: () => Promise<void>;
}> {
  const all: Seen[] = [];
  let base = '';
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? '/', base);
    const seen: Seen = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? {} : JSON.parse(text),
    };
    all.push(seen);
    const reply = answer(seen, base);
    if ('status' in reply && typeof reply.status === 'number') {
      const headers = 'headers' in reply ? (reply.headers as Record<string, string>) : {};
      response.writeHead(reply.status, headers).end();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  const fetch = makeGuardedFetch({
    policy: { hosts: ['127.0.0.1'], allowHttp: true, ports: [port], privateNetworks: ['127.0.0.0/8'] },
  });
  return {
    base,
    seen: all,
    fetch,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
