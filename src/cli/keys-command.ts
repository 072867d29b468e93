import type { KeyRecord, Keys } from '../keys/index.ts';
import type { KeysCommand } from './arguments/index.ts';
import type { Terminal } from './terminal.ts';

/** `swath keys create|list|revoke`. */
export async function runKeys(
  command: KeysCommand,
  { keys, terminal }: { keys: Keys; terminal: Terminal },
): Promise<void> {
  switch (command.name) {
    case 'keys create': {
      const { secret, record } = await keys.create({
        label: command.label,
        scope: command.readOnly ? 'read' : 'full',
        ratePerMinute: command.ratePerMinute,
        expiresAt: command.expiresAt,
      });
      // The key alone goes to standard output, so that scripts can take it from there.
      terminal.note(`Created key ${record.id} (${record.label}). It is shown only this once:`);
      terminal.line(secret);
      return;
    }
    case 'keys list': {
      const records = await keys.list();
      if (command.json) terminal.line(JSON.stringify(records, null, 2));
      else printTable(records, terminal);
      return;
    }
    case 'keys revoke':
      await keys.revoke(command.id);
      terminal.line(`Revoked key ${command.id}.`);
  }
}

function printTable(records: readonly KeyRecord[], { line, style }: Terminal): void {
  if (records.length === 0) {
    line('No keys yet. "swath keys create" makes one.');
    return;
  }
  const rows = records.map((record) => [
    record.id,
    toState(record),
    record.scope,
    record.ratePerMinute === null ? '-' : `${record.ratePerMinute}/min`,
    record.createdAt.slice(0, 10),
    record.expiresAt?.slice(0, 10) ?? '-',
    record.label,
  ]);
  const header = ['ID', 'STATE', 'SCOPE', 'RATE', 'CREATED', 'EXPIRES', 'LABEL'];
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  line(style.dim(format(header)));
  for (const row of rows) line(row[1] === 'active' ? format(row) : style.dim(format(row)));
}

function toState(record: KeyRecord): string {
  if (record.revokedAt !== null) return 'revoked';
  return record.expiresAt !== null && Date.parse(record.expiresAt) <= Date.now() ? 'expired' : 'active';
}
