import { badInput } from '../../errors.ts';
import type { CallbackState } from '../../tasks/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseOptions } from './options.ts';

/** `swath callbacks …`. */
export type CallbacksCommand =
  | {
      readonly name: 'callbacks list';
      readonly owner: string | null;
      readonly state: CallbackState | null;
      readonly limit: number;
      readonly json: boolean;
    }
  | { readonly name: 'callbacks show'; readonly id: string }
  | { readonly name: 'callbacks retry'; readonly ids: readonly string[] };

const callbacksHelp: HelpCommand = { name: 'help', topic: 'callbacks' };

const STATES: readonly CallbackState[] = ['waiting', 'retrying', 'delivered', 'failed', 'cancelled'];

/** A screenful or two; a script asks for more. */
const DEFAULT_LIST = 50;
const MAX_IDS = 10_000;

/** Reads what follows `swath callbacks`. */
export function parseCallbacks([action, ...rest]: readonly string[]): CallbacksCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return callbacksHelp;
    case 'list': {
      const options = {
        ...help,
        key: { type: 'string' },
        state: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
      } as const;
      const { values } = parseOptions(rest, options, 0);
      if (values.help) return callbacksHelp;
      return {
        name: 'callbacks list',
        owner: values.key ?? null,
        state: values.state === undefined ? null : parseState(values.state),
        limit: values.limit === undefined ? DEFAULT_LIST : parseAmount(values.limit, '--limit'),
        json: values.json ?? false,
      };
    }
    case 'show': {
      const { values, positionals } = parseOptions(rest, help, 1);
      if (values.help) return callbacksHelp;
      return { name: 'callbacks show', id: readIds(positionals, 'show')[0] as string };
    }
    case 'retry': {
      const { values, positionals } = parseOptions(rest, help, MAX_IDS);
      return values.help ? callbacksHelp : { name: 'callbacks retry', ids: readIds(positionals, 'retry') };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "callbacks ${action}". "swath callbacks --help" lists them.`,
      );
  }
}

function readIds(ids: readonly string[], action: string): readonly string[] {
  if (ids.length > 0) return ids;
  throw badInput(
    'usage',
    `Which task? "swath callbacks ${action} <task id>"; "swath callbacks list" shows them.`,
  );
}

function parseState(text: string): CallbackState {
  const state = STATES.find((one) => one === text);
  if (state === undefined) throw badInput('usage', `--state is one of ${STATES.join(', ')}.`);
  return state;
}
