import { badInput } from '../../errors.ts';

/** A line of a table, with its number in the file. */
export interface CsvLine {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Characters of a line; a table of weather has a few hundred. */
const MAX_LINE = 65_536;

/** Reads the lines of a table with commas, semicolons or tabs between its cells (RFC 4180), without those that are empty. */
export function* parseCsvLines(text: string): Generator<CsvLine> {
  let separator: string | null = null;
  let number = 0;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  while (start < text.length) {
    number += 1;
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (end - start > MAX_LINE) throw refuse(number, `it has more than ${MAX_LINE} characters`);
    const line = text.slice(start, end).replace(/\r$/, '');
    start = end + 1;
    if (line.trim() === '') continue;
    separator ??= findSeparator(line);
    yield { number, cells: splitLine(line, separator, number) };
  }
}

/** The error of a line. */
export const refuse = (number: number, why: string): Error =>
  badInput('bad-table', `Line ${number} of the table cannot be read: ${why}.`);

function findSeparator(head: string): string {
  const count = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0]!;
}

function splitLine(line: string, separator: string, number: number): readonly string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let cell = '';
      let from = at + 1;
      for (;;) {
        const quote = line.indexOf('"', from);
        if (quote === -1) throw refuse(number, 'a quotation mark is not closed');
        cell += line.slice(from, quote);
        at = quote + 1;
        if (line[at] !== '"') break;
        // Two of them stand for one.
        cell += '"';
        from = at + 1;
      }
      if (at < line.length && line[at] !== separator)
        throw refuse(number, 'text follows a quotation mark that was closed');
      cells.push(cell.trim());
      at += 1;
    } else {
      const next = line.indexOf(separator, at);
      const end = next === -1 ? line.length : next;
      const cell = line.slice(at, end);
      if (cell.includes('"')) throw refuse(number, 'a quotation mark stands inside of a cell');
      cells.push(cell.trim());
      at = end + 1;
    }
  }
  return cells;
}
