import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a callback said. */
export interface Told {
  readonly attempt: number;
  readonly end: string;
}

/** Receives callbacks and keeps them by the id of their task. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** What nodes must be allowed to call. */
  readonly hosts: string;
  readonly told: ReadonlyMap<string, readonly Told[]>;
}

export async function startReceiver(): Promise<Receiver> {
  const told = new Map<string, Told[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const id = String(request.headers['x-swath-task']);
      const { task_type: end } = JSON.parse(body) as { task_type: string };
      const attempt = Number(request.headers['x-swath-attempt']);
      told.set(id, [...(told.get(id) ?? []), { attempt, end }]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ended`,
    hosts: `127.0.0.1:${port} 127.0.0.0/8`,
    told,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
