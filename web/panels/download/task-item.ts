/** One task: what it makes, how far it is, its file, and what can be done with it. */
import type { DownloadActions } from '../../actions/downloads.ts';
import { titleOfTask } from '../../actions/downloads.ts';
import type { DownloadTask } from '../../state/downloads.ts';
import { isOpenTask } from '../../state/downloads.ts';
import { formatBytes, formatPercent, formatTime } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { PanelContext } from '../panel-context.ts';

/** The element of a task, which follows its state. */
export interface TaskItem {
  readonly element: HTMLLIElement;
  show(task: DownloadTask): void;
}

/** `Bands · 16 Nov, 15:52 · 12 MB`. */
const toFacts = ({ type, createdAt, bytes, state }: DownloadTask, { texts }: PanelContext): string => {
  const words = texts.download;
  const kind = words.types[type] ?? type;
  const size = formatBytes(bytes, texts.locale);
  const parts = [kind, formatTime(createdAt, texts.locale)];
  if (state === 'finished') parts.push(size);
  else if (state === 'queued' || state === 'running') parts.push(words.about(size));
  return parts.join(' · ');
};

const toState = (task: DownloadTask, { texts }: PanelContext): string => {
  const words = texts.download;
  switch (task.state) {
    case 'queued':
      return words.queued;
    case 'running':
      return words.running(formatPercent(Math.floor(task.progress * 100), texts.locale));
    case 'finished':
      return task.expiresAt === null ? '' : words.until(formatTime(task.expiresAt, texts.locale));
    case 'failed':
      return task.failure ?? texts.states.failed;
    case 'cancelled':
      return words.cancelled;
  }
};

/** Builds it, for one task at a time. */
export const makeTaskItem = (context: PanelContext, actions: DownloadActions): TaskItem => {
  const words = context.texts.download;
  const title = el('p', { class: 'task-title' });
  const facts = el('p', { class: 'muted small' });
  const state = el('p', { class: 'small' });
  const progress = el('progress', { max: '1' });
  const link = el('a', { class: 'button', download: true }, makeIcon('download'), words.save);
  const button = (icon: string, run: (task: DownloadTask) => Promise<void>): HTMLButtonElement => {
    const element = el('button', { type: 'button', class: 'plain' }, makeIcon(icon));
    element.addEventListener('click', () => {
      if (shown === null) return;
      element.disabled = true;
      void run(shown).finally(() => {
        element.disabled = false;
      });
    });
    return element;
  };
  const repeat = button('repeat', actions.repeat);
  const end = button('close', actions.end);
  let shown: DownloadTask | null = null;
  return {
    element: el(
      'li',
      { class: 'task' },
      el('div', { class: 'task-words' }, title, facts, progress, state),
      el('div', { class: 'task-buttons' }, link, repeat, end),
    ),
    show(task) {
      shown = task;
      const name = titleOfTask(task);
      const isOpen = isOpenTask(task);
      title.textContent = name;
      facts.textContent = toFacts(task, context);
      state.textContent = toState(task, context);
      state.classList.toggle('refusal', task.state === 'failed');
      state.classList.toggle('muted', task.state !== 'failed');
      progress.hidden = !isOpen;
      // Without a value it moves without an end in sight.
      if (task.state === 'running') progress.value = task.progress;
      else progress.removeAttribute('value');
      progress.setAttribute('aria-label', name);
      link.hidden = task.href === null;
      if (task.href !== null && task.href !== link.getAttribute('href')) link.href = task.href;
      link.setAttribute('aria-label', words.saveFile(task.fileName ?? name));
      repeat.hidden = isOpen || !actions.canRepeat(task);
      repeat.title = words.repeat;
      repeat.setAttribute('aria-label', `${words.repeat}: ${name}`);
      end.title = isOpen ? words.cancel : words.remove;
      end.setAttribute('aria-label', `${end.title}: ${name}`);
    },
  };
};
