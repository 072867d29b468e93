import { parentPort } from 'node:worker_threads';
import type { ToFetcher } from '../fetch-protocol.ts';

/** A network thread that answers the windows of no file, and dies of any other. */
parentPort?.on('message', (message: ToFetcher) => {
  if (message.type !== 'fetch') return;
  if (message.windows.length > 0) process.exit(3);
  parentPort?.postMessage({ type: 'fetched', id: message.id, offer: { files: [] } });
});
