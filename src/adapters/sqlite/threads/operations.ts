import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { packRest } from '../scenes/packed-record.ts';
import type { Portion } from '../scenes/portion.ts';
import { piecesOf, toPortion } from '../scenes/portion.ts';
import { makeSceneReads } from '../scenes/scene-reads.ts';
import { makeSceneWrites } from '../scenes/scene-writes.ts';
import { makeAreaWrites } from './area-writes.ts';
import { makeCallbackOperations } from './callback-operations.ts';
import { makeColormapWrites } from './colormap-writes.ts';
import { makeDemOperations } from './dem-operations.ts';
import { makeRateOperations } from './rate-operations.ts';
import { makeRotateCallbackSecret } from './rotate-callback-secret.ts';
import { makeTaskOperations } from './task-operations.ts';

/** What a database thread can be asked to do. */
export type Operations = ReturnType<typeof makeOperations>;

/** All that is done on database threads, by name. */
export function makeOperations(database: DatabaseSync) {
  const reads = makeSceneReads(database);
  const writes = makeSceneWrites(database);
  const areas = makeAreaWrites(database);
  const colormaps = makeColormapWrites(database);
  const dems = makeDemOperations(database);
  const callbacks = makeCallbackOperations(database);
  const tasks = makeTaskOperations(database, callbacks.insert);
  const rates = makeRateOperations(database);
  return {
    searchScenes: reads.search,
    searchHits: reads.searchHits,
    listScenes: reads.list,
    countScenes: reads.count,
    countByDataset: reads.countByDataset,
    /** For long lists: while they are packed here, another thread writes. */
    packRests: (texts: Portion): Portion => toPortion(piecesOf(texts).map(packRest)),
    putScenes: writes.put,
    replaceScene: writes.replace,
    removeScene: writes.remove,
    putArea: areas.put,
    putColormap: colormaps.put,
    removeColormaps: colormaps.remove,
    summarizeDem: dems.summarize,
    listDemFiles: dems.list,
    putDemFiles: dems.put,
    removeDemFiles: dems.remove,
    removeDem: dems.removeDem,
    countRequest: rates.count,
    createTask: tasks.create,
    leaseTasks: tasks.lease,
    renewTask: tasks.renew,
    finishTask: tasks.finish,
    failTask: tasks.fail,
    releaseTask: tasks.release,
    cancelTask: tasks.cancel,
    removeTask: tasks.remove,
    retryTask: tasks.retry,
    sweepTasks: tasks.sweep,
    pruneTasks: tasks.prune,
    trimTasks: tasks.trim,
    leaseCallback: callbacks.lease,
    deliverCallback: callbacks.deliver,
    failCallback: callbacks.fail,
    releaseCallback: callbacks.release,
    retryCallback: callbacks.retry,
    rotateCallbackSecret: makeRotateCallbackSecret(database),
    /** One statement of a small store, such as the keys'; gives the number of changed rows. */
    run: (sql: string, values: readonly SQLInputValue[]): number =>
      Number(database.prepare(sql).run(...values).changes),
  };
}

/**
 * Operations that begin no transaction: those that wait at the same time share a commit, and with it the time that the disk
 * takes. What each of them counts for is its number of rows.
 */
export const SHARING: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'putScenes',
  'createTask',
  'leaseTasks',
  'renewTask',
  'finishTask',
  'failTask',
  'releaseTask',
  'cancelTask',
  'removeTask',
  'retryTask',
  'sweepTasks',
  'pruneTasks',
  'trimTasks',
  'leaseCallback',
  'deliverCallback',
  'failCallback',
  'releaseCallback',
  'retryCallback',
]);
