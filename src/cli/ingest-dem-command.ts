import type { DemFileReport, DemProgress, DemReport } from '../terrain/index.ts';
import type { IngestDemCommand } from './commands/index.ts';
import { printProblems } from './print-problems.ts';
import type { Progress, Terminal } from './terminal.ts';
import { writeReport } from './write-report.ts';

interface IngestDemDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  readonly ingest: (
    onProgress: (progress: DemProgress) => void,
    onOverviewProgress: (fraction: number) => void,
  ) => Promise<DemReport>;
}

/** `swath ingest dem`; true when nothing was broken. */
export async function runIngestDem(
  command: IngestDemCommand,
  { terminal, outputMode, ingest }: IngestDemDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  let overviews: Progress | null = null;
  const report = await ingest(
    ({ done, total }) => progress?.update(total === 0 ? 1 : done / total),
    (fraction) => {
      if (command.json) return;
      overviews ??= terminal.progress('Making overview mosaics');
      overviews.update(fraction);
    },
  );
  progress?.done(toSentence(report));
  if (command.report !== null) await writeReport(command.report, report, outputMode);
  if (command.json) terminal.line(JSON.stringify(report, null, 2));
  else printReport(report, terminal);
  return report.totals.broken === 0 && !report.stopped && report.failure === null;
}

function toSentence({ dem, totals, files, stopped }: DemReport): string {
  const added = files.filter(({ change }) => change === 'added').length;
  const more = (['skipped', 'broken', 'gone', 'pruned'] as const).filter((name) => totals[name] > 0);
  const parts = [
    `${added} added`,
    `${totals.ingested - added} replaced`,
    `${totals.unchanged} unchanged`,
    ...more.map((name) => `${totals[name]} ${name}`),
  ];
  const start = stopped ? 'Stopped before the end' : 'Done';
  return `${start}${dem === null ? '' : `, model ${dem}`}: ${parts.join(', ')}.`;
}

function printReport({ files, notes, failure }: DemReport, terminal: Terminal): void {
  const { note, style } = terminal;
  const of = (outcome: DemFileReport['outcome']) => files.filter((line) => line.outcome === outcome);
  const lines = [
    ...of('broken').map((line) => toProblem(line, style.red('broken'))),
    ...of('skipped').map((line) => toProblem(line, style.yellow('skipped'))),
    ...of('gone').map(({ file }) => `${style.yellow('gone')} ${file}`),
  ];
  printProblems(lines, terminal);
  for (const line of notes) note(line);
  if (failure !== null)
    note(
      `${style.red('No overview mosaics were made')}: ${failure.reason} The files are in the catalog; run the command again to make the mosaics.`,
    );
}

const toProblem = ({ file, reason, files }: DemFileReport, word: string): string =>
  `${word} ${file}${files === undefined ? '' : ` and ${files - 1} more`}: ${reason ?? ''}`;
