import type { Field, FieldStore, SharedGroup } from '../../../fields/index.ts';
import type { FieldRow, ShareRow } from '../../sql/field-rows.ts';
import { toField, toShare } from '../../sql/field-rows.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { Lookups } from '../connection.ts';
import type { Ask } from '../threads/database-threads.ts';
import { FIELD_BY_ID } from '../threads/field-reads.ts';

const PUT_SHARE = `INSERT INTO field_shares (owner, grp, share_id, expires_at, rate_per_minute)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner, grp) DO UPDATE
  SET expires_at = excluded.expires_at, rate_per_minute = excluded.rate_per_minute`;
const END_SHARE = 'DELETE FROM field_shares WHERE owner = ? AND grp = ?';
const END_SHARES = 'DELETE FROM field_shares WHERE owner = ?';

interface FieldStoreDeps {
  /** For look-ups by an index, on the calling thread. */
  readonly database: Lookups;
  readonly read: Ask;
  readonly write: Ask;
}

/** Fields in SQLite. */
export function makeSqliteFieldStore({ database, read, write }: FieldStoreDeps): FieldStore {
  const byId = database.prepare<FieldRow & { geometry: string }>(FIELD_BY_ID);
  const refOf = database.prepare<{ ref: string }>(
    'SELECT f.ref FROM field_owners o JOIN fields f ON f.owner = o.number WHERE o.owner = ? AND f.id = ?',
  );
  const byRef = database.prepare<Pick<Field, 'id' | 'geometry'>>(
    'SELECT id, geometry FROM fields WHERE ref = ?',
  );
  const usage = database.prepare<{ owner: string; fields: number; bytes: number }>(
    'SELECT owner, fields, bytes FROM field_owners WHERE fields > 0',
  );
  const shareOf = database.prepare<ShareRow>('SELECT * FROM field_shares WHERE owner = ? AND grp = ?');
  const byShare = database.prepare<ShareRow & { owner: string; grp: string }>(
    'SELECT * FROM field_shares WHERE share_id = ?',
  );

  /** Removes in several steps, between which others write. */
  async function removeWhere(owner: string, which: Clause): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await write('removeFields', owner, which);
      if (count === 0) return removed;
      removed += count;
    }
  }

  return {
    put: async (owner, drafts, options) =>
      drafts.length === 0 ? [] : write('putFields', owner, drafts, options),
    change: (owner, id, changes, options) => write('changeField', owner, id, changes, options),
    async find(owner, id) {
      const row = byId.get(owner, id);
      return row === undefined ? null : toField(owner, row);
    },
    findRef: async (owner, id) => refOf.get(owner, id)?.ref ?? null,
    async findByRef(areaRef) {
      const row = byRef.get(areaRef);
      return row === undefined ? null : { ...row };
    },
    list: (query) => read('listFields', query),
    count: (selection) => read('countFields', selection),
    listShapes: (selection, page) => read('listShapes', selection, page),
    listGroups: (owner, { after, limit }) => read('listFieldGroups', owner, after, limit),
    remove: async (owner, id) => (await write('removeFields', owner, sql`f.id = ${id}`)) === 1,
    async removeGroup(owner, group) {
      await write('run', END_SHARE, [owner, group]);
      return removeWhere(owner, sql`f.grp = ${group}`);
    },
    async removeAll(owner) {
      await write('run', END_SHARES, [owner]);
      return removeWhere(owner, raw('1 = 1'));
    },
    async usage() {
      return new Map(usage.all().map(({ owner, fields, bytes }) => [owner, { fields, bytes }]));
    },
    async putLastValues(owner, rows) {
      if (rows.length > 0) await write('putLastValues', owner, rows);
    },
    async putShare(owner, group, share) {
      if (share === null) await write('run', END_SHARE, [owner, group]);
      else await write('run', PUT_SHARE, [owner, group, share.id, share.expiresAt, share.ratePerMinute]);
      const row = shareOf.get(owner, group);
      return row === undefined ? null : toShare(row);
    },
    async findShared(shareId) {
      const row = byShare.get(shareId);
      return row === undefined
        ? null
        : ({ owner: row.owner, group: row.grp, share: toShare(row) } as SharedGroup);
    },
  };
}
