import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { WireError } from '../../../errors.ts';
import type { CountedRequest, RatedRequest, UsageQuery, UsageRow } from '../../../keys/index.ts';
import type {
  AreaPut,
  AreaUsage,
  ColormapUsage,
  Recipe,
  RecipePut,
  RecipeUsage,
} from '../../../library/index.ts';
import type { RateRow } from '../../sql/rates.ts';
import { toCounted, toCountStatement, toRefused, toWaitStatement } from '../../sql/rates.ts';
import type { RecipeRow } from '../../sql/recipe-rows.ts';
import { RECIPE_COLUMNS, RECIPE_USAGE, toInsertRecipe, toRecipe } from '../../sql/recipe-rows.ts';
import type { Clause, SqlProgram } from '../../sql/sql.ts';
import { runProgram, sql } from '../../sql/sql.ts';
import type { StoredUsage } from '../../sql/usage-rows.ts';
import { toAddStatements, toListStatement, toPruneStatement, toUsageRow } from '../../sql/usage-rows.ts';
import { watchPrograms } from '../../sql/watch-programs.ts';
import { inTransaction, makeQueries, prepare, sharedNowMs } from '../connection.ts';
import type { Portion } from '../scenes/packed-records.ts';
import { packRest, piecesOf, toPortion } from '../scenes/packed-records.ts';
import { makeSceneReads } from '../scenes/scene-search.ts';
import { makeSceneWrites } from '../scenes/scene-writes.ts';
import { makeCoverageOperations } from './coverage-operations.ts';
import { makeDemOperations } from './dem-operations.ts';
import { makeFieldRemovals, makeFieldWrites } from './field-operations.ts';
import { makeFieldReads } from './field-reads.ts';
import { makeKnownSceneOperations } from './known-scene-operations.ts';
import { makeCallbackOperations, makeTaskOperations } from './task-operations.ts';

/** The operations of a database thread. */
export type Operations = ReturnType<typeof makeOperations>;

/** Builds all operations of database threads, by name. */
export function makeOperations(database: DatabaseSync) {
  const reads = makeSceneReads(database);
  const writes = makeSceneWrites(database);
  const known = makeKnownSceneOperations(database);
  const areas = makeAreaWrites(database);
  const colormaps = makeColormapWrites(database);
  const recipes = makeRecipeWrites(database);
  const coverage = makeCoverageOperations(database);
  const dems = makeDemOperations(database);
  const fieldReads = makeFieldReads(database);
  const fieldWrites = makeFieldWrites(database);
  const fieldRemovals = makeFieldRemovals(database);
  const callbacks = makeCallbackOperations(database);
  const tasks = makeTaskOperations(database, callbacks.insert);
  const rates = makeRateOperations(database);
  const usage = makeUsageOperations(database);
  const watches = makeWatchOperations(database);
  return {
    searchScenes: reads.search,
    searchHits: reads.searchHits,
    listScenes: reads.list,
    countScenes: reads.count,
    countByDataset: reads.countByDataset,
    /** Packs long lists here, while another thread writes. */
    packRests: (texts: Portion): Portion => toPortion(piecesOf(texts).map(packRest)),
    putScenes: writes.put,
    replaceScene: writes.replace,
    removeScene: writes.remove,
    putKnownScenes: known.put,
    countKnownScenes: known.count,
    claimKnownScene: known.claim,
    putArea: areas.put,
    putColormap: colormaps.put,
    removeColormaps: colormaps.remove,
    putRecipe: recipes.put,
    findCoverageCells: coverage.find,
    putCoverage: coverage.put,
    summarizeDem: dems.summarize,
    listDemFiles: dems.list,
    putDemFiles: dems.put,
    removeDemFiles: dems.remove,
    removeDem: dems.removeDem,
    listFields: fieldReads.list,
    countFields: fieldReads.count,
    listShapes: fieldReads.listShapes,
    listFieldGroups: fieldReads.listGroups,
    putFields: fieldWrites.put,
    changeField: fieldWrites.change,
    putLastValues: fieldWrites.putLastValues,
    removeFields: fieldRemovals.remove,
    countRequest: rates.count,
    addUsage: usage.add,
    listUsage: usage.list,
    pruneUsage: usage.prune,
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
    readWatch: watches.read,
    writeWatch: watches.write,
    /** Runs one statement of a small store, such as that of keys; returns the number of changed rows. */
    run: (sql: string, values: readonly SQLInputValue[]): number =>
      Number(database.prepare(sql).run(...values).changes),
  };
}

/**
 * Operations that begin no transaction: all that wait at the same time share a commit, so that they wait for the disk
 * once. Each counts with its number of rows.
 */
export const SHARING: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'putScenes',
  'putKnownScenes',
  'claimKnownScene',
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

/** Programs about subscriptions, by name. */
function makeWatchOperations(database: DatabaseSync) {
  const { query } = makeQueries(database);
  const read = (name: keyof typeof watchPrograms, args: readonly unknown[]): unknown => {
    const start = watchPrograms[name] as unknown as (...args: readonly unknown[]) => SqlProgram<unknown>;
    return runProgram(start(...args), query);
  };
  return {
    read,
    write: (name: keyof typeof watchPrograms, args: readonly unknown[]): unknown =>
      inTransaction(database, () => read(name, args)),
  };
}

/** A call of an operation, as a message to a thread. */
export interface Question {
  readonly id: number;
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
  /** When the call was made, by the clock that all threads share. */
  readonly askedMs: number;
}

/** The thread's answer. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: WireError };

/** An area as a row of its table. */
interface AreaRow {
  readonly ref: string;
  readonly digest: string;
  readonly owner: string;
  readonly feature: string;
  readonly geometry: string;
  readonly bytes: number;
}

/** Writes of areas, on the writing thread. */
function makeAreaWrites(database: DatabaseSync) {
  const byDigest = prepare<{ ref: string }>(database, 'SELECT ref FROM areas WHERE digest = ?');
  const usage = prepare<AreaUsage>(
    database,
    'SELECT count(*) AS areas, coalesce(sum(bytes), 0) AS bytes FROM areas WHERE owner = ?',
  );
  const insert = database.prepare(
    'INSERT INTO areas (ref, digest, feature, geometry, owner, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    put: ({ ref, digest, feature, geometry, owner, bytes }: AreaRow, limit: AreaUsage): AreaPut =>
      inTransaction(database, () => {
        const known = byDigest.get(digest);
        if (known !== undefined) return { kind: 'stored', ref: known.ref };
        const used = usage.get(owner) ?? { areas: 0, bytes: 0 };
        if (used.areas + 1 > limit.areas || used.bytes + bytes > limit.bytes)
          return { kind: 'full', used, bytes };
        insert.run(ref, digest, feature, geometry, owner, bytes);
        return { kind: 'stored', ref };
      }),
  };
}

/** Writes of custom colormaps, on the writing thread. */
function makeColormapWrites(database: DatabaseSync) {
  const owned = database.prepare('SELECT 1 FROM colormap_owners WHERE owner = ? AND id = ?');
  const usage = prepare<ColormapUsage>(
    database,
    'SELECT count(*) AS colormaps, coalesce(sum(bytes), 0) AS bytes FROM colormap_owners WHERE owner = ?',
  );
  const insert = database.prepare(
    'INSERT INTO colormaps (id, content) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const own = database.prepare('INSERT INTO colormap_owners (owner, id, bytes) VALUES (?, ?, ?)');
  const disown = prepare<{ id: string }>(
    database,
    'DELETE FROM colormap_owners WHERE owner = ?1 AND (?2 IS NULL OR id = ?2) RETURNING id',
  );
  const removeUnowned = database.prepare(
    'DELETE FROM colormaps WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM colormap_owners WHERE id = ?1)',
  );
  return {
    put: (
      { id, text, owner }: { readonly id: string; readonly text: string; readonly owner: string },
      maxColormaps: number,
    ): ColormapUsage | null =>
      inTransaction(database, () => {
        if (owned.get(owner, id) !== undefined) return null;
        const used = usage.get(owner) ?? { colormaps: 0, bytes: 0 };
        if (used.colormaps + 1 > maxColormaps) return used;
        insert.run(id, text);
        own.run(owner, id, Buffer.byteLength(text));
        return null;
      }),
    /** Removes an owner from one colormap, or from all with null, and deletes colormaps without an owner. */
    remove: (owner: string, id: string | null): number =>
      inTransaction(database, () => {
        const rows = disown.all(owner, id);
        for (const row of rows) removeUnowned.run(row.id);
        return rows.length;
      }),
  };
}

/** Writes of recipes, on the writing thread. */
function makeRecipeWrites(database: DatabaseSync) {
  const byId = prepare<RecipeRow>(
    database,
    `SELECT ${RECIPE_COLUMNS} FROM recipes WHERE owner = ? AND id = ?`,
  );
  const usage = prepare<RecipeUsage>(database, `SELECT ${RECIPE_USAGE} FROM recipes WHERE owner = ?`);
  return {
    put: (recipe: Recipe, maxRecipes: number): RecipePut =>
      inTransaction(database, () => {
        const known = byId.get(recipe.owner, recipe.id);
        if (known !== undefined) return { kind: 'stored', recipe: toRecipe(known), isNew: false };
        const used = usage.get(recipe.owner) ?? { recipes: 0, bytes: 0 };
        if (used.recipes + 1 > maxRecipes) return { kind: 'full', used: { ...used } };
        const { sql: text, values } = toInsertRecipe(recipe);
        database.prepare(text).run(...values);
        return { kind: 'stored', recipe, isNew: true };
      }),
  };
}

/**
 * Those of `SHARING` whose commits do not wait for the disk: known scenes are a cache, and a power cut loses only the last
 * of them. A hundred scenes that nobody has seen would wait for the disk longer than for their catalog.
 */
export const PASSING: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'putKnownScenes',
  'claimKnownScene',
]);

/** Runs work whose commit does not wait for the disk. The next durable commit writes it too. */
export function withoutSync<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    // A read-only database is closed on the way, and opened again by the next call.
    if (database.isOpen) database.exec('PRAGMA synchronous = FULL');
  }
}

/**
 * Counts requests without waiting for the disk: a power cut loses only the counts of the last minute, and waiting would
 * cost a disk write for every poll.
 */
function makeRateOperations(database: DatabaseSync) {
  const first = ({ sql: text, values }: Clause): RateRow | undefined =>
    prepare<RateRow>(database, text).get(...values);

  return {
    count(request: RatedRequest): CountedRequest {
      const counted = withoutSync(database, () => first(toCountStatement(request, nowUs())));
      if (counted !== undefined) return toCounted(counted, request);
      return toRefused(first(toWaitStatement(request, nowUs())), request);
    },
  };
}

const nowUs = (): Clause => sql`${1000 * sharedNowMs()}`;

/** Counts of what keys use. */
function makeUsageOperations(database: DatabaseSync) {
  const query = ({ sql: text, values }: Clause): readonly UsageRow[] =>
    prepare<StoredUsage>(database, text)
      .all(...values)
      .map(toUsageRow);
  return {
    add: (rows: readonly UsageRow[]): readonly UsageRow[] =>
      inTransaction(database, () => toAddStatements(rows).flatMap(query)),
    list: (asked: UsageQuery): readonly UsageRow[] => query(toListStatement(asked)),
    prune: (before: string): void => void query(toPruneStatement(before)),
  };
}

/** Counts a rotation of a key's callback secret and returns the new count. */
function makeRotateCallbackSecret(database: DatabaseSync) {
  const add = prepare<{ count: number }>(
    database,
    `INSERT INTO callback_rotations (key_id, count) VALUES (?, 1)
     ON CONFLICT (key_id) DO UPDATE SET count = count + 1 RETURNING count`,
  );
  return (keyId: string): number => add.get(keyId)?.count ?? 0;
}
