import type { Log, WriteDocument } from '../http/index.ts';
import { makeWriteDocument } from '../http/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { DocumentCalls } from './document-calls.ts';

/** Many times what the largest document takes with its answer. */
const HEAP_LIMIT_MB = 512;

interface DocumentThreadDeps {
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** Writes answers with the documents of tasks: long ones on a thread, which the first of them starts. */
export function startDocumentThread({ log, parts }: DocumentThreadDeps): WriteDocument {
  const thread = makeCallThread<Record<never, never>, DocumentCalls>({
    script: new URL('./document-worker.ts', import.meta.url),
    settings: null,
    heapLimitMb: HEAP_LIMIT_MB,
    handlers: {},
    onDeath: (error) =>
      log.error({ err: error }, 'the thread of documents has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  return makeWriteDocument((question, signal) => thread.call('write', question, signal));
}
