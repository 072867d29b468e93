import { createServer } from 'node:net';

/** Below the ports that the system gives to those that ask for any: while a process is down, no other test may get its port. */
const LOWEST_PORT = 22_000;
const PORTS = 8_000;

/** A free port of this machine that stays free for a process that is killed and started again. */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
