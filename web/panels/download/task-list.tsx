/** The files of the key: those that are made, those that are ready, and those that came to nothing. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { DownloadActions } from '../../actions/downloads.ts';
import { titleOfTask } from '../../actions/downloads.ts';
import type { DownloadTask } from '../../state/downloads.ts';
import { isOpenTask } from '../../state/downloads.ts';
import type { Texts } from '../../texts/en.ts';
import { formatBytes, formatPercent, formatTime } from '../../texts/format.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** `Bands · 16 Nov, 15:52 · 12 MB`. */
const toFacts = ({ type, createdAt, bytes, state }: DownloadTask, texts: Texts): string => {
  const words = texts.download;
  const kind = words.types[type] ?? type;
  const size = formatBytes(bytes, texts.locale);
  const parts = [kind, formatTime(createdAt, texts.locale)];
  if (state === 'finished') parts.push(size);
  else if (state === 'queued' || state === 'running') parts.push(words.about(size));
  return parts.join(' · ');
};

const toState = (task: DownloadTask, texts: Texts): string => {
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

interface TaskButtonProps {
  readonly icon: string;
  readonly title: string;
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A button that waits for what it has begun. */
const TaskButton: FunctionComponent<TaskButtonProps> = ({ icon, title, name, run }) => {
  const isBusy = useSignal(false);
  const start = (): void => {
    isBusy.value = true;
    void run().finally(() => {
      isBusy.value = false;
    });
  };
  return (
    <Button
      look="plain"
      icon={icon}
      label={`${title}: ${name}`}
      hint={title}
      isDisabled={isBusy.value}
      onClick={start}
    />
  );
};

interface TaskProps {
  readonly task: DownloadTask;
  readonly downloads: DownloadActions;
}

/** One task: what it makes, how far it is, its file, and what can be done with it. */
const TaskItem: FunctionComponent<TaskProps> = ({ task, downloads }) => {
  const { texts } = usePanel();
  const words = texts.download;
  const name = titleOfTask(task);
  const isOpen = isOpenTask(task);
  return (
    <li class="task">
      <div class="task-words">
        <p class="task-title">{name}</p>
        <p class="muted small">{toFacts(task, texts)}</p>
        {/* Without a value it moves without an end in sight. */}
        {isOpen && (
          <progress max={1} value={task.state === 'running' ? task.progress : undefined} aria-label={name} />
        )}
        <p class={task.state === 'failed' ? 'small refusal' : 'small muted'}>{toState(task, texts)}</p>
      </div>
      <div class="task-buttons">
        {!isOpen && downloads.canRepeat(task) && (
          <TaskButton icon="repeat" title={words.repeat} name={name} run={() => downloads.repeat(task)} />
        )}
        <TaskButton
          icon="close"
          title={isOpen ? words.cancel : words.remove}
          name={name}
          run={() => downloads.end(task)}
        />
      </div>
      {task.href !== null && (
        <a class="button" download="" href={task.href} aria-label={words.saveFile(task.fileName ?? name)}>
          <Icon name="download" />
          {words.save}
        </a>
      )}
    </li>
  );
};

/** The list. */
export const TaskList: FunctionComponent<Pick<TaskProps, 'downloads'>> = ({ downloads }) => {
  const { texts } = usePanel();
  const words = texts.download;
  const tasks = usePart((state) => state.downloads.tasks);
  const failure = usePart((state) => state.downloads.failure);
  const hasMore = usePart((state) => state.downloads.next !== null);
  const note = failure ?? (tasks === null ? words.loadingTasks : tasks.length === 0 ? words.noTasks : null);
  return (
    <section class="task-section" aria-labelledby="tasks-title">
      <h3 id="tasks-title">{words.tasks}</h3>
      <ul class="tasks" aria-busy={tasks === null && failure === null}>
        {tasks?.map((task) => (
          <TaskItem key={task.id} task={task} downloads={downloads} />
        ))}
      </ul>
      {note !== null && <p class="muted">{note}</p>}
      {failure !== null && <Button onClick={() => void downloads.follow()}>{texts.frame.tryAgain}</Button>}
      {hasMore && <Button onClick={() => void downloads.loadMore()}>{words.moreTasks}</Button>}
    </section>
  );
};
