import type { DocumentQuestion } from '../http/index.ts';
import type { JobType } from '../pool/index.ts';

/** What the thread of documents answers. */
export type DocumentCalls = { write: JobType<DocumentQuestion, Uint8Array<ArrayBuffer>> };
