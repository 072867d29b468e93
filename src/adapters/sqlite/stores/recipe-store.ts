import type { RecipeStore } from '../../../library/index.ts';
import type { RecipeRow } from '../../sql/recipe-rows.ts';
import { RECIPE_COLUMNS, RECIPE_USAGE, toChangeRecipe, toRecipe } from '../../sql/recipe-rows.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const REMOVE = 'DELETE FROM recipes WHERE owner = ? AND id = ?';
const REMOVE_ALL = 'DELETE FROM recipes WHERE owner = ?';

/** Recipes in SQLite. */
export function makeSqliteRecipeStore(database: Lookups, write: Ask): RecipeStore {
  const byId = database.prepare<RecipeRow>(
    `SELECT ${RECIPE_COLUMNS} FROM recipes WHERE owner = ? AND id = ?`,
  );
  const byShare = database.prepare<RecipeRow>(`SELECT ${RECIPE_COLUMNS} FROM recipes WHERE share_id = ?`);
  const page = database.prepare<RecipeRow>(
    `SELECT ${RECIPE_COLUMNS} FROM recipes WHERE owner = ? AND (name, id) > (?, ?) ORDER BY name, id LIMIT ?`,
  );
  const usage = database.prepare<{ owner: string; recipes: number; bytes: number }>(
    `SELECT owner, ${RECIPE_USAGE} FROM recipes GROUP BY owner`,
  );
  const find = (id: string, owner: string) => toFound(byId.get(owner, id));
  return {
    async put(recipe, maxRecipes) {
      // Clients create the same recipe at every start: then there is nothing to write.
      const known = find(recipe.id, recipe.owner);
      if (known !== null) return { kind: 'stored', recipe: known, isNew: false };
      return write('putRecipe', recipe, maxRecipes);
    },
    find: async (id, owner) => find(id, owner),
    findShared: async (shareId) => toFound(byShare.get(shareId)),
    async list(owner, { after, limit }) {
      return page.all(owner, after?.name ?? '', after?.id ?? '', limit).map(toRecipe);
    },
    async change(id, owner, changes) {
      const { sql, values } = toChangeRecipe(id, owner, changes);
      return (await write('run', sql, values)) === 1 ? find(id, owner) : null;
    },
    remove: async (id, owner) => (await write('run', REMOVE, [owner, id])) === 1,
    removeAll: (owner) => write('run', REMOVE_ALL, [owner]),
    async usage() {
      return new Map(usage.all().map(({ owner, recipes, bytes }) => [owner, { recipes, bytes }]));
    },
  };
}

const toFound = (row: RecipeRow | undefined) => (row === undefined ? null : toRecipe(row));
