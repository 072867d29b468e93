import { writeFile } from 'node:fs/promises';
import type { IngestReport, ProductReport, SceneConversion } from '../catalog/index.ts';
import { badInput } from '../errors.ts';
import type { IngestCommand } from './arguments/index.ts';
import type { Terminal } from './terminal.ts';

/** How far an ingest has come; the total is null when nobody knows it. */
interface IngestProgress {
  readonly done: number;
  readonly total: number | null;
}

interface IngestDeps {
  readonly terminal: Terminal;
  readonly ingest: (onProgress: (progress: IngestProgress) => void) => Promise<IngestReport>;
  readonly convert: (
    viewIds: readonly string[],
    onProgress: (fraction: number) => void,
  ) => Promise<readonly SceneConversion[]>;
}

/** Products named in the summary; the report has all. */
const MOST_NAMED = 20;

/** `swath ingest folder|stac`; true when nothing was broken. */
export async function runIngest(
  command: IngestCommand,
  { terminal, ingest, convert }: IngestDeps,
): Promise<boolean> {
  const progress = command.json ? null : terminal.progress('Ingesting');
  const report = await ingest(({ done, total }) => progress?.update(total ? done / total : 0));
  progress?.done(toSentence(report));
  const conversions = command.convert ? await convertAll(report, { terminal, convert }, command.json) : [];
  const whole = { ...report, ...(command.convert ? { conversions } : {}) };
  if (command.report !== null) await writeReport(command.report, whole);
  if (command.json) terminal.line(JSON.stringify(whole, null, 2));
  else printProblems(report, conversions, terminal);
  return report.totals.broken === 0 && !report.stopped;
}

function toSentence({ totals, products, stopped }: IngestReport): string {
  const added = products.filter(({ change }) => change === 'added').length;
  const parts = [
    `${added} added`,
    `${totals.ingested - added} replaced`,
    `${totals.unchanged} unchanged`,
    ...(totals.skipped > 0 ? [`${totals.skipped} skipped`] : []),
    ...(totals.broken > 0 ? [`${totals.broken} broken`] : []),
  ];
  return `${stopped ? 'Stopped before the end' : 'Done'}: ${parts.join(', ')}.`;
}

async function convertAll(
  report: IngestReport,
  { terminal, convert }: Pick<IngestDeps, 'terminal' | 'convert'>,
  isQuiet: boolean,
): Promise<readonly SceneConversion[]> {
  const known = report.products.flatMap(({ outcome, viewId }) =>
    (outcome === 'ingested' || outcome === 'unchanged') && viewId !== undefined ? [viewId] : [],
  );
  const progress = isQuiet ? null : terminal.progress('Converting');
  const conversions = await convert([...new Set(known)], (fraction) => progress?.update(fraction));
  const files = conversions.reduce((sum, { converted }) => sum + converted.length, 0);
  progress?.done(files === 0 ? 'Nothing to convert.' : `Converted ${files} files to COGs.`);
  return conversions;
}

function printProblems(
  { products }: IngestReport,
  conversions: readonly SceneConversion[],
  { note, style }: Terminal,
): void {
  const lines = [
    ...products
      .filter(({ outcome }) => outcome === 'broken')
      .map((line) => toProblem(line, style.red('broken'))),
    ...products
      .filter(({ outcome }) => outcome === 'skipped')
      .map((line) => toProblem(line, style.yellow('skipped'))),
    ...conversions.flatMap(({ viewId, kept }) =>
      kept.map(({ band, reason }) => `${style.yellow('kept')} ${viewId} ${band}: ${reason}`),
    ),
  ];
  for (const line of lines.slice(0, MOST_NAMED)) note(line);
  if (lines.length > MOST_NAMED)
    note(`… and ${lines.length - MOST_NAMED} more; --report FILE writes them all.`);
}

const toProblem = ({ product, reason, files }: ProductReport, word: string): string =>
  `${word} ${product}${files === undefined ? '' : ` (${files} files)`}: ${reason ?? ''}`;

async function writeReport(path: string, report: unknown): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw badInput('report-not-written', `The report could not be written to ${path}.`, { cause: error });
  }
}
