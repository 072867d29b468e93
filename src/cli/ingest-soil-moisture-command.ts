import type { GridFileReport, GridReport } from '../cubes/index.ts';
import type { IngestSoilMoistureCommand } from './arguments/index.ts';
import type { Terminal } from './terminal.ts';
import { writeReport } from './write-report.ts';

interface IngestSoilMoistureDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  readonly ingest: (onProgress: (fraction: number) => void) => Promise<GridReport>;
}

/** Files named in the summary; the report has all. */
const MAX_NAMED = 20;

/** `swath ingest soilmoisture`; true when nothing was broken. */
export async function runIngestSoilMoisture(
  command: IngestSoilMoistureCommand,
  { terminal, outputMode, ingest }: IngestSoilMoistureDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  const report = await ingest((fraction) => progress?.update(fraction));
  progress?.done(toSentence(report));
  if (command.report !== null) await writeReport(command.report, report, outputMode);
  if (command.json) terminal.line(JSON.stringify(report, null, 2));
  else printBroken(report, terminal);
  return report.totals.broken === 0 && !report.stopped;
}

function toSentence({ cube, files, totals, stopped }: GridReport): string {
  const fields = files.reduce((sum, line) => sum + (line.fields ?? 0), 0);
  if (files.length === 0 && !stopped) return 'Nothing found: no NetCDF, HDF5 or GeoTIFF files, and no Zarr.';
  const parts = [
    `${totals.ingested} ${totals.ingested === 1 ? 'file' : 'files'} with ${fields} ${fields === 1 ? 'field' : 'fields'}`,
    `${totals.unchanged} unchanged`,
    ...(totals.broken === 0 ? [] : [`${totals.broken} broken`]),
  ];
  return `${stopped ? 'Stopped before the end' : 'Done'}, data cube ${cube}: ${parts.join(', ')}.`;
}

function printBroken({ files }: GridReport, { note, style }: Terminal): void {
  const isBroken = ({ outcome }: GridFileReport): boolean => outcome === 'broken';
  const broken = files.filter(isBroken);
  for (const { file, reason } of broken.slice(0, MAX_NAMED))
    note(`${style.red('broken')} ${file}: ${reason ?? ''}`);
  if (broken.length > MAX_NAMED)
    note(`… and ${broken.length - MAX_NAMED} more; --report FILE writes them all.`);
}
