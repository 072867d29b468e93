/** `swath tasks` and `swath callbacks`: their commands, and what they do and print. */

import { toShownAddress } from '../net/index.ts';
import type { Callback, CallbackState, CallbackStore, Task, TaskState, TaskStore } from '../tasks/index.ts';
import { MIB, toMib } from '../units.ts';
import type { CommandOf } from './command.ts';
import { argument, command, option, severalArguments, topic, withDefault } from './command.ts';
import { badInput } from './errors.ts';
import { parseAmount, parseChoice } from './parse-values.ts';
import { jsonList } from './report.ts';
import type { Terminal } from './terminal.ts';
import { printTable } from './terminal.ts';

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

/** What a prune or a sweep has removed. */
export interface CleanedUp {
  readonly tasks: number;
  readonly orphans: number;
}

interface TasksDeps {
  readonly tasks: TaskStore;
  /** Removes tasks that ended `days` ago or earlier, their results, and results without a task; null takes the days of the settings. */
  readonly cleanUp: (options: {
    readonly days: number | null;
    readonly owner: string | null;
  }) => Promise<CleanedUp>;
  readonly terminal: Terminal;
}

/** `swath tasks list|show|cancel|retry|prune`; false if a task could not be found or changed. */
export async function runTasks(command: TasksCommand, deps: TasksDeps): Promise<boolean> {
  const { tasks, terminal } = deps;
  switch (command.name) {
    case 'tasks list':
      return listTasks(command, deps);
    case 'tasks show': {
      const task = await tasks.find(command.id);
      if (task === null) return sayUnknown(command.id, terminal);
      const [order, json] = [await tasks.findOrder(task.id), await tasks.findDocument(task.id)];
      const document: unknown = json === null ? null : JSON.parse(json);
      terminal.line(JSON.stringify({ ...task, order, document }, null, 2));
      return true;
    }
    case 'tasks cancel':
      return changeEach(command.ids, deps, {
        change: (id) => tasks.cancel(id),
        done: 'Cancelled',
        refused: 'has already ended',
      });
    case 'tasks retry':
      return changeEach(command.ids, deps, {
        change: (id) => tasks.retry(id),
        done: 'Queued again',
        refused: 'has neither failed nor been cancelled',
      });
    case 'tasks prune': {
      const { tasks: removed, orphans } = await deps.cleanUp(command);
      terminal.line(`Removed tasks with their results: ${removed}; results without a task: ${orphans}.`);
      return true;
    }
  }
}

interface Change {
  readonly change: (id: string) => Promise<boolean>;
  readonly done: string;
  readonly refused: string;
}

async function changeEach(
  ids: readonly string[],
  { tasks, terminal }: TasksDeps,
  { change, done, refused }: Change,
): Promise<boolean> {
  let isComplete = true;
  for (const id of ids) {
    if (await change(id)) terminal.line(`${done} ${id}.`);
    else if ((await tasks.find(id)) === null) isComplete = sayUnknown(id, terminal);
    else {
      terminal.note(`The task ${id} ${refused}.`);
      isComplete = false;
    }
  }
  return isComplete;
}

function sayUnknown(id: string, terminal: Terminal): false {
  terminal.note(`There is no task "${id.slice(0, 60)}". "swath tasks list" shows them.`);
  return false;
}

async function listTasks(
  { owner, state, limit, json }: Extract<TasksCommand, { name: 'tasks list' }>,
  { tasks, terminal }: TasksDeps,
): Promise<boolean> {
  const listed = await tasks.list({
    limit,
    owner: owner ?? undefined,
    state: state ?? undefined,
  });
  if (json) {
    terminal.line(JSON.stringify(listed, null, 2));
    return true;
  }
  if (listed.length === 0) {
    terminal.line('No tasks.');
    return true;
  }
  printTable(terminal, {
    header: ['ID', 'KIND', 'STATE', 'DONE', 'KEY', 'CREATED', 'RESULT'],
    rows: listed.map(toRow),
  });
  const counts = await tasks.count();
  const all = counts.map(({ state: name, kind, tasks: number }) => `${name} ${kind} ${number}`).join(', ');
  terminal.note(`${listed.length} shown; of all: ${all}.`);
  return true;
}

function toRow(task: Task): readonly string[] {
  const { done, total } = task.progress;
  const percent = total === 0 ? (task.state === 'finished' ? 100 : 0) : Math.floor((100 * done) / total);
  return [
    task.id,
    task.kind,
    task.state,
    `${percent} %`,
    task.owner,
    task.createdAt.slice(0, 19).replace('T', ' '),
    toOutcome(task),
  ];
}

function toOutcome({ result, error, state }: Task): string {
  if (result?.kind === 'file') return `${result.fileName} (${toSize(result.bytes)})`;
  if (error !== null && state !== 'finished') return `${error.code}: ${error.message}`;
  return '';
}

const toSize = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${toMib(bytes)} MiB`;

interface CallbacksDeps {
  readonly callbacks: Pick<CallbackStore, 'find' | 'list' | 'retry'>;
  readonly terminal: Terminal;
}

/** `swath callbacks list|show|retry`; false if a callback could not be found or changed. */
export async function runCallbacks(command: CallbacksCommand, deps: CallbacksDeps): Promise<boolean> {
  const { callbacks, terminal } = deps;
  switch (command.name) {
    case 'callbacks list':
      return listCallbacks(command, deps);
    case 'callbacks show': {
      const callback = await callbacks.find(command.id);
      if (callback === null) return sayNoCallback(command.id, terminal);
      terminal.line(JSON.stringify(toShownCallback(callback), null, 2));
      return true;
    }
    case 'callbacks retry': {
      let isComplete = true;
      for (const id of command.ids) {
        if (await callbacks.retry(id)) terminal.line(`The callback of task ${id} will be sent again.`);
        else if ((await callbacks.find(id)) === null) isComplete = sayNoCallback(id, terminal);
        else {
          terminal.note(`Task ${id} has not ended, or was cancelled: there is nothing to send.`);
          isComplete = false;
        }
      }
      return isComplete;
    }
  }
}

/** Without what its receiver may have hidden in the query. */
const toShownCallback = (callback: Callback): Callback => ({
  ...callback,
  url: toShownAddress(callback.url),
});

function sayNoCallback(id: string, terminal: Terminal): false {
  terminal.note(`No task "${id.slice(0, 60)}" has a callback. "swath callbacks list" shows them.`);
  return false;
}

async function listCallbacks(
  { owner, state, limit, json }: Extract<CallbacksCommand, { name: 'callbacks list' }>,
  { callbacks, terminal }: CallbacksDeps,
): Promise<boolean> {
  const found = await callbacks.list({
    limit,
    owner: owner ?? undefined,
    state: state ?? undefined,
  });
  const listed = found.map(toShownCallback);
  if (json) {
    terminal.line(JSON.stringify(listed, null, 2));
    return true;
  }
  if (listed.length === 0) {
    terminal.line('No callbacks.');
    return true;
  }
  printTable(terminal, {
    header: ['TASK', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT', 'KEY', 'ADDRESS'],
    rows: listed.map(toCallbackRow),
  });
  return true;
}

const toCallbackRow = (callback: Callback): readonly string[] => [
  callback.taskId,
  callback.state,
  String(callback.attempts),
  callback.lastError ?? String(callback.lastStatus ?? '-'),
  callback.nextAttemptAt?.slice(0, 19).replace('T', ' ') ?? '-',
  callback.owner,
  callback.url,
];
