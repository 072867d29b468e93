import type { ColormapContent } from '../../../color/index.ts';
import type { AreaStore, ColormapStore, RecipeStore, StoredArea } from '../../../library/index.ts';
import type { RecipeRow } from '../../sql/recipe-rows.ts';
import { RECIPE_COLUMNS, RECIPE_USAGE, toChangeRecipe, toRecipe } from '../../sql/recipe-rows.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';

const REMOVE_AREA = 'DELETE FROM areas WHERE ref = ? AND owner = ?';
const REMOVE_AREAS = 'DELETE FROM areas WHERE owner = ?';

/** Areas in SQLite. */
export function makeSqliteAreaStore(database: Lookups, write: Ask): AreaStore {
  const byDigest = database.prepare<{ ref: string }>('SELECT ref FROM areas WHERE digest = ?');
  const byRef = database.prepare<StoredArea>('SELECT feature, geometry FROM areas WHERE ref = ?');
  const usage = database.prepare<{ owner: string; areas: number; bytes: number }>(
    'SELECT owner, count(*) AS areas, sum(bytes) AS bytes FROM areas WHERE owner IS NOT NULL GROUP BY owner',
  );
  return {
    async put(area, limit) {
      // Most areas are already stored: then there is nothing to write.
      const known = byDigest.get(area.digest);
      if (known !== undefined) return { kind: 'stored', ref: known.ref };
      const { ref, digest, owner, feature, geometry } = area;
      const bytes = Buffer.byteLength(feature) + Buffer.byteLength(geometry);
      return write('putArea', { ref, digest, owner, feature, geometry, bytes }, limit);
    },
    async find(ref) {
      const row = byRef.get(ref);
      return row === undefined ? null : { ...row };
    },
    remove: async (ref, owner) => (await write('run', REMOVE_AREA, [ref, owner])) === 1,
    removeAll: (owner) => write('run', REMOVE_AREAS, [owner]),
    async usage() {
      return new Map(usage.all().map(({ owner, areas, bytes }) => [owner, { areas, bytes }]));
    },
  };
}

/** Custom colormaps in SQLite. */
export function makeSqliteColormapStore(database: Lookups, write: Ask): ColormapStore {
  const byId = database.prepare<{ content: string }>('SELECT content FROM colormaps WHERE id = ?');
  const owned = database.prepare('SELECT 1 FROM colormap_owners WHERE owner = ? AND id = ?');
  const usage = database.prepare<{ owner: string; colormaps: number; bytes: number }>(
    `SELECT owner, count(*) AS colormaps, sum(bytes) AS bytes FROM colormap_owners WHERE owner <> '' GROUP BY owner`,
  );
  return {
    async put({ id, content, owner }, maxColormaps) {
      // Clients create the same colormap at every start: then there is nothing to write.
      if (owned.get(owner, id) !== undefined) return null;
      return write('putColormap', { id, text: JSON.stringify(content), owner }, maxColormaps);
    },
    async find(id) {
      const row = byId.get(id);
      // The content was checked before it was stored.
      return row === undefined ? null : (JSON.parse(row.content) as ColormapContent);
    },
    remove: async (id, owner) => (await write('removeColormaps', owner, id)) === 1,
    removeAll: (owner) => write('removeColormaps', owner, null),
    async usage() {
      return new Map(usage.all().map(({ owner, colormaps, bytes }) => [owner, { colormaps, bytes }]));
    },
  };
}

const REMOVE_RECIPE = 'DELETE FROM recipes WHERE owner = ? AND id = ?';
const REMOVE_RECIPES = 'DELETE FROM recipes WHERE owner = ?';

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
    remove: async (id, owner) => (await write('run', REMOVE_RECIPE, [owner, id])) === 1,
    removeAll: (owner) => write('run', REMOVE_RECIPES, [owner]),
    async usage() {
      return new Map(usage.all().map(({ owner, recipes, bytes }) => [owner, { recipes, bytes }]));
    },
  };
}

const toFound = (row: RecipeRow | undefined) => (row === undefined ? null : toRecipe(row));
