/** How both databases store what a key may do. */
import type { KeyChanges, KeyRecord, Role } from '../../keys/index.ts';
import type { Clause } from './sql.ts';
import { list, sql } from './sql.ts';

/**
 * The column `scope` holds the words that were used before there were roles. Nodes of the version before share the database during an
 * upgrade: they read `full` and `catalog` as they always did, and let `admin` do what `full` may.
 */
const SCOPES = { read: 'read', order: 'full', ingest: 'catalog', admin: 'admin' } as const satisfies Record<
  Role,
  string
>;

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  (Object.entries(SCOPES) as [Role, string][]).map(([role, scope]) => [scope, role]),
);

export const toScope = (role: Role): string => SCOPES[role];

/** A row as the databases give it. */
export type KeyRow = Omit<KeyRecord, 'role'> & { readonly scope: string };

/** The key of a row; a word that a later version wrote permits only reading. */
export const toKeyRecord = ({ scope, ...row }: KeyRow): KeyRecord => ({
  ...row,
  role: ROLE_OF.get(scope) ?? 'read',
});

/** Changes a key; returns a row if there is one. */
export function toChangeKey(id: string, { role, revokedAt }: KeyChanges): Clause {
  const changes = [
    sql`id = id`,
    ...(role === undefined ? [] : [sql`scope = ${toScope(role)}`]),
    ...(revokedAt === undefined ? [] : [sql`revoked_at = NULL`]),
  ];
  return sql`UPDATE keys SET ${list(changes, ', ')} WHERE id = ${id} RETURNING id`;
}
