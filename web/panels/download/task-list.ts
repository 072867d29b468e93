/** The files of the key: those that are made, those that are ready, and those that came to nothing. */
import type { DownloadActions } from '../../actions/downloads.ts';
import type { DownloadTask } from '../../state/downloads.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { putInOrder } from '../put-in-order.ts';
import type { TaskItem } from './task-item.ts';
import { makeTaskItem } from './task-item.ts';

/** Builds the list. */
export const makeTaskList = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const { store, texts } = context;
  const words = texts.download;
  const items = new Map<string, TaskItem>();
  const list = el('ul', { class: 'tasks' });
  const note = el('p', { class: 'muted' });
  const again = el('button', { type: 'button', class: 'secondary' }, texts.frame.tryAgain);
  again.addEventListener('click', () => void actions.follow());
  const more = el('button', { type: 'button', class: 'secondary' }, words.moreTasks);
  more.addEventListener('click', () => void actions.loadMore());
  const itemOf = (task: DownloadTask): TaskItem => {
    const item = items.get(task.id) ?? makeTaskItem(context, actions);
    items.set(task.id, item);
    item.show(task);
    return item;
  };
  store.watch(
    ({ downloads }) => downloads.tasks,
    (tasks) => {
      const present = new Set(tasks?.map(({ id }) => id));
      for (const id of items.keys()) if (!present.has(id)) items.delete(id);
      putInOrder(
        list,
        (tasks ?? []).map((task) => itemOf(task).element),
      );
    },
  );
  const showNote = (): void => {
    const { tasks, failure, next } = store.read().downloads;
    if (failure !== null) note.textContent = failure;
    else if (tasks === null) note.textContent = words.loadingTasks;
    else note.textContent = tasks.length === 0 ? words.noTasks : '';
    note.hidden = note.textContent === '';
    again.hidden = failure === null;
    more.hidden = next === null;
    list.setAttribute('aria-busy', String(tasks === null && failure === null));
  };
  store.watch(({ downloads }) => downloads.tasks, showNote);
  store.watch(({ downloads }) => downloads.failure, showNote);
  store.watch(({ downloads }) => downloads.next, showNote);
  return el(
    'section',
    { class: 'task-section', 'aria-labelledby': 'tasks-title' },
    el('h3', { id: 'tasks-title' }, words.tasks),
    list,
    note,
    again,
    more,
  );
};
