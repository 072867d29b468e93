import { badInput } from '../../errors.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseOptions } from './options.ts';

/** `swath scenes …` and `swath export`. */
export type ScenesCommand =
  | {
      readonly name: 'scenes list';
      readonly dataset: string | null;
      readonly limit: number;
      readonly json: boolean;
    }
  | { readonly name: 'scenes show'; readonly viewId: string }
  | { readonly name: 'scenes remove'; readonly viewIds: readonly string[] }
  | { readonly name: 'export'; readonly dataset: string | null; readonly output: string | null };

const scenesHelp: HelpCommand = { name: 'help', topic: 'scenes' };

/** A screenful or two; a script asks for more. */
const DEFAULT_LIST = 100;
const MAX_REMOVED = 10_000;

/** Reads what follows `swath scenes`. */
export function parseScenes([action, ...rest]: readonly string[]): ScenesCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return scenesHelp;
    case 'list': {
      const options = {
        ...help,
        dataset: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
      } as const;
      const { values } = parseOptions(rest, options, 0);
      if (values.help) return scenesHelp;
      return {
        name: 'scenes list',
        dataset: values.dataset ?? null,
        limit: values.limit === undefined ? DEFAULT_LIST : parseAmount(values.limit, '--limit'),
        json: values.json ?? false,
      };
    }
    case 'show': {
      const { values, positionals } = parseOptions(rest, help, 1);
      if (values.help) return scenesHelp;
      const [viewId] = positionals;
      if (viewId === undefined)
        throw badInput(
          'usage',
          'Which scene? "swath scenes show <view id>"; "swath scenes list" shows them.',
        );
      return { name: 'scenes show', viewId };
    }
    case 'remove': {
      const { values, positionals } = parseOptions(rest, help, MAX_REMOVED);
      if (values.help) return scenesHelp;
      if (positionals.length === 0)
        throw badInput('usage', 'Which scenes? "swath scenes remove <view id> …".');
      return { name: 'scenes remove', viewIds: positionals };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "scenes ${action}". "swath scenes --help" lists them.`,
      );
  }
}

/** Reads what follows `swath export`. */
export function parseExport(rest: readonly string[]): ScenesCommand | HelpCommand {
  const options = {
    ...help,
    dataset: { type: 'string' },
    output: { type: 'string', short: 'o' },
  } as const;
  const { values } = parseOptions(rest, options, 0);
  if (values.help) return { name: 'help', topic: 'export' };
  return { name: 'export', dataset: values.dataset ?? null, output: values.output ?? null };
}
