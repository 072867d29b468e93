import { badInput } from '../../errors.ts';
import type { TaskState } from '../../tasks/index.ts';
import type { HelpCommand } from './options.ts';
import { help, parseAmount, parseOptions } from './options.ts';

/** `swath tasks …`. */
export type TasksCommand =
  | {
      readonly name: 'tasks list';
      readonly owner: string | null;
      readonly state: TaskState | null;
      readonly limit: number;
      readonly json: boolean;
    }
  | { readonly name: 'tasks show'; readonly id: string }
  | { readonly name: 'tasks cancel'; readonly ids: readonly string[] }
  | { readonly name: 'tasks retry'; readonly ids: readonly string[] }
  | { readonly name: 'tasks prune'; readonly days: number | null; readonly owner: string | null };

const tasksHelp: HelpCommand = { name: 'help', topic: 'tasks' };

const STATES: readonly TaskState[] = ['queued', 'running', 'finished', 'failed', 'cancelled'];

/** A screenful or two; a script asks for more. */
const DEFAULT_LIST = 50;
const MAX_IDS = 10_000;

/** Reads what follows `swath tasks`. */
export function parseTasks([action, ...rest]: readonly string[]): TasksCommand | HelpCommand {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return tasksHelp;
    case 'list': {
      const options = {
        ...help,
        key: { type: 'string' },
        state: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
      } as const;
      const { values } = parseOptions(rest, options, 0);
      if (values.help) return tasksHelp;
      return {
        name: 'tasks list',
        owner: values.key ?? null,
        state: values.state === undefined ? null : parseState(values.state),
        limit: values.limit === undefined ? DEFAULT_LIST : parseAmount(values.limit, '--limit'),
        json: values.json ?? false,
      };
    }
    case 'show': {
      const { values, positionals } = parseOptions(rest, help, 1);
      if (values.help) return tasksHelp;
      return { name: 'tasks show', id: readIds(positionals, 'show')[0] as string };
    }
    case 'cancel':
    case 'retry': {
      const { values, positionals } = parseOptions(rest, help, MAX_IDS);
      return values.help ? tasksHelp : { name: `tasks ${action}`, ids: readIds(positionals, action) };
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

function readIds(ids: readonly string[], action: string): readonly string[] {
  if (ids.length > 0) return ids;
  throw badInput('usage', `Which task? "swath tasks ${action} <task id>"; "swath tasks list" shows them.`);
}

function parseState(text: string): TaskState {
  const state = STATES.find((one) => one === text);
  if (state === undefined) throw badInput('usage', `--state is one of ${STATES.join(', ')}.`);
  return state;
}

/** Also 0: all that is over. */
function parseDays(text: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text)) throw badInput('usage', '--days takes a number, 0 or more.');
  return Number(text);
}
