import type { DatabaseSync } from 'node:sqlite';
import type { AreaPut, AreaUsage } from '../../../library/index.ts';
import { prepare } from '../database/queries.ts';
import { inTransaction } from '../database/transaction.ts';

/** An area as a row of its table. */
export interface AreaRow {
  readonly ref: string;
  readonly digest: string;
  readonly owner: string;
  readonly feature: string;
  readonly geometry: string;
  readonly bytes: number;
}

/** What changes areas; for the writing thread. */
export function makeAreaWrites(database: DatabaseSync) {
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
