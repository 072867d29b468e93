/** The script of the thread that writes long answers. */
import { parentPort } from 'node:worker_threads';
import { writeDocument } from '../http/index.ts';
import { connectCalls, withTransfer } from '../pool/index.ts';
import type { DocumentCalls } from './document-calls.ts';

if (parentPort === null) throw new Error('The thread of documents is started by the service.');

connectCalls<DocumentCalls, Record<never, never>>(parentPort, {
  async write(question) {
    const bytes = writeDocument(question);
    return withTransfer(bytes, [bytes.buffer]);
  },
});
