/** The script of the thread that writes long answers. */
import { parentPort } from 'node:worker_threads';
import type { DocumentQuestion } from '../http/index.ts';
import { writeDocument } from '../http/index.ts';
import type { JobType } from '../pool/index.ts';
import { connectCalls, withTransfer } from '../pool/index.ts';

/** What the thread of documents answers. */
export type DocumentCalls = { write: JobType<DocumentQuestion, Uint8Array<ArrayBuffer>> };

if (parentPort === null) throw new Error('The thread of documents is started by the service.');

connectCalls<DocumentCalls, Record<never, never>>(parentPort, {
  async write(question) {
    const bytes = writeDocument(question);
    return withTransfer(bytes, [bytes.buffer]);
  },
});
