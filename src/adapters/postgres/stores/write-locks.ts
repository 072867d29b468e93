import { sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** First number of our two-number advisory locks; the migration lock has a single number, in a separate space. */
const AREAS_OF_OWNER = 79_284;
const COLORMAPS = 79_285;
const DEM_FILES = 79_286;
const TASKS_OF_OWNER = 79_287;
const KNOWN_SCENES = 79_288;
const RECIPES_OF_OWNER = 79_289;
const SUBSCRIPTIONS_OF_OWNER = 79_291;
/** Locks of whole processes, which have a name. */
export const NAMED_LOCKS = 79_292;

/** Locks the areas of an owner against other writers until the transaction ends. */
export async function lockOwner(client: SqlClient, owner: string): Promise<void> {
  // Owners with equal hashes wait for each other, which is harmless.
  await client.query(sql`SELECT pg_advisory_xact_lock(${AREAS_OF_OWNER}, hashtext(${owner}))`);
}

/** Locks the recipes of an owner against other writers until the transaction ends. */
export async function lockRecipesOf(client: SqlClient, owner: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(${RECIPES_OF_OWNER}, hashtext(${owner}))`);
}

/** Locks the subscriptions of an owner against others that add some, until the transaction ends. */
export async function lockSubscriptionsOf(client: SqlClient, owner: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(${SUBSCRIPTIONS_OF_OWNER}, hashtext(${owner}))`);
}

/**
 * Locks all custom colormaps against other writers until the transaction ends. Owners share colormaps: one may add itself
 * to a colormap while its last owner leaves. Such changes are few, so one lock for all of them is enough.
 */
export async function lockColormaps(client: SqlClient): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(${COLORMAPS}, 0)`);
}

/**
 * Locks all files of elevation models against other writers until the transaction ends: no model is removed while files
 * are added to it. Operators write them, seldom two at once, so one lock for all is enough.
 */
export async function lockDemFiles(client: SqlClient): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(${DEM_FILES}, 0)`);
}

/**
 * Locks all scenes of live catalogs against other nodes that add or remove some, until the transaction ends: they are
 * counted, and those beyond the bound go. A node adds scenes that it has just asked a catalog for, so one lock is enough.
 */
export async function lockKnownScenes(client: SqlClient): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(${KNOWN_SCENES}, 0)`);
}

/**
 * Locks the creation of tasks by owners until the transaction ends: their tasks are counted before new ones are added. The
 * locks are taken in the order of the owners' hashes, so that transactions do not deadlock.
 */
export async function lockTasksOf(client: SqlClient, owners: readonly string[]): Promise<void> {
  await client.query({
    sql: `SELECT pg_advisory_xact_lock(?::integer, hash)
          FROM (SELECT DISTINCT hashtext(owner) AS hash FROM unnest(?::text[]) AS owner ORDER BY hash) hashes`,
    values: [TASKS_OF_OWNER, owners],
  });
}
