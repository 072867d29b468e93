import { badInput } from '../../errors.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseDay, parseOptions } from './options.ts';

/** `swath keys …`. */
export type KeysCommand =
  | {
      readonly name: 'keys create';
      readonly label: string;
      readonly expiresAt: string | null;
      readonly ratePerMinute: number | null;
      readonly readOnly: boolean;
    }
  | { readonly name: 'keys list'; readonly json: boolean }
  | { readonly name: 'keys revoke'; readonly id: string; readonly deleteStored: boolean }
  | { readonly name: 'keys delete-stored'; readonly id: string }
  | { readonly name: 'keys rotate-callback-secret'; readonly id: string };

const keysHelp: HelpCommand = { name: 'help', topic: 'keys' };

/** Reads what follows `swath keys`. */
export function parseKeys([action, ...rest]: readonly string[]): KeysCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return keysHelp;
    case 'create': {
      const options = {
        ...help,
        label: { type: 'string', short: 'l' },
        expires: { type: 'string' },
        rate: { type: 'string' },
        'read-only': { type: 'boolean' },
      } as const;
      const { values } = parseOptions(rest, options, 0);
      if (values.help) return keysHelp;
      return {
        name: 'keys create',
        label: values.label ?? 'unnamed',
        expiresAt: values.expires === undefined ? null : parseExpiry(values.expires),
        ratePerMinute: values.rate === undefined ? null : parseAmount(values.rate, '--rate'),
        readOnly: values['read-only'] ?? false,
      };
    }
    case 'list': {
      const { values } = parseOptions(rest, { ...help, json: { type: 'boolean' } } as const, 0);
      return values.help ? keysHelp : { name: 'keys list', json: values.json ?? false };
    }
    case 'revoke': {
      const options = { ...help, 'delete-stored': { type: 'boolean' } } as const;
      const { values, positionals } = parseOptions(rest, options, 1);
      if (values.help) return keysHelp;
      return {
        name: 'keys revoke',
        id: readId(positionals, 'revoke'),
        deleteStored: values['delete-stored'] ?? false,
      };
    }
    case 'delete-stored': {
      const { values, positionals } = parseOptions(rest, help, 1);
      return values.help
        ? keysHelp
        : { name: 'keys delete-stored', id: readId(positionals, 'delete-stored') };
    }
    case 'rotate-callback-secret': {
      const { values, positionals } = parseOptions(rest, help, 1);
      return values.help
        ? keysHelp
        : { name: 'keys rotate-callback-secret', id: readId(positionals, 'rotate-callback-secret') };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "keys ${action}". "swath keys --help" lists them.`,
      );
  }
}

function readId([id]: readonly string[], action: string): string {
  if (id !== undefined) return id;
  throw badInput('usage', `Which key? "swath keys ${action} <id>"; "swath keys list" shows the ids.`);
}

/** A day without a time means all of it. */
function parseExpiry(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  return `${parseDay(text, '--expires')}T23:59:59.999Z`;
}
