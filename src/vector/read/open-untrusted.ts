import { constants, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { quoteName } from '../quote-name.ts';
import type { VectorLimits } from '../shapes.ts';

/** What a query may do: read tables. No functions, no recursion, no other databases. */
const ALLOWED: ReadonlySet<number> = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ]);
/** The only question beside it. */
const COLUMNS_OF = 'table_xinfo';

/**
 * Opens an SQLite file that a stranger has written: read-only, without locks or journals, without extensions, with limits
 * on values and expressions. The schema of the file cannot run functions.
 */
export function openUntrusted(path: string, { maxRowBytes }: VectorLimits): DatabaseSync {
  const url = pathToFileURL(path);
  // Nobody else writes it, and a journal next to it must not be looked for.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    limits: {
      length: maxRowBytes,
      exprDepth: 50,
      compoundSelect: 2,
      vdbeOp: 100_000,
      functionArg: 8,
      attach: 0,
      triggerDepth: 1,
      sqlLength: 1_000_000,
    },
  });
  try {
    // Pages whose cells lie about their places are refused when they are read.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    database.enableDefensive(true);
    database.setAuthorizer((action, name) => {
      const isAllowed = ALLOWED.has(action) || (action === constants.SQLITE_PRAGMA && name === COLUMNS_OF);
      return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What a table is: its primary key if that is one column, and whether it computes some of its columns. */
export function describeTable(
  database: DatabaseSync,
  table: string,
): { readonly key: string | null; readonly isComputed: boolean } {
  const columns = database.prepare(`PRAGMA ${COLUMNS_OF}(${quoteName(table)})`).all();
  const keys = columns.filter(({ pk }) => Number(pk) > 0);
  return {
    key: keys.length === 1 ? String(keys[0]!.name) : null,
    isComputed: columns.some(({ hidden }) => Number(hidden) > 0),
  };
}
