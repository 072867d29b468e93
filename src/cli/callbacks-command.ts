import { toShownAddress } from '../net/index.ts';
import type { Callback, CallbackStore } from '../tasks/index.ts';
import type { CallbacksCommand } from './commands/index.ts';
import { printTable } from './print-table.ts';
import type { Terminal } from './terminal.ts';

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
      if (callback === null) return sayUnknown(command.id, terminal);
      terminal.line(JSON.stringify(toShown(callback), null, 2));
      return true;
    }
    case 'callbacks retry': {
      let isComplete = true;
      for (const id of command.ids) {
        if (await callbacks.retry(id)) terminal.line(`The callback of task ${id} will be sent again.`);
        else if ((await callbacks.find(id)) === null) isComplete = sayUnknown(id, terminal);
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
const toShown = (callback: Callback): Callback => ({ ...callback, url: toShownAddress(callback.url) });

function sayUnknown(id: string, terminal: Terminal): false {
  terminal.note(`No task "${id.slice(0, 60)}" has a callback. "swath callbacks list" shows them.`);
  return false;
}

async function listCallbacks(
  { owner, state, limit, json }: Extract<CallbacksCommand, { name: 'callbacks list' }>,
  { callbacks, terminal }: CallbacksDeps,
): Promise<boolean> {
  const found = await callbacks.list({
    limit,
    ...(owner === null ? {} : { owner }),
    ...(state === null ? {} : { state }),
  });
  const listed = found.map(toShown);
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
    rows: listed.map(toRow),
  });
  return true;
}

const toRow = (callback: Callback): readonly string[] => [
  callback.taskId,
  callback.state,
  String(callback.attempts),
  callback.lastError ?? String(callback.lastStatus ?? '-'),
  callback.nextAttemptAt?.slice(0, 19).replace('T', ' ') ?? '-',
  callback.owner,
  callback.url,
];
