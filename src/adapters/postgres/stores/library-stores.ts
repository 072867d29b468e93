import type { ColormapContent } from '../../../color/index.ts';
import type {
  AreaPut,
  AreaStore,
  AreaUsage,
  ColormapStore,
  ColormapUsage,
  NewArea,
  NewColormap,
  Recipe,
  RecipePut,
  RecipeStore,
  RecipeUsage,
  StoredArea,
} from '../../../library/index.ts';
import type { RecipeRow } from '../../sql/recipe-rows.ts';
import {
  RECIPE_COLUMNS,
  RECIPE_USAGE,
  toChangeRecipe,
  toInsertRecipe,
  toRecipe,
} from '../../sql/recipe-rows.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockColormaps, lockOwner, lockRecipesOf } from './write-locks.ts';

/** Areas in PostgreSQL. */
export function makePostgresAreaStore(client: SqlClient): AreaStore {
  return {
    async put(area, limit) {
      // Most areas are already stored: then there is nothing to write.
      const known = await findRef(client, area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known };
      return client.inTransaction((held) => putArea(held, area, limit));
    },
    async find(ref) {
      if (hasNul(ref)) return null;
      const [row] = await client.query<StoredArea>(
        sql`SELECT feature, geometry FROM areas WHERE ref = ${ref}`,
      );
      return row ?? null;
    },
    async remove(ref, owner) {
      if (hasNul(ref)) return false;
      const gone = await client.query(
        sql`DELETE FROM areas WHERE ref = ${ref} AND owner = ${owner} RETURNING ref`,
      );
      return gone.length === 1;
    },
    async removeAll(owner) {
      return (await client.query(sql`DELETE FROM areas WHERE owner = ${owner} RETURNING ref`)).length;
    },
    async usage() {
      const rows = await client.query<AreaUsageRow & { owner: string }>(
        sql`SELECT owner, count(*) AS areas, sum(bytes) AS bytes FROM areas WHERE owner IS NOT NULL GROUP BY owner`,
      );
      return new Map(rows.map((row) => [row.owner, toAreaUsage(row)]));
    },
  };
}

async function findRef(client: SqlClient, digest: string): Promise<string | undefined> {
  const [row] = await client.query<{ ref: string }>(sql`SELECT ref FROM areas WHERE digest = ${digest}`);
  return row?.ref;
}

async function putArea(client: SqlClient, area: NewArea, limit: AreaUsage): Promise<AreaPut> {
  const { ref, digest, owner, feature, geometry } = area;
  // Writers of one owner take turns, so that none counts while another adds.
  await lockOwner(client, owner);
  const known = await findRef(client, digest);
  if (known !== undefined) return { kind: 'stored', ref: known };
  const [row] = await client.query<AreaUsageRow>(
    sql`SELECT count(*) AS areas, coalesce(sum(bytes), 0) AS bytes FROM areas WHERE owner = ${owner}`,
  );
  const used = toAreaUsage(row as AreaUsageRow);
  const bytes = Buffer.byteLength(feature) + Buffer.byteLength(geometry);
  if (used.areas + 1 > limit.areas || used.bytes + bytes > limit.bytes) return { kind: 'full', used, bytes };
  await client.query(
    sql`INSERT INTO areas (ref, digest, feature, geometry, owner, bytes)
      VALUES (${ref}, ${digest}, ${feature}, ${geometry}, ${owner}, ${bytes})`,
  );
  return { kind: 'stored', ref };
}

/** PostgreSQL returns bigint as a string. */
interface AreaUsageRow {
  readonly areas: string;
  readonly bytes: string;
}

const toAreaUsage = ({ areas, bytes }: AreaUsageRow): AreaUsage => ({
  areas: Number(areas),
  bytes: Number(bytes),
});

/** Custom colormaps in PostgreSQL. */
export function makePostgresColormapStore(client: SqlClient): ColormapStore {
  const remove = (owner: string, id: string | null): Promise<number> =>
    client.inTransaction((held) => removeOwned(held, owner, id));
  return {
    async put(colormap, maxColormaps) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if (await isOwned(client, colormap)) return null;
      return client.inTransaction((held) => putColormap(held, colormap, maxColormaps));
    },
    async find(id) {
      if (hasNul(id)) return null;
      const [row] = await client.query<{ content: string }>(
        sql`SELECT content FROM colormaps WHERE id = ${id}`,
      );
      // The content was checked before it was stored.
      return row === undefined ? null : (JSON.parse(row.content) as ColormapContent);
    },
    remove: async (id, owner) => !hasNul(id) && (await remove(owner, id)) === 1,
    removeAll: (owner) => remove(owner, null),
    async usage() {
      const rows = await client.query<ColormapUsageRow & { owner: string }>(
        sql`SELECT owner, count(*) AS colormaps, sum(bytes) AS bytes FROM colormap_owners
          WHERE owner <> '' GROUP BY owner`,
      );
      return new Map(rows.map((row) => [row.owner, toColormapUsage(row)]));
    },
  };
}

async function isOwned(client: SqlClient, { id, owner }: NewColormap): Promise<boolean> {
  const rows = await client.query(sql`SELECT 1 FROM colormap_owners WHERE owner = ${owner} AND id = ${id}`);
  return rows.length === 1;
}

async function putColormap(
  client: SqlClient,
  colormap: NewColormap,
  maxColormaps: number,
): Promise<ColormapUsage | null> {
  const { id, owner } = colormap;
  await lockColormaps(client);
  if (await isOwned(client, colormap)) return null;
  const [row] = await client.query<ColormapUsageRow>(
    sql`SELECT count(*) AS colormaps, coalesce(sum(bytes), 0) AS bytes FROM colormap_owners WHERE owner = ${owner}`,
  );
  const used = toColormapUsage(row as ColormapUsageRow);
  if (used.colormaps + 1 > maxColormaps) return used;
  const text = JSON.stringify(colormap.content);
  await client.query(
    sql`INSERT INTO colormaps (id, content) VALUES (${id}, ${text}) ON CONFLICT (id) DO NOTHING`,
  );
  await client.query(
    sql`INSERT INTO colormap_owners (owner, id, bytes) VALUES (${owner}, ${id}, ${Buffer.byteLength(text)})`,
  );
  return null;
}

/** Removes an owner from one colormap, or from all with null, and deletes colormaps without an owner. */
async function removeOwned(client: SqlClient, owner: string, id: string | null): Promise<number> {
  await lockColormaps(client);
  const one = id === null ? raw('') : sql` AND id = ${id}`;
  const rows = await client.query<{ id: string }>(
    sql`DELETE FROM colormap_owners WHERE owner = ${owner}${one} RETURNING id`,
  );
  for (const row of rows) {
    await client.query(
      sql`DELETE FROM colormaps WHERE id = ${row.id}
        AND NOT EXISTS (SELECT 1 FROM colormap_owners o WHERE o.id = colormaps.id)`,
    );
  }
  return rows.length;
}

interface ColormapUsageRow {
  readonly colormaps: string;
  readonly bytes: string;
}

const toColormapUsage = ({ colormaps, bytes }: ColormapUsageRow): ColormapUsage => ({
  colormaps: Number(colormaps),
  bytes: Number(bytes),
});

const columns = raw(RECIPE_COLUMNS);
const counted = raw(RECIPE_USAGE);

/** Recipes in PostgreSQL. */
export function makePostgresRecipeStore(client: SqlClient): RecipeStore {
  return {
    async put(recipe, maxRecipes) {
      // Clients create the same recipe at every start: then there is nothing to write.
      const known = await findOne(client, toSelect(recipe));
      if (known !== null) return { kind: 'stored', recipe: known, isNew: false };
      return client.inTransaction((held) => putRecipe(held, recipe, maxRecipes));
    },
    async find(id, owner) {
      return hasNul(id) ? null : findOne(client, toSelect({ id, owner }));
    },
    async findShared(shareId) {
      if (hasNul(shareId)) return null;
      return findOne(client, sql`SELECT ${columns} FROM recipes WHERE share_id = ${shareId}`);
    },
    async list(owner, { after, limit }) {
      const rows = await client.query<RecipeRow>(
        sql`SELECT ${columns} FROM recipes
          WHERE owner = ${owner} AND (name, id) > (${after?.name ?? ''}, ${after?.id ?? ''})
          ORDER BY name, id LIMIT ${limit}`,
      );
      return rows.map(toRecipe);
    },
    async change(id, owner, changes) {
      if (hasNul(id)) return null;
      return findOne(client, sql`${toChangeRecipe(id, owner, changes)} RETURNING ${columns}`);
    },
    async remove(id, owner) {
      if (hasNul(id)) return false;
      const gone = await client.query(
        sql`DELETE FROM recipes WHERE owner = ${owner} AND id = ${id} RETURNING id`,
      );
      return gone.length === 1;
    },
    async removeAll(owner) {
      return (await client.query(sql`DELETE FROM recipes WHERE owner = ${owner} RETURNING id`)).length;
    },
    async usage() {
      const rows = await client.query<UsageRow & { owner: string }>(
        sql`SELECT owner, ${counted} FROM recipes GROUP BY owner`,
      );
      return new Map(rows.map((row) => [row.owner, toUsage(row)]));
    },
  };
}

const toSelect = ({ id, owner }: Pick<Recipe, 'id' | 'owner'>): Clause =>
  sql`SELECT ${columns} FROM recipes WHERE owner = ${owner} AND id = ${id}`;

async function findOne(client: SqlClient, statement: Clause): Promise<Recipe | null> {
  const [row] = await client.query<RecipeRow>(statement);
  return row === undefined ? null : toRecipe(row);
}

async function putRecipe(client: SqlClient, recipe: Recipe, maxRecipes: number): Promise<RecipePut> {
  // Writers of one owner take turns, so that none counts while another adds.
  await lockRecipesOf(client, recipe.owner);
  const known = await findOne(client, toSelect(recipe));
  if (known !== null) return { kind: 'stored', recipe: known, isNew: false };
  const [row] = await client.query<UsageRow>(
    sql`SELECT ${counted} FROM recipes WHERE owner = ${recipe.owner}`,
  );
  const used = toUsage(row as UsageRow);
  if (used.recipes + 1 > maxRecipes) return { kind: 'full', used };
  await client.query(toInsertRecipe(recipe));
  return { kind: 'stored', recipe, isNew: true };
}

/** PostgreSQL returns bigint as a string. */
interface UsageRow {
  readonly recipes: string;
  readonly bytes: string;
}

const toUsage = ({ recipes, bytes }: UsageRow): RecipeUsage => ({
  recipes: Number(recipes),
  bytes: Number(bytes),
});
