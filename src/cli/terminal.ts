/** Where a command prints to: lines, notes, progress and tables. */

import { redactAddresses } from '../net/index.ts';

/** Where a command prints to. */
export interface Terminal {
  /** A line of the result, on standard output. */
  line(text?: string): void;
  /** A line on standard error, apart from the result. */
  note(text: string): void;
  /** Emphasis; plain text if the output is not a terminal. */
  readonly style: Readonly<
    Record<'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan', (text: string) => string>
  >;
  /** A bar that moves on a terminal, and a line now and then elsewhere. */
  progress(label: string): Progress;
}

/** Progress of one long work. */
export interface Progress {
  update(fraction: number): void;
  done(text: string): void;
}

type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

interface TerminalStreams {
  readonly out: Stream;
  readonly err: Stream;
  /** Colours were refused (NO_COLOR, see no-color.org). */
  readonly noColor: boolean;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Builds a terminal over two streams; colours only where a person looks. */
export function makeTerminal({ out, err, noColor }: TerminalStreams): Terminal {
  const colours = out.isTTY === true && !noColor;
  const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    line: (text = '') => void out.write(`${text}\n`),
    // Messages repeat what was typed or read, with whatever stands in it.
    note: (text) => void err.write(`${redactAddresses(text)}\n`),
    style: {
      bold: paint(CODES.bold),
      dim: paint(CODES.dim),
      red: paint(CODES.red),
      green: paint(CODES.green),
      yellow: paint(CODES.yellow),
      cyan: paint(CODES.cyan),
    },
    progress: (label) => (out.isTTY === true ? makeBar(out, label) : makeLines(out, label)),
  };
}

function makeBar(out: Stream, label: string): Progress {
  let lastPercent = -1;
  return {
    update(fraction) {
      const percent = Math.floor(Math.min(1, Math.max(0, fraction)) * 100);
      if (percent === lastPercent) return;
      lastPercent = percent;
      const width = Math.max(10, Math.min(30, (out.columns ?? 80) - label.length - 12));
      const filled = Math.round((percent / 100) * width);
      out.write(
        `\r${label} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${String(percent).padStart(3)} %`,
      );
    },
    done: (text) => void out.write(`\r\u001b[2K${text}\n`),
  };
}

/** In a log file a bar is noise: one line per quarter is enough. */
function makeLines(out: Stream, label: string): Progress {
  let lastQuarter = 0;
  return {
    update(fraction) {
      const quarter = Math.floor(fraction * 4);
      if (quarter > lastQuarter && quarter < 4) out.write(`${label} ${quarter * 25} %\n`);
      lastQuarter = Math.max(lastQuarter, quarter);
    },
    done: (text) => void out.write(`${text}\n`),
  };
}

/** Rows of texts under a header, in columns as wide as their longest text. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows that are printed as dim as the header. */
  readonly isDim?: (row: readonly string[]) => boolean;
}

/** Prints a table. */
export function printTable(
  { line, style }: Pick<Terminal, 'line' | 'style'>,
  { header, rows, isDim = () => false }: Table,
): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  line(style.dim(format(header)));
  for (const row of rows) line(isDim(row) ? style.dim(format(row)) : format(row));
}
