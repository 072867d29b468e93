import { badInput } from '../../errors.ts';
import type { TaskState } from '../../tasks/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseOptions } from './options.ts';
import type { StoredList } from './parse-stored.ts';
import { parseStoredList, parseTaskIds } from './parse-stored.ts';

/** `swath tasks …`. */
export type TasksCommand =
  | ({ readonly name: 'tasks list' } & StoredList<TaskState>)
  | { readonly name: 'tasks show'; readonly id: string }
  | { readonly name: 'tasks cancel'; readonly ids: readonly string[] }
  | { readonly name: 'tasks retry'; readonly ids: readonly string[] }
  | { readonly name: 'tasks prune'; readonly days: number | null; readonly owner: string | null };

const tasksHelp: HelpCommand = { name: 'help', topic: 'tasks' };

const STATES: readonly TaskState[] = ['queued', 'running', 'finished', 'failed', 'cancelled'];

/** Reads what follows `swath tasks`. */
export function parseTasks([action, ...rest]: readonly string[]): TasksCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return tasksHelp;
    case 'list': {
      const list = parseStoredList(rest, STATES);
      return list === null ? tasksHelp : { name: 'tasks list', ...list };
    }
    case 'show': {
      const ids = parseTaskIds(rest, { command: 'tasks', action, max: 1 });
      return ids === null ? tasksHelp : { name: 'tasks show', id: ids[0]! };
    }
    case 'cancel':
    case 'retry': {
      const ids = parseTaskIds(rest, { command: 'tasks', action });
      return ids === null ? tasksHelp : { name: `tasks ${action}`, ids };
    }
    case 'prune': {
      const options = { ...help, days: { type: 'string' }, key: { type: 'string' } } as const;
      const { values } = parseOptions(rest, options, 0);
      if (values.help) return tasksHelp;
      return {
        name: 'tasks prune',
        days: values.days === undefined ? null : parseDays(values.days),
        owner: values.key ?? null,
      };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "tasks ${action}". "swath tasks --help" lists them.`,
      );
  }
}

/** Also 0: all that is over. */
function parseDays(text: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text)) throw badInput('usage', '--days takes a number, 0 or more.');
  return Number(text);
}
