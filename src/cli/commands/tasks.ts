import { badInput } from '../../errors.ts';
import type { CallbackState, TaskState } from '../../tasks/index.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, severalArguments, topic, withDefault } from './command.ts';
import { parseAmount, parseChoice } from './parse-values.ts';
import { jsonList } from './reports.ts';

/** `swath tasks …`. */
export type TasksCommand = CommandOf<(typeof tasks.commands)[number]>;

/** `swath callbacks …`. */
export type CallbacksCommand = CommandOf<(typeof callbacks.commands)[number]>;

const TASK_STATES: readonly TaskState[] = ['queued', 'running', 'finished', 'failed', 'cancelled'];
const CALLBACK_STATES: readonly CallbackState[] = ['waiting', 'retrying', 'delivered', 'failed', 'cancelled'];

const owner = option('--key ID', 'only those of this key');

/** Options of a list, newest first. */
const listOptions = <State extends string>(states: readonly State[]) => ({
  owner,
  state: option('--state STATE', `only those in this state: ${states.join(', ')}`, parseChoice(...states)),
  limit: withDefault(option('--limit N', 'show at most N (50)', parseAmount), 50),
  ...jsonList,
});

const id = argument('<task id>', 'Which task?');
const ids = severalArguments('<task id>', 'Which task?');

/** `swath tasks`. */
export const tasks = topic({
  name: 'tasks',
  summary: 'list, show, cancel and retry tasks, and remove old results',
  about: [],
  commands: [
    command('tasks list', { about: 'Shows the newest tasks.', options: listOptions(TASK_STATES) }),
    command('tasks show', {
      about: 'Prints everything known about a task, as JSON.',
      arguments: { id },
      hint: '"swath tasks list" shows them',
    }),
    command('tasks cancel', {
      about: 'Cancels tasks that have not ended; a worker stops within a second or two.',
      arguments: { ids },
      hint: '"swath tasks list" shows them',
    }),
    command('tasks retry', {
      about: 'Queues failed or cancelled tasks again, with all their attempts.',
      arguments: { ids },
      hint: '"swath tasks list" shows them',
    }),
    command('tasks prune', {
      about:
        'Removes tasks that ended more than N days ago together with their results, and results without a task. A server does the same every ten minutes.',
      options: {
        days: option(
          '--days N',
          'days since the end (SWATH_RESULT_DAYS); 0 removes all ended tasks',
          parseAge,
        ),
        owner,
      },
    }),
  ],
  fails: 'a task does not exist or cannot be changed',
});

/** `swath callbacks`. */
export const callbacks = topic({
  name: 'callbacks',
  summary: 'list, show and resend the callbacks of tasks',
  about: [],
  commands: [
    command('callbacks list', {
      about: 'Shows the newest callbacks.',
      options: listOptions(CALLBACK_STATES),
    }),
    command('callbacks show', {
      about: 'Prints everything known about the callback of a task, as JSON.',
      arguments: { id },
      hint: '"swath callbacks list" shows them',
    }),
    command('callbacks retry', {
      about:
        'Sends callbacks again, with all their attempts, also those that were delivered. A server does it within a second.',
      arguments: { ids },
      hint: '"swath callbacks list" shows them',
    }),
  ],
  fails: 'a callback does not exist or cannot be sent',
});

function parseAge(text: string, name: string): number {
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(text)) throw badInput('usage', `${name} takes a number, 0 or more.`);
  return Number(text);
}
