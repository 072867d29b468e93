import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** Stands between a client and a server, and plays a network that fails. */
export interface TcpProxy {
  readonly port: number;
  /**
   * How often clients have sent something so far: for a database, about the number of round trips. PostgreSQL's message
   * that a connection ends does not count: a pool sends it whenever a connection was idle for long. Neither does the
   * check of the connection that waits for notifications, once a second.
   */
  countSent(): number;
  /** From now on nothing comes through, and neither side is told: as when a machine dies or a cable is pulled. */
  freeze(): void;
  /** Closes all connections, and lets new ones through. */
  heal(): void;
  close(): Promise<void>;
}

/** The first byte of PostgreSQL's message Terminate. */
const TERMINATE = 'X'.charCodeAt(0);

/** PostgreSQL's message for a statement without values. */
const CHECK = 'Q\0\0\0\rSELECT 1\0';

const isCounted = (bytes: Buffer): boolean => bytes[0] !== TERMINATE && bytes.toString('latin1') !== CHECK;

/** Starts a proxy to a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let sent = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  // A machine that has died does not answer the end of a connection either.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (isFrozen) return;
    const far = connect(target, '127.0.0.1');
    keep(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (from === near && isCounted(bytes)) sent += 1;
        if (!isFrozen) to.write(bytes);
      });
      const leave = (): void => {
        if (!isFrozen) for (const socket of [from, to]) socket.destroy();
      };
      from.on('end', leave).on('close', leave);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    countSent: () => sent,
    freeze() {
      isFrozen = true;
    },
    heal() {
      isFrozen = false;
      cut();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
