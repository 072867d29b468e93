/** `swath sync`: its command, its progress and its report. */

import type { SyncProgress, SyncReport } from '../live/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, flag, option, repeatable, required, reshape, topic } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseBbox, parseDay, parsePercent } from './parse-values.ts';
import { printProblems, reportOptions, writeReport } from './report.ts';
import type { Terminal } from './terminal.ts';

/** `swath sync`. */
export type SyncCommand = CommandOf<(typeof sync.commands)[number]>;

/** The area of a sync: a box in degrees, or a file with GeoJSON. */
type StatedArea =
  | { readonly kind: 'box'; readonly box: ReturnType<typeof parseBbox> }
  | { readonly kind: 'file'; readonly path: string };

const mirror = command('sync', {
  about:
    'Mirrors a part of a live catalog into the store. <catalog> is a name of SWATH_CATALOGS or a preset. Scenes refer to the files at their source, as after "swath ingest stac": a server needs the catalog in SWATH_CATALOGS, or its hosts and buckets in SWATH_SOURCES.',
  arguments: { catalog: argument('<catalog>', 'Which catalog?') },
  options: {
    area: required(
      option(
        '--area AREA',
        'only scenes that touch it: west,south,east,north in degrees, or a file with a GeoJSON polygon',
        parseArea,
      ),
      '2.5,42,3.5,43',
    ),
    since: required(option('--since DAY', 'the first day (UTC)', parseDay), '2026-01-01'),
    until: option('--until DAY', 'the last day; without it, each run ends today', parseDay),
    datasets: repeatable('--dataset NAME', 'only this dataset of the catalog; may be repeated'),
    maxCloudPercent: option(
      '--clouds PERCENT',
      'only scenes with at most this cloud cover, of datasets whose clouds the catalog states',
      parsePercent,
    ),
    limit: option('--limit N', 'stop after N new or changed scenes; the next run continues', parseAmount),
    prune: flag('--prune', 'remove scenes that are gone at the source; without it, they are reported'),
    dryRun: flag('--dry-run', 'count what would be done; read no file and write nothing'),
    ...reportOptions,
  },
});

/** `swath sync`. */
export const sync = topic({
  name: 'sync',
  summary: 'mirror a part of a live catalog into the store',
  about: [
    'The first run ingests everything, month by month, newest first. A later run with the same catalog, area, days, datasets and clouds asks for a light list of each month, and reads only items that are new or have changed.',
    'A run that was stopped, or whose catalog failed, continues when the command is repeated: months that were finished are not read again. What it remembers is in the store, so any node can continue it.',
  ],
  commands: [
    reshape(mirror, (parsed) => {
      const { since, until } = parsed;
      if (until !== null && since > until)
        throw badInput('usage', `The days run backwards: --since ${since} is after --until ${until}.`);
      return parsed;
    }),
  ],
  fails: 'a product was broken, the catalog did not answer, or the run was stopped',
});

/** Four numbers are a box; anything else is the name of a file. */
function parseArea(text: string, name: string): StatedArea {
  return /^[\d\s.,+-]*$/.test(text)
    ? { kind: 'box', box: parseBbox(text, name) }
    : { kind: 'file', path: text };
}

interface SyncDeps {
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
  readonly nowMs: () => number;
  readonly sync: (onProgress: (progress: SyncProgress) => void) => Promise<SyncReport>;
}

/** Lines of progress come at most so often, unless a window is finished that has changed something. */
const QUIET_MS = 5_000;

/** `swath sync`; true when all of it was done. */
export async function runSync(
  { json, report: path }: Pick<SyncCommand, 'json' | 'report'>,
  { terminal, outputMode, nowMs, sync: mirrorAll }: SyncDeps,
): Promise<boolean> {
  const startedMs = nowMs();
  let last = { atMs: startedMs, done: 0, changes: 0 };
  const report = await mirrorAll((progress) => {
    const atMs = nowMs();
    const changes = progress.added + progress.replaced;
    const hasFinished = progress.done > last.done && changes > last.changes;
    if (json || (!hasFinished && atMs - last.atMs < QUIET_MS)) return;
    last = { atMs, done: progress.done, changes };
    terminal.note(describeProgress(progress, atMs - startedMs));
  });
  if (path !== null) await writeReport(path, report, outputMode);
  if (json) terminal.line(JSON.stringify(report, null, 2));
  else {
    printReport(report, terminal);
    terminal.line(toSentence(report));
  }
  if (report.problem !== null)
    terminal.note(
      `${report.problem.message} What was done stays; run the same command again, and it continues.`,
    );
  return report.totals.broken === 0 && !report.stopped;
}

/** `2026-05 sentinel2l2a: 12 added, 3 replaced so far; 4 of 24 months, about 6 minutes left`. */
function describeProgress(progress: SyncProgress, elapsedMs: number): string {
  const { window, done, total, items, itemsTotal, added, replaced } = progress;
  const share = itemsTotal === null || itemsTotal === 0 ? 0 : Math.min(1, items / itemsTotal);
  const worked = done + share;
  const left = worked > 0 ? describeTime((elapsedMs / worked) * (total - worked)) : null;
  const counts = `${added} added, ${replaced} replaced so far; ${done} of ${total} months done`;
  return `${window.from.slice(0, 7)} ${window.dataset}: ${counts}${left === null ? '' : `, ${left} left`}`;
}

function describeTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

const WHY = {
  removed: 'its item is gone at the source',
  unwanted: 'its item no longer matches the area, the days or the clouds',
} as const;

function printReport({ products, gone }: SyncReport, terminal: Terminal): void {
  const { style } = terminal;
  const lines = (['broken', 'skipped'] as const).flatMap((outcome) =>
    products
      .filter((line) => line.outcome === outcome)
      .map(({ product, reason = '' }) =>
        [outcome === 'broken' ? style.red(outcome) : style.yellow(outcome), `${product}: ${reason}`].join(
          ' ',
        ),
      ),
  );
  const lost = gone.map(
    ({ viewId, why, removed }) =>
      `${style.yellow(removed ? 'removed' : 'gone')} ${viewId}: ${WHY[why]}${removed ? '' : '; --prune removes it'}`,
  );
  printProblems([...lines, ...lost], terminal);
}

function toSentence(report: SyncReport): string {
  const { totals, products, gone, windows, dryRun, stopped, limited } = report;
  const added = products.filter(({ change }) => change === 'added').length;
  const removed = gone.filter((one) => one.removed).length;
  const parts = [
    `${added} ${dryRun ? 'to add' : 'added'}`,
    `${totals.ingested - added} ${dryRun ? 'to replace' : 'replaced'}`,
    `${totals.unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(gone.length > removed ? [`${gone.length - removed} gone at the source`] : []),
    ...(totals.skipped > 0 ? [`${totals.skipped} skipped`] : []),
    ...(totals.broken > 0 ? [`${totals.broken} broken`] : []),
  ];
  const { done, doneBefore, total } = windows;
  const before = doneBefore === 0 ? '' : `, ${doneBefore} of them before this run was continued`;
  const months = `${done + doneBefore} of ${total} months${before}`;
  const words = stopped
    ? 'Stopped before the end'
    : limited
      ? 'Stopped at --limit'
      : dryRun
        ? 'Dry run'
        : 'Done';
  return `${words}: ${parts.join(', ')} (${months}).`;
}
