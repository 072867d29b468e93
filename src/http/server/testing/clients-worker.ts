/** Clients in a thread of their own, for a test whose thread does not turn its loop while they ask. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread is to do; it answers with the texts that its clients received. */
export interface ClientOrder {
  readonly port: number;
  readonly clients: number;
  /** How many requests have been sent. */
  readonly sent: Int32Array<SharedArrayBuffer>;
}

assert.ok(parentPort !== null);
const { port, clients, sent } = workerData as ClientOrder;

const ask = (): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => {
        Atomics.add(sent, 0, 1);
        Atomics.notify(sent, 0);
      }),
    );
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => {}).on('close', () => resolve(text));
  });

parentPort.postMessage(await Promise.all(Array.from({ length: clients }, ask)));
