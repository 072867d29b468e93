import { badInput } from '../../errors.ts';
import type { CallbackState } from '../../tasks/index.ts';
import type { HelpCommand } from './options.ts';
import type { StoredList } from './parse-stored.ts';
import { parseStoredList, parseTaskIds } from './parse-stored.ts';

/** `swath callbacks …`. */
export type CallbacksCommand =
  | ({ readonly name: 'callbacks list' } & StoredList<CallbackState>)
  | { readonly name: 'callbacks show'; readonly id: string }
  | { readonly name: 'callbacks retry'; readonly ids: readonly string[] };

const callbacksHelp: HelpCommand = { name: 'help', topic: 'callbacks' };

const STATES: readonly CallbackState[] = ['waiting', 'retrying', 'delivered', 'failed', 'cancelled'];

/** Reads what follows `swath callbacks`. */
export function parseCallbacks([action, ...rest]: readonly string[]): CallbacksCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return callbacksHelp;
    case 'list': {
      const list = parseStoredList(rest, STATES);
      return list === null ? callbacksHelp : { name: 'callbacks list', ...list };
    }
    case 'show': {
      const ids = parseTaskIds(rest, { command: 'callbacks', action, max: 1 });
      return ids === null ? callbacksHelp : { name: 'callbacks show', id: ids[0]! };
    }
    case 'retry': {
      const ids = parseTaskIds(rest, { command: 'callbacks', action });
      return ids === null ? callbacksHelp : { name: 'callbacks retry', ids };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "callbacks ${action}". "swath callbacks --help" lists them.`,
      );
  }
}
