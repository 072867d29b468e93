/** `swath usage`: what keys use, by day. */

import type { Keys, UsageStore } from '../keys/index.ts';
import { CONFIGURED_KEY_ID, toUsageDay } from '../keys/index.ts';
import { DAY_MS, toMib } from '../units.ts';
import type { CommandOf } from './command.ts';
import { command, option, topic } from './command.ts';
import { badInput } from './errors.ts';
import { parseDay } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

/** `swath usage`. */
type UsageCommand = CommandOf<(typeof usage.commands)[number]>;

/** Days that are shown by default. */
const DAYS = 30;

/** Rows of a table. */
const MAX_ROWS = 100_000;

/** `swath usage`. */
export const usage = topic({
  name: 'usage',
  summary: 'show what keys use, by day',
  about: [],
  commands: [
    command('usage', {
      about:
        'Shows requests, pictures, bytes, tasks and thread time of each key and day (UTC). A running server reports what it has counted every 10 seconds.',
      options: {
        from: option('--from DAY', `first day (${DAYS} days up to the last one)`, parseDay),
        to: option('--to DAY', 'last day (today)', parseDay),
        key: option('--key ID', 'only this key'),
        ...jsonList,
      },
    }),
  ],
});

interface UsageDeps {
  readonly usage: Pick<UsageStore, 'list'>;
  readonly keys: Pick<Keys, 'list'>;
  readonly nowMs: () => number;
  readonly terminal: Terminal;
}

/** Runs `swath usage`. */
export async function runUsage(
  { from: asked, to: last, key, json }: UsageCommand,
  { usage: store, keys, nowMs, terminal }: UsageDeps,
): Promise<void> {
  const to = last ?? toUsageDay(nowMs());
  const from = asked ?? toUsageDay(Date.parse(to) - (DAYS - 1) * DAY_MS);
  const query = { keyIds: key === null ? null : [key], from, to, limit: MAX_ROWS + 1 };
  const [rows, records] = await Promise.all([store.list(query), keys.list()]);
  if (rows.length > MAX_ROWS)
    throw badInput('usage', `There are more than ${MAX_ROWS} rows; choose fewer days or one key.`);
  if (json) {
    terminal.line(JSON.stringify(rows, null, 2));
    return;
  }
  if (rows.length === 0) {
    terminal.line(`No usage from ${from} to ${to}.`);
    return;
  }
  const labels = new Map(records.map(({ id, label }) => [id, label]));
  labels.set(CONFIGURED_KEY_ID, 'SWATH_API_KEY');
  printTable(terminal, {
    header: ['DAY', 'KEY', 'REQUESTS', 'TILES', 'SENT', 'TASKS', 'THREADS', 'LABEL'],
    rows: rows.map((row) => [
      row.day,
      row.keyId,
      String(row.requests),
      String(row.tiles),
      `${toMib(row.bytes)} MiB`,
      String(row.tasks),
      `${(row.threadMs / 1000).toFixed(1)} s`,
      labels.get(row.keyId) ?? '-',
    ]),
  });
}
