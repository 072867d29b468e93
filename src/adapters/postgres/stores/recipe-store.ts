import type { Recipe, RecipePut, RecipeStore, RecipeUsage } from '../../../library/index.ts';
import type { RecipeRow } from '../../sql/recipe-rows.ts';
import {
  RECIPE_COLUMNS,
  RECIPE_USAGE,
  toChangeRecipe,
  toInsertRecipe,
  toRecipe,
} from '../../sql/recipe-rows.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { hasNul } from '../connection/sql-client.ts';
import { lockRecipesOf } from './write-locks.ts';

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
