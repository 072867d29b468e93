import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BulkOrder, BulkStatistics } from '../bulk/index.ts';
import { toBulkFile } from '../bulk/index.ts';
import type { DownloadKind, Downloads } from '../exports/index.ts';
import type { ImportFields, ImportOrder } from '../fields/index.ts';
import { importWithReport } from '../fields/index.ts';
import type { BlobStore } from '../objects/index.ts';
import { toUploadKey } from '../objects/index.ts';
import type { OrderedTask, TaskKind, TaskTicket, TaskWork } from './task.ts';
import { toTaskTicket } from './task.ts';

type FileBlobs = Pick<BlobStore, 'stage' | 'remove' | 'identify'>;

/** What a task works with whose result is a file. */
interface FileWork extends TaskWork {
  /** Where to write the file: nothing is there yet. Files next to it are removed with it. */
  readonly path: string;
  readonly ticket: TaskTicket;
}

/** Writes the file of a task, and names it. */
type WriteFile = (
  task: OrderedTask,
  work: FileWork,
) => Promise<{ readonly fileName: string; readonly contentType: string }>;

/** Tasks whose result is a file. It is written next to the results, synced, and then published in one step. */
const makeFileKind = (blobs: FileBlobs, write: WriteFile): TaskKind => ({
  async run(task, work) {
    const { storeKey, signal } = work;
    const staged = await blobs.stage(storeKey);
    try {
      const ticket = toTaskTicket(task.owner, signal);
      const { fileName, contentType } = await write(task, { ...work, path: staged.path, ticket });
      signal.throwIfAborted();
      const { bytes, etag } = await staged.publish({ contentType }, signal);
      const storeId = await blobs.identify();
      return { kind: 'file', blobKey: storeKey, storeId, fileName, contentType, bytes, etag };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  },
  discard: ({ blobKey }) => blobs.remove(blobKey),
});

interface DownloadDeps {
  readonly kind: DownloadKind;
  readonly downloads: Downloads;
  readonly blobs: FileBlobs;
}

/** Tasks that make a file of a scene. */
export const makeDownloadKind = ({ kind, downloads, blobs }: DownloadDeps): TaskKind =>
  makeFileKind(blobs, async ({ order, area }, { path, ticket, reportProgress }) => {
    const planned = await downloads.plan(kind, downloads.fromStored({ order, area }));
    const { fileName, contentType, blocks: total } = planned;
    reportProgress({ done: 0, total });
    await planned.write(path, { ticket, onProgress: (done) => reportProgress({ done, total }) });
    return { fileName, contentType };
  });

interface ReportKindDeps {
  readonly blobs: FileBlobs;
  readonly fileName: string;
  /** Does the work; what it gives becomes the file. */
  readonly make: (task: OrderedTask, work: FileWork) => Promise<object>;
}

const JSON_TYPE = 'application/json';

/** Tasks whose file is a report: JSON for programs and people. */
export const makeReportKind = ({ blobs, fileName, make }: ReportKindDeps): TaskKind =>
  makeFileKind(blobs, async (task, work) => {
    await writeFile(work.path, `${JSON.stringify(await make(task, work), null, 2)}\n`);
    return { fileName, contentType: JSON_TYPE };
  });

/** Checking a million rows takes minutes, and hours on a slow machine. */
const IMPORT_TIMEOUT_MS = 6 * 3_600_000;

interface FieldsKindsDeps {
  readonly bulk: BulkStatistics;
  readonly importFields: ImportFields;
  readonly blobs: FileBlobs & Pick<BlobStore, 'read'>;
}

/** The kinds of tasks about many fields. */
export const makeFieldsKinds = ({ bulk, importFields, blobs }: FieldsKindsDeps) => ({
  /** Measures many fields and writes a table. Parts that are measured are stored under the task's id. */
  'fields-statistics': makeFileKind(blobs, async (task, { path, ticket, reportProgress }) => {
    const { id, owner, area } = task;
    const order = task.order as BulkOrder;
    await bulk.run({ id, owner, order, collection: area }, { path, ticket, onProgress: reportProgress });
    return toBulkFile(order);
  }),

  /** Imports a file of fields; its own file is the report. A second attempt imports again what is stored already. */
  'fields-import': makeFileKind(blobs, async (task, { path, ticket, reportProgress }) => {
    const uploadPath = `${path}.upload`;
    const { signal } = ticket;
    const stream = Readable.fromWeb(await blobs.read(toUploadKey(task.id), null, signal));
    await pipeline(stream, createWriteStream(uploadPath), { signal });
    await importWithReport(
      importFields,
      {
        owner: task.owner,
        order: task.order as ImportOrder,
        path: uploadPath,
        checkedPath: `${path}.rows`,
        ticket: { ...ticket, timeoutMs: IMPORT_TIMEOUT_MS },
        onProgress: reportProgress,
      },
      path,
    );
    return { fileName: 'import.json', contentType: JSON_TYPE };
  }),
});
