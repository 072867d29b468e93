import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Answer } from './ask.ts';

interface Waiting {
  readonly path: string;
  readonly sinceMs: number;
  readonly resolve: (answer: Answer) => void;
}

/**
 * A client on plain sockets that reads of an answer what it needs to find its end. It takes a tenth of the time of a
 * client library: at thousands of requests a second a library would be what is overloaded.
 */
export function makeRawClient(url: string, key: string, maxConnections: number) {
  const { hostname, port, host } = new URL(url);
  const idle: Socket[] = [];
  const queue: Waiting[] = [];
  const busy = new Map<Socket, { waiting: Waiting; missing: number; status: number }>();
  let open = 0;

  function begin(socket: Socket, waiting: Waiting): void {
    busy.set(socket, { waiting, missing: -1, status: 0 });
    socket.write(`GET ${waiting.path} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: ${key}\r\n\r\n`, 'latin1');
  }

  function next(socket: Socket): void {
    const waiting = queue.shift();
    if (waiting === undefined) idle.push(socket);
    else begin(socket, waiting);
  }

  function finish(socket: Socket, status: number): void {
    const request = busy.get(socket);
    busy.delete(socket);
    request?.waiting.resolve({ status, ms: performance.now() - request.waiting.sinceMs });
  }

  function read(socket: Socket, chunk: Buffer): void {
    const request = busy.get(socket);
    if (request === undefined) return;
    if (request.missing < 0) {
      // The headers of an answer come in one piece.
      const head = chunk.toString('latin1', 0, 2_048);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      request.status = Number(head.slice(9, 12));
      request.missing = head.indexOf('\r\n\r\n') + 4 + length;
    }
    request.missing -= chunk.length;
    if (request.missing > 0) return;
    finish(socket, request.status);
    next(socket);
  }

  function openSocket(): Socket {
    open += 1;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('data', (chunk: Buffer) => read(socket, chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      open -= 1;
      const at = idle.indexOf(socket);
      if (at >= 0) idle.splice(at, 1);
      finish(socket, 0);
    });
    return socket;
  }

  return {
    ask: (path: string): Promise<Answer> =>
      new Promise((resolve) => {
        const waiting = { path, sinceMs: performance.now(), resolve };
        const socket = idle.pop() ?? (open < maxConnections ? openSocket() : undefined);
        if (socket === undefined) queue.push(waiting);
        else begin(socket, waiting);
      }),
    close(): void {
      for (const socket of [...idle, ...busy.keys()]) socket.destroy();
    },
  };
}
