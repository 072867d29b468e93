import type { Clause } from './sql-clause.ts';

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
