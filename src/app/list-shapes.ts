import type { BulkJobs, BulkTask, OrderedShape } from '../bulk/index.ts';
import type { FieldSelection, FieldStore } from '../fields/index.ts';
import { makeFields } from '../fields/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';

interface ListDeps {
  readonly fields: FieldStore;
  readonly pool: JobRunner<BulkJobs>;
}

/** Memory to parse the largest collection that a request may hold. */
const COLLECTION_BYTES = 32 * 2 ** 20;

/** Where the shapes of a task come from: the fields that its order names, or the collection that came with it. */
export function makeListShapes({ fields: store, pool }: ListDeps) {
  const fields = makeFields({ store, maxPerOwner: 0, now: () => new Date() });
  return (
    { owner, order: { shapes }, collection }: BulkTask,
    ticket: Ticket,
  ): AsyncIterable<readonly OrderedShape[]> => {
    if (shapes.kind === 'collection') return listCollection(collection, ticket);
    const { group, ids } = shapes;
    return fields.listShapes({
      owner,
      ...(group === undefined ? {} : { group }),
      ...(ids === undefined ? {} : { ids }),
    });
  };

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
