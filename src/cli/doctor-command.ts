import type { Terminal } from './terminal.ts';

/** One line of the report. */
export interface Finding {
  readonly name: string;
  readonly value: string;
  /** False for something that stops Swath from working. */
  readonly ok: boolean;
}

/** A part of the report. */
export interface ReportSection {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Prints the report; true when nothing is wrong. */
export function printReport(sections: readonly ReportSection[], { line, style }: Terminal): boolean {
  const width = Math.max(...sections.flatMap(({ findings }) => findings.map(({ name }) => name.length)));
  for (const { title, findings } of sections) {
    line(style.bold(title));
    for (const { name, value, ok } of findings) {
      line(`  ${ok ? style.green('ok') : style.red('!!')} ${name.padEnd(width)}  ${value}`);
    }
    line();
  }
  const wrong = sections.flatMap(({ findings }) => findings.filter(({ ok }) => !ok));
  line(
    wrong.length === 0 ? style.green('All is well.') : style.red(`${wrong.length} of these need attention.`),
  );
  return wrong.length === 0;
}
