/** A piece of SQL with the values of its question marks; what users send is only ever among the values. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What both databases take as a value. */
export type SqlValue = string | number | null;

/** True if all are true; true for an empty list. */
export const all = (clauses: readonly Clause[]): Clause => join(clauses, ' AND ', '1 = 1');
/** True if any is true; false for an empty list. */
export const any = (clauses: readonly Clause[]): Clause => join(clauses, ' OR ', '1 = 0');

function join(clauses: readonly Clause[], word: string, empty: string): Clause {
  if (clauses.length === 0) return { sql: empty, values: [] };
  return { sql: `(${clauses.map((c) => c.sql).join(word)})`, values: clauses.flatMap((c) => c.values) };
}

/** SQL written around values: `sql\`date >= ${day}\`` binds `day`; a clause among the values is put in as it is. */
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

/** Clauses one after another. */
export function list(clauses: readonly Clause[], separator: string): Clause {
  return { sql: clauses.map((c) => c.sql).join(separator), values: clauses.flatMap((c) => c.values) };
}

/** SQL without values, written by us. */
export const raw = (text: string): Clause => ({ sql: text, values: [] });
