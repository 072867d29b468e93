import { parentPort } from 'node:worker_threads';
import type { ToFetcher } from '../protocol.ts';

/** A network thread that answers the windows of no file, dies of any other, and sends back what comes through ports. */
parentPort?.on('message', (message: ToFetcher) => {
  if (message.type === 'connect') message.port.on('message', (text) => message.port.postMessage(text));
  if (message.type !== 'fetch') return;
  if (message.windows.length > 0) process.exit(3);
  parentPort?.postMessage({ type: 'fetched', id: message.id, offer: { files: [] } });
});
