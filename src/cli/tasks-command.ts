import type { Task, TaskStore } from '../tasks/index.ts';
import { MIB, toMib } from '../units.ts';
import type { TasksCommand } from './commands/index.ts';
import { printTable } from './print-table.ts';
import type { Terminal } from './terminal.ts';

/** What a prune or a sweep has removed. */
export interface CleanedUp {
  readonly tasks: number;
  readonly orphans: number;
}

interface TasksDeps {
  readonly tasks: TaskStore;
  /** Removes tasks that ended so many days ago, their results, and results without a task; null for the setting's days. */
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
    ...(owner === null ? {} : { owner }),
    ...(state === null ? {} : { state }),
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
