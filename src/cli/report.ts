/** Reports of an ingest: the options that ask for one, the problems that are printed, and the file. */

import { chmod, stat, writeFile } from 'node:fs/promises';
import { flag, option } from './command.ts';
import { badInput } from './errors.ts';
import type { Terminal } from './terminal.ts';

/** Files named in the summary; the report has all. */
const MAX_NAMED = 20;

/** Prints what went wrong with files, one line each, and how many more there are. */
export function printProblems(lines: readonly string[], { note }: Terminal): void {
  for (const line of lines.slice(0, MAX_NAMED)) note(line);
  if (lines.length > MAX_NAMED)
    note(`… and ${lines.length - MAX_NAMED} more; --report FILE writes them all.`);
}

/** Builds the function that prints a bug that a file or product has revealed, with where it is. */
export const makeNoteBug =
  ({ note }: Terminal) =>
  (error: unknown, file: string): void =>
    note(`${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);

/** Writes a report as JSON to the file of `--report`. */
export async function writeReport(path: string, report: unknown, mode: number): Promise<void> {
  try {
    const isNew = (await stat(path).catch(() => null)) === null;
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
    // The process makes private files; this one is its caller's.
    if (isNew) await chmod(path, mode);
  } catch (error) {
    throw badInput('report-not-written', `The report could not be written to ${path}.`, { cause: error });
  }
}

/** Options of every ingest: where the outcome of each file or product goes. */
export const reportOptions = {
  report: option('--report FILE', 'write the outcome of each file or product to FILE, as JSON'),
  json: flag('--json', 'print the same to standard output in place of a summary'),
};

/** The option of lists. */
export const jsonList = { json: flag('--json', 'print JSON in place of a table') };
