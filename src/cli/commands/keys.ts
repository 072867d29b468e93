import type { CommandOf } from './command.ts';
import { argument, command, flag, option, topic, withDefault } from './command.ts';
import { parseAmount, parseDay } from './parse-values.ts';
import { jsonList } from './reports.ts';

/** `swath keys …`. */
export type KeysCommand = CommandOf<(typeof keys.commands)[number]>;

const id = argument('<id>', 'Which key?');
const hint = '"swath keys list" shows the ids';

/** `swath keys`. */
export const keys = topic({
  name: 'keys',
  summary: 'create, list and revoke API keys, and delete what they stored',
  about: ['The id of the key in SWATH_API_KEY is "configured".'],
  commands: [
    command('keys create', {
      about:
        'Prints a new key once; only its hash is stored. The key works at once, on a running server too. The secret that signs its callbacks goes to standard error.',
      options: {
        label: withDefault(option('-l, --label TEXT', 'what the key is for'), 'unnamed'),
        expiresAt: option('--expires DATE', 'last day of validity (UTC), such as 2030-12-31', parseExpiry),
        ratePerMinute: option('--rate N', 'requests per minute', parseAmount),
        readOnly: flag('--read-only', 'the key may search and render, but not store anything'),
      },
    }),
    command('keys list', {
      about: 'Shows ids, labels, states and what each key has stored, never the keys themselves.',
      options: jsonList,
    }),
    command('keys revoke', {
      about:
        'Revokes a key at once; on PostgreSQL within SWATH_STORE_CACHE_MS. Links to its results stop working. What it stored stays, and other keys can still use it.',
      arguments: { id },
      options: {
        deleteStored: flag('--delete-stored', 'also delete its areas, colormaps, tasks and results'),
      },
      hint,
    }),
    command('keys delete-stored', {
      about:
        'Deletes the areas and colormaps that a key stored, cancels its tasks and deletes their results. This works for revoked keys too.',
      arguments: { id },
      hint,
    }),
    command('keys rotate-callback-secret', {
      about: 'Replaces the secret that signs the callbacks of a key, and prints the new one.',
      arguments: { id },
      hint,
    }),
  ],
});

/** A day without a time means all of it. */
function parseExpiry(text: string, name: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  return `${parseDay(text, name)}T23:59:59.999Z`;
}
