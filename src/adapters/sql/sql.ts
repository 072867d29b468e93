/** SQL as values: clauses with what their question marks stand for, and programs of several statements. */

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

/**
 * Statements that run one after the other in one transaction, each with the rows of the one before: written once, and run
 * by SQLite without waiting and by PostgreSQL with a round trip for each.
 */
export type SqlProgram<Result> = Generator<Clause, Result, readonly unknown[]>;

/** Programs by name. */
export type SqlPrograms = Readonly<Record<string, (...args: never[]) => SqlProgram<unknown>>>;

type ResultOf<Program> = Program extends (...args: never[]) => SqlProgram<infer Result> ? Result : never;

/** Runs programs of a table by their names, on one database. */
export type RunPrograms<Programs extends SqlPrograms> = <Name extends keyof Programs & string>(
  name: Name,
  ...args: Parameters<Programs[Name]>
) => Promise<ResultOf<Programs[Name]>>;

/** Runs one statement in a program. */
export function* ask<Row>(clause: Clause): SqlProgram<readonly Row[]> {
  return (yield clause) as readonly Row[];
}

/** Runs a program with a database that answers at once. */
export function runProgram<Result>(
  program: SqlProgram<Result>,
  query: (clause: Clause) => readonly unknown[],
): Result {
  let step = program.next();
  while (step.done !== true) step = program.next(query(step.value));
  return step.value;
}

/** Runs a program with a database that answers later. */
export async function runProgramLater<Result>(
  program: SqlProgram<Result>,
  query: (clause: Clause) => Promise<readonly unknown[]>,
): Promise<Result> {
  let step = program.next();
  while (step.done !== true) step = program.next(await query(step.value));
  return step.value;
}
