/** Recipes as rows, and the statements about them that both databases share. */

import type { Recipe, RecipeChanges, RecipeContent } from '../../library/index.ts';
import type { Clause } from './sql.ts';
import { list, raw, sql } from './sql.ts';

/** A recipe as a row of its table. */
export interface RecipeRow {
  readonly owner: string;
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly created_at: string;
  readonly share_id: string | null;
  readonly expires_at: string | null;
  readonly rate_per_minute: number | null;
}

/** The columns of a row. */
export const RECIPE_COLUMNS =
  'owner, id, name, content, created_at, share_id, expires_at, rate_per_minute' as const;

/** The usage of the rows that are selected. */
export const RECIPE_USAGE = 'count(*) AS recipes, coalesce(sum(bytes), 0) AS bytes' as const;

/** The recipe of a row; its content was checked before it was stored. */
export const toRecipe = (row: RecipeRow): Recipe => ({
  owner: row.owner,
  id: row.id,
  name: row.name,
  content: JSON.parse(row.content) as RecipeContent,
  createdAt: row.created_at,
  share:
    row.share_id === null
      ? null
      : { id: row.share_id, expiresAt: row.expires_at, ratePerMinute: row.rate_per_minute ?? 0 },
});

/** Inserts a recipe. */
export function toInsertRecipe({ owner, id, name, content, createdAt, share }: Recipe): Clause {
  const text = JSON.stringify(content);
  return sql`INSERT INTO recipes (owner, id, name, content, bytes, created_at, share_id, expires_at, rate_per_minute)
    VALUES (${owner}, ${id}, ${name}, ${text}, ${Buffer.byteLength(text)}, ${createdAt},
      ${share?.id ?? null}, ${share?.expiresAt ?? null}, ${share?.ratePerMinute ?? null})`;
}

/** Changes a recipe; with nothing to change, it sets the name to itself, so that the row counts as found. */
export function toChangeRecipe(id: string, owner: string, { name, share }: RecipeChanges): Clause {
  const changes = [name === undefined ? raw('name = name') : sql`name = ${name}`];
  if (share === null) changes.push(raw('share_id = NULL, expires_at = NULL, rate_per_minute = NULL'));
  else if (share !== undefined) {
    changes.push(
      sql`share_id = coalesce(share_id, ${share.id}), expires_at = ${share.expiresAt}, rate_per_minute = ${share.ratePerMinute}`,
    );
  }
  return sql`UPDATE recipes SET ${list(changes, ', ')} WHERE owner = ${owner} AND id = ${id}`;
}
