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
