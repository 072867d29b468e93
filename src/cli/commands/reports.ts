import { flag, option } from './command.ts';

/** Options of every ingest: where the outcome of each file or product goes. */
export const reportOptions = {
  report: option('--report FILE', 'write the outcome of each file or product to FILE, as JSON'),
  json: flag('--json', 'print the same to standard output in place of a summary'),
};

/** The option of lists. */
export const jsonList = { json: flag('--json', 'print JSON in place of a table') };
