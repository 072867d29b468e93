/** Data cubes on the command line: files that become one, and a cube as a row of a table. */

import type { Cube, GridFileReport, GridReport } from '../cubes/index.ts';
import { toStepDay } from '../cubes/index.ts';
import { printProblems, writeReport } from './report.ts';
import type { Terminal } from './terminal.ts';

/** What commands that put files into data cubes have in common. */
interface IngestGridsCommand {
  /** File for the report. */
  readonly report: string | null;
  readonly json: boolean;
}

/** A report, and what else an ingest may have done. */
interface IngestReport extends GridReport {
  /** Data cubes of older model runs that were removed. */
  readonly removed?: readonly string[];
}

interface IngestGridsDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  /** Formats that were looked for, for a person who finds nothing. */
  readonly formats: string;
  readonly ingest: (onProgress: (fraction: number) => void) => Promise<IngestReport>;
}

/** `swath ingest soilmoisture` and `swath ingest weather`; true when nothing was broken. */
export async function runIngestGrids(
  command: IngestGridsCommand,
  { terminal, outputMode, formats, ingest }: IngestGridsDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  const report = await ingest((fraction) => progress?.update(fraction));
  progress?.done(toSentence(report, formats));
  if (command.report !== null) await writeReport(command.report, report, outputMode);
  if (command.json) terminal.line(JSON.stringify(report, null, 2));
  else {
    const isBroken = ({ outcome }: GridFileReport): boolean => outcome === 'broken';
    const word = terminal.style.red('broken');
    printProblems(
      report.files.filter(isBroken).map(({ file, reason }) => `${word} ${file}: ${reason ?? ''}`),
      terminal,
    );
  }
  return report.totals.broken === 0 && !report.stopped;
}

function toSentence(
  { cube, cubes, files, totals, stopped, removed = [] }: IngestReport,
  formats: string,
): string {
  if (files.length === 0 && !stopped) return `Nothing found: no ${formats}.`;
  const sum = (of: (line: GridFileReport) => number | undefined): number =>
    files.reduce((total, line) => total + (of(line) ?? 0), 0);
  const [fields, rows] = [sum((line) => line.fields), sum((line) => line.rows)];
  const what = [
    ...(fields === 0 && rows > 0 ? [] : [count(fields, 'field')]),
    ...(rows === 0 ? [] : [count(rows, 'row')]),
  ];
  const parts = [
    `${count(totals.ingested, 'file')} with ${what.join(' and ')}`,
    `${totals.unchanged} unchanged`,
    ...(totals.broken === 0 ? [] : [`${totals.broken} broken`]),
    ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}`]),
  ];
  const others = cubes.filter((name) => name !== cube);
  const named = others.length === 0 ? `data cube ${cube}` : `data cubes ${cubes.join(', ')}`;
  return `${stopped ? 'Stopped before the end' : 'Done'}, ${rows > 0 && fields === 0 ? `stations ${cube}` : named}: ${parts.join(', ')}.`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Head of the columns that every data cube has. */
export const CUBE_COLUMNS = ['name', 'days', 'step', 'cells', 'size', 'west, south, east, north', 'files'];

/** A data cube in those columns. */
export function toCubeRow({ name, grid, stepHours, firstStep, lastStep, sourceCount }: Cube): string[] {
  const [west, north] = [grid.west - grid.lonStep / 2, grid.north + grid.latStep / 2];
  const edges = [west, north - grid.height * grid.latStep, west + grid.width * grid.lonStep, north];
  return [
    name,
    `${toStepDay(firstStep, stepHours)} to ${toStepDay(lastStep, stepHours)}`,
    stepHours === 24 ? 'day' : 'hour',
    `${grid.width} × ${grid.height}`,
    `${Number(grid.lonStep.toPrecision(4))}°`,
    edges.map((degrees) => Number(degrees.toFixed(3))).join(', '),
    String(sourceCount),
  ];
}
