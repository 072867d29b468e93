import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request as requestOrigin } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';

/** What a proxy was asked. */
interface ProxyCall {
  /** `CONNECT host:port`, or `GET http://host/…`. */
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
}

/** A proxy on the loopback address, where all names lead to this machine: only it knows them. */
export interface FakeProxy {
  readonly port: number;
  readonly calls: ProxyCall[];
  /** Answered in place of a connection; 0 never answers. */
  refusal: number | null;
  /** A proxy that sends bytes of its own into a tunnel. */
  early: string;
  stop(): void;
}

/** Starts a proxy; with a certificate it is itself reached by https. */
export async function startFakeProxy(certificate?: {
  readonly cert: string;
  readonly key: string;
}): Promise<FakeProxy> {
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage): void => {
    fake.calls.push({ line: `${method} ${url}`, headers });
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    note(request);
    if (fake.refusal !== null) {
      if (fake.refusal > 0) response.writeHead(fake.refusal).end('refused');
      return;
    }
    const { port, pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const forwarded = requestOrigin(
      { host: '127.0.0.1', port, path: `${pathname}${search}`, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(forwarded.on('error', () => response.destroy()));
  };
  const server: Server =
    certificate === undefined ? createServer(onRequest) : createTlsServer(certificate, onRequest);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request);
    client.on('error', () => {});
    if (fake.refusal !== null) {
      if (fake.refusal > 0) client.end(`HTTP/1.1 ${fake.refusal} Refused\r\ncontent-length: 2\r\n\r\nno`);
      return;
    }
    const origin = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write(`HTTP/1.1 200 Connection established\r\n\r\n${fake.early}`);
      client.pipe(origin).pipe(client);
    });
    origin.on('error', () => client.destroy());
    client.on('close', () => origin.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeProxy = {
    port: (server.address() as AddressInfo).port,
    calls: [],
    refusal: null,
    early: '',
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return fake;
}
