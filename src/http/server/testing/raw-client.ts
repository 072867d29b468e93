import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** A connection that sends bytes as they are. */
export interface RawClient {
  readonly socket: Socket;
  send(text: string): void;
  /** All that has come so far. */
  received(): string;
  /** Resolves to all that came when the server has closed the connection. */
  readonly closed: Promise<string>;
  /** Resolves when what has come matches. */
  until(pattern: RegExp): Promise<string>;
}

/** Connects to a local port. A client that does not read leaves what comes in the buffers of the system. */
export async function openRawClient(
  port: number,
  { reads = true, from = '127.0.0.1' }: { readonly reads?: boolean; readonly from?: string } = {},
): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from, allowHalfOpen: true });
  let text = '';
  if (reads) {
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
  }
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve(text));
  });
  await once(socket, 'connect');
  return {
    socket,
    send: (bytes) => void socket.write(bytes, 'latin1'),
    received: () => text,
    closed,
    async until(pattern) {
      while (!pattern.test(text)) {
        await Promise.race([
          once(socket, 'data'),
          closed.then(() => {
            if (!pattern.test(text)) throw new Error(`closed after: ${text}`);
          }),
        ]);
      }
      return text;
    },
  };
}
