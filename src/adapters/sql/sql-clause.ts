/** A piece of SQL with the values of its question marks; user input is only ever among the values. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A value that both databases accept. */
export type SqlValue = string | number | null;

/** True if all are true; true for an empty list. */
export const all = (clauses: readonly Clause[]): Clause => join(clauses, ' AND ', '1 = 1');
/** True if any is true; false for an empty list. */
export const any = (clauses: readonly Clause[]): Clause => join(clauses, ' OR ', '1 = 0');

function join(clauses: readonly Clause[], word: string, empty: string): Clause {
  if (clauses.length === 0) return { sql: empty, values: [] };
  return { sql: `(${clauses.map((c) => c.sql).join(word)})`, values: clauses.flatMap((c) => c.values) };
}

/** SQL around values: `sql\`date >= ${day}\`` binds `day`; a clause among the values is inserted as SQL. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Clause | SqlValue)[]): Clause {
  let text = texts[0] as string;
  const values: SqlValue[] = [];
  for (const [i, part] of parts.entries()) {
    if (part !== null && typeof part === 'object') {
      text += part.sql;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += texts[i + 1];
  }
  return { sql: text, values };
}

/** Joins clauses with a separator. */
export function list(clauses: readonly Clause[], separator: string): Clause {
  return { sql: clauses.map((c) => c.sql).join(separator), values: clauses.flatMap((c) => c.values) };
}

/** SQL without values, written by us. */
export const raw = (text: string): Clause => ({ sql: text, values: [] });

/** How a database runs statements. */
export interface Statements {
  read<Row extends object>(clause: Clause): Promise<readonly Row[]>;
  /** Resolves to the number of rows, for a statement that returns those it has changed. */
  change(clause: Clause): Promise<number>;
}
