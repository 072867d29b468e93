import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BulkJobs, BulkTask, OrderedShape } from '../bulk/index.ts';
import type { FieldSelection, FieldStore } from '../fields/index.ts';
import { listCheckedShapes, makeFields } from '../fields/index.ts';
import type { BlobStore } from '../objects/index.ts';
import { toUploadKey } from '../objects/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';

interface ListDeps {
  readonly fields: FieldStore;
  readonly pool: JobRunner<BulkJobs>;
}

/** Memory to parse the largest collection that a request may hold. */
const COLLECTION_BYTES = 32 * 2 ** 20;

/** Where the shapes of a task come from: the fields that its order names, or the collection or file that came with it. */
export function makeListShapes({
  fields: store,
  pool,
  blobs,
}: ListDeps & { readonly blobs: Pick<BlobStore, 'stage' | 'read'> }) {
  const fields = makeFields({ store, maxPerOwner: 0, now: () => new Date() });
  return (
    { id, owner, order: { shapes }, collection }: BulkTask,
    ticket: Ticket,
  ): AsyncIterable<readonly OrderedShape[]> => {
    if (shapes.kind === 'collection') return listCollection(collection, ticket);
    if (shapes.kind === 'file') return listFile(toUploadKey(id), ticket);
    const { group, ids } = shapes;
    return fields.listShapes({
      owner,
      ...(group === undefined ? {} : { group }),
      ...(ids === undefined ? {} : { ids }),
    });
  };

  /** Copies the rows to this machine, and reads them from there. */
  async function* listFile(key: string, { signal }: Ticket): AsyncGenerator<readonly OrderedShape[]> {
    const staged = await blobs.stage(`${key}.copy`);
    try {
      const rows = Readable.fromWeb(await blobs.read(key, null, signal));
      await pipeline(rows, createWriteStream(staged.path), signal === undefined ? {} : { signal });
      yield* listCheckedShapes(staged.path);
    } finally {
      await staged.discard();
    }
  }

  async function* listCollection(
    collection: unknown,
    ticket: Ticket,
  ): AsyncGenerator<readonly OrderedShape[]> {
    const text = JSON.stringify(collection);
    const job = { ...ticket, bytes: COLLECTION_BYTES };
    yield (await runPatiently(pool, 'parse-collection', { text }, job)).shapes;
  }
}

/** What orders of many fields are checked with, before they are stored. */
export const makeOrderedShapes = ({ fields, pool }: ListDeps) => ({
  count: (selection: FieldSelection) => fields.count(selection),
  async check(text: string, ticket: Ticket) {
    const { output } = await pool.run('parse-collection', { text }, { ...ticket, bytes: COLLECTION_BYTES });
    return { count: output.shapes.length, faults: output.faults };
  },
});
