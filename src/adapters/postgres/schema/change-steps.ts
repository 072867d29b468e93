/**
 * PostgreSQL limits a notification to 8,000 bytes. A report of more ids than these, or of longer ones, has no ids: it means
 * that any may have changed.
 */
const MAX_IDS = 100;
const MAX_BYTES = 7_500;

type Operation = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';

/** Which change of a table is reported. */
interface Report {
  readonly table: string;
  readonly on: Operation;
  readonly kind: string;
  /** Ids of what has changed, as a SELECT from `went` and, of an update, `came`; without it the report has no ids. */
  readonly ids?: string;
}

const TABLES: Readonly<Record<Exclude<Operation, 'TRUNCATE'>, string>> = {
  INSERT: '',
  UPDATE: 'REFERENCING OLD TABLE AS went NEW TABLE AS came',
  DELETE: 'REFERENCING OLD TABLE AS went',
};

/** A trigger function for each report, because a transition table is known by its columns only. */
function toTrigger({ table, on, kind, ids }: Report): string {
  const name = `report_${table}_${on.toLowerCase()}`;
  const list = ids === undefined ? `'{}'::text[]` : `ARRAY(${ids} LIMIT ${MAX_IDS + 1})`;
  return `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  DECLARE ids text[] := ${list};
  BEGIN
    ${ids === undefined ? '' : 'IF cardinality(ids) = 0 THEN RETURN NULL; END IF;'}
    PERFORM report_change(TG_TABLE_SCHEMA::text, '${kind}', ids);
    RETURN NULL;
  END $body$;
  CREATE TRIGGER ${name} AFTER ${on} ON ${table} ${ids === undefined || on === 'TRUNCATE' ? '' : TABLES[on]}
    FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
}

/** Reports of a table whose rows are cached by an id. */
const toReports = (table: string, kind: string, id: string): readonly Report[] => [
  { table, on: 'UPDATE', kind, ids: `SELECT ${id} FROM went` },
  { table, on: 'DELETE', kind, ids: `SELECT ${id} FROM went` },
  { table, on: 'TRUNCATE', kind },
];

/** Triggers for a table that was made after `changeReportsStep`, whose rows are cached by an id. */
export const toChangeTriggers = (table: string, kind: string, id: string): string =>
  toReports(table, kind, id).map(toTrigger).join('');

const ALL: readonly Operation[] = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'];

/** Outlines of fields are looked up like areas; a report follows when a field gets another outline. */
const LOST_OUTLINES = 'SELECT ref FROM went WHERE ref IS NOT NULL';

const REPORTS: readonly Report[] = [
  ...toReports('keys', 'keys', 'id'),
  ...toReports('scenes', 'scenes', 'view_id'),
  { table: 'scenes', on: 'INSERT', kind: 'scene-names' },
  { table: 'known_scenes', on: 'DELETE', kind: 'known-scenes', ids: 'SELECT view_id FROM went' },
  { table: 'known_scenes', on: 'TRUNCATE', kind: 'known-scenes' },
  { table: 'known_scenes', on: 'INSERT', kind: 'known-scene-names' },
  ...toReports('recipes', 'recipes', 'id'),
  ...['dems', 'dem_layers', 'dem_files'].flatMap((table) => ALL.map((on) => ({ table, on, kind: 'dems' }))),
  ...toReports('areas', 'areas', 'ref'),
  ...toReports('colormaps', 'colormaps', 'id'),
  {
    table: 'fields',
    on: 'UPDATE',
    kind: 'areas',
    ids: `${LOST_OUTLINES} EXCEPT SELECT ref FROM came`,
  },
  { table: 'fields', on: 'DELETE', kind: 'areas', ids: LOST_OUTLINES },
  { table: 'fields', on: 'TRUNCATE', kind: 'areas' },
];

/**
 * The migration that reports changes of what nodes cache (`connection/listener.ts`), in the transaction that makes them.
 * Triggers report them, so that commands, other versions and changes by hand are reported too. A report is a JSON array: the kind,
 * then ids; equal ones of a transaction are sent once. Notes about the use of known scenes are not reported: they are
 * frequent and change nothing that is cached, and a trigger with a condition costs them least.
 */
export const changeReportsStep = `
  CREATE FUNCTION report_change(schema_name text, kind text, ids text[]) RETURNS void LANGUAGE plpgsql AS $body$
  DECLARE report text := to_json(array_prepend(kind, ids))::text;
  BEGIN
    IF cardinality(ids) > ${MAX_IDS} OR octet_length(report) > ${MAX_BYTES} THEN
      report := to_json(ARRAY[kind])::text;
    END IF;
    PERFORM pg_notify(schema_name || '_changes', report);
  END $body$;
  ${REPORTS.map(toTrigger).join('')}
  CREATE FUNCTION report_known_scene() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
  BEGIN
    PERFORM report_change(TG_TABLE_SCHEMA::text, 'known-scenes', ARRAY[OLD.view_id::text]);
    RETURN NULL;
  END $body$;
  CREATE TRIGGER report_known_scene AFTER UPDATE ON known_scenes FOR EACH ROW
    WHEN ((OLD.version, OLD.checked_at, OLD.item_state) IS DISTINCT FROM (NEW.version, NEW.checked_at, NEW.item_state))
    EXECUTE FUNCTION report_known_scene();`;
