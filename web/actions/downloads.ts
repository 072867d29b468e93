/** Orders of files and the tasks that make them. Loaded with the download panel. */

import type { TaskCalls } from '../../clients/typescript/src/tasks.ts';
import { makeTaskCalls } from '../../clients/typescript/src/tasks.ts';
import { isKeyRefused } from '../api/failure.ts';
import { readJointRange } from '../api/joint-range.ts';
import { toSpan } from '../scenes/own-colormap.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import {
  bandsOfOrder,
  expressionsOfOrder,
  needsOwnContrast,
  planOrder,
  toPlainWords,
} from '../scenes/plan-order.ts';
import { titleOfShown } from '../scenes/titles.ts';
import type { DownloadForm, DownloadOrder, Downloads, DownloadTask } from '../state/downloads.ts';
import { isOpenTask } from '../state/downloads.ts';
import type { OrderStore } from '../state/order-store.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { formatDate } from '../texts/format.ts';
import type { ActionParts } from './action-parts.ts';
import { makeLatest } from './latest.ts';
import type { Report } from './report.ts';
import { toFailureOf } from './report.ts';

/** What a user does with downloads. */
export interface DownloadActions {
  changeForm(change: Partial<DownloadForm>): void;
  /** Asks how large the file of the order will be; called again, it forgets what it asked before. */
  estimate(): Promise<void>;
  /** The choices have changed: what was estimated no longer holds. */
  forgetEstimate(): void;
  order(): Promise<void>;
  /** Orders the same once more; only for orders of this browser. */
  repeat(task: DownloadTask): Promise<void>;
  canRepeat(task: DownloadTask): boolean;
  /** Cancels a task that is not over; removes one that is. */
  end(task: DownloadTask): Promise<void>;
  /** Reads the newest tasks, and follows those that are not over. */
  follow(): Promise<void>;
  loadMore(): Promise<void>;
}

/** The parts; the clock and the tab are the browser's. */
interface DownloadParts extends Pick<ActionParts, 'store' | 'api' | 'texts' | 'sleep'> {
  readonly report: Report;
  readonly orders: OrderStore;
  readonly now: () => Date;
  /** Resolves when the tab is seen. */
  readonly whenVisible: () => Promise<void>;
}

/** Tasks of a page: as many as two screens of a phone show. */
/** Orders of the panel: files of a scene. */
const FILE_TYPES = ['lbe', 'bandmath', 'jpeg'];
const PAGE = 20;
/** The most that one request tells of. */
const MAX_LISTED = 100;
/** A task of seconds is seen to end at once; one of minutes costs six requests a minute. */
const [FIRST_POLL_MS, LAST_POLL_MS, SLOWER] = [1000, 10_000, 1.5];

const REFERENCE_END = / · \d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** What an order was called; its reference also holds when, so that each is a task of its own. */
export const titleOfTask = ({ reference, fileName }: DownloadTask): string =>
  REFERENCE_END.test(reference) ? reference.replace(REFERENCE_END, '') : (fileName ?? reference);

/** What an order is called: `NDVI Vegetation, 21 Jun 2026`. */
const titleOfOrder = (
  { shown, picture, downloads: { form } }: ViewerState,
  texts: ActionParts['texts'],
): string => {
  if (shown === null) return '';
  const { sensor } = shown;
  const what =
    form.kind === 'bands'
      ? bandsOfOrder(shown, picture, form.bands).join(' ')
      : form.kind === 'index'
        ? expressionsOfOrder(shown, picture, form.expressions).join(', ')
        : titleOfShown(sensor, bandsOfPicture(sensor, picture), texts);
  // A reference has at most 200 characters.
  return `${what.slice(0, 120)}, ${formatDate(shown.date, texts.locale)}`;
};

/** Tasks of the newest page, then those that were listed before and are older. */
const mergeTasks = (
  fresh: readonly DownloadTask[],
  known: readonly DownloadTask[],
  isWhole: boolean,
): readonly DownloadTask[] => {
  const last = fresh.at(-1);
  const index = isWhole || last === undefined ? -1 : known.findIndex(({ id }) => id === last.id);
  return index < 0 ? fresh : [...fresh, ...known.slice(index + 1)];
};

/** Builds them. */
export const makeDownloadActions = (parts: DownloadParts): DownloadActions => {
  const { store, texts, report, orders, now, sleep, whenVisible } = parts;
  const api: TaskCalls = makeTaskCalls(parts.api);
  const estimates = makeLatest();
  const polls = makeLatest();
  const set = (change: Partial<Downloads>): void =>
    store.update((state) => ({ ...state, downloads: { ...state.downloads, ...change } }));
  const isOpen = (): boolean => store.read().downloads.tasks?.some(isOpenTask) ?? false;

  const plan = async (signal?: AbortSignal): Promise<DownloadOrder | null> => {
    const { shown, picture, bounds, area, downloads, ownColormaps } = store.read();
    if (shown === null) return null;
    const { form } = downloads;
    const isNeeded = form.kind === 'picture' && needsOwnContrast(shown, picture);
    const own = ownColormaps.find(({ id }) => id === picture.colormap?.replace(/_r$/, ''));
    // Colours at values run over their own range.
    const ownContrast = !isNeeded
      ? null
      : own?.isAbsolute
        ? toSpan(own)
        : await readJointRange(
            parts.api,
            {
              viewId: shown.viewId,
              bands: bandsOfPicture(shown.sensor, picture),
              of: 'picture',
              isCalibrated: picture.isCalibrated,
            },
            signal,
          );
    return planOrder(form, { scene: shown, picture, bounds, outline: area?.outline ?? null, ownContrast });
  };

  /** Tells of ends that were not seen: the panel may be closed. */
  const tellEnds = (before: readonly DownloadTask[], after: readonly DownloadTask[]): void => {
    if (store.read().panel === 'download') return;
    const wereOpen = new Set(before.filter(isOpenTask).map(({ id }) => id));
    for (const task of after) {
      if (!wereOpen.has(task.id)) continue;
      if (task.state === 'finished') report.showDone(texts.download.ready(titleOfTask(task)));
      if (task.state === 'failed') report.showError(`${titleOfTask(task)}: ${task.failure ?? ''}`);
    }
  };

  const read = async (signal: AbortSignal): Promise<boolean> => {
    const known = store.read().downloads.tasks ?? [];
    const limit = Math.min(MAX_LISTED, Math.max(PAGE, known.length));
    const page = await api.listTasks({ limit, types: FILE_TYPES }, signal);
    // The answer to a key that was taken away meanwhile is not for the next one.
    if (signal.aborted || store.read().phase.kind === 'needs-key') return false;
    const tasks = mergeTasks(page.tasks, known, page.next === null);
    const { next } = store.read().downloads;
    tellEnds(known, tasks);
    set({ tasks, failure: null, next: tasks.length > page.tasks.length ? next : page.next });
    return JSON.stringify(tasks.filter(isOpenTask)) !== JSON.stringify(known.filter(isOpenTask));
  };

  /** Reads once; the answer is how long to wait for the next time, `null` when there is nothing to wait for. */
  const poll = async (signal: AbortSignal, delayMs: number): Promise<number | null> => {
    try {
      const hasChanged = await read(signal);
      if (signal.aborted || !isOpen()) return null;
      return hasChanged ? FIRST_POLL_MS : Math.min(LAST_POLL_MS, delayMs * SLOWER);
    } catch (error) {
      if (signal.aborted) return null;
      const failure = toFailureOf(error);
      if (isKeyRefused(failure)) {
        report.fail(failure);
        return null;
      }
      set({ failure: failure.message });
      // A server that restarts, or a network that is away for a moment, ends no message about a task.
      const isPassing = failure.status === 0 || failure.status === 429 || failure.status >= 500;
      return isPassing && isOpen() ? LAST_POLL_MS : null;
    }
  };

  const goOn = async (signal: AbortSignal, firstDelayMs: number | null): Promise<void> => {
    let delayMs = firstDelayMs;
    while (delayMs !== null && !signal.aborted) {
      await sleep(delayMs);
      await whenVisible();
      if (!signal.aborted) delayMs = await poll(signal, delayMs);
    }
  };

  const follow = async (): Promise<void> => {
    const signal = polls.start();
    await goOn(signal, await poll(signal, FIRST_POLL_MS));
  };

  /** The list as it is now; what is open is followed, but not waited for. */
  const readAgain = async (): Promise<void> => {
    const signal = polls.start();
    void goOn(signal, await poll(signal, FIRST_POLL_MS));
  };

  const send = async (order: DownloadOrder, title: string): Promise<void> => {
    const reference = `${title} · ${now().toISOString()}`;
    const id = await api.createTask({ ...order, params: { ...order.params, reference } });
    orders.remember(id, order, title);
    void follow();
  };

  /** Shows a refusal at the option that it is about, and other failures over the map. */
  const refuse = (error: unknown): void => {
    const failure = toFailureOf(error);
    const isRefusal = failure.status >= 400 && failure.status < 500 && failure.code !== '';
    if (isKeyRefused(failure) || !isRefusal) report.fail(failure);
    else {
      const canRetry = failure.status === 402 || failure.status === 429;
      const text = toPlainWords(failure.message);
      set({ estimate: { kind: 'refused', code: failure.code, text, canRetry } });
    }
  };

  return {
    changeForm: (change) =>
      store.update((state) => ({
        ...state,
        downloads: { ...state.downloads, form: { ...state.downloads.form, ...change } },
      })),
    async estimate() {
      const signal = estimates.start();
      set({ estimate: { kind: 'asking' } });
      try {
        const order = await plan(signal);
        if (order === null || signal.aborted) return;
        const { bytes, fileName } = await api.estimateTask(order, signal);
        if (!signal.aborted) set({ estimate: { kind: 'known', bytes, fileName } });
      } catch (error) {
        if (signal.aborted) return;
        set({ estimate: { kind: 'unknown' } });
        refuse(error);
      }
    },
    forgetEstimate() {
      estimates.cancel();
      set({ estimate: { kind: 'asking' } });
    },
    async order() {
      if (store.read().downloads.isOrdering) return;
      set({ isOrdering: true });
      try {
        const title = titleOfOrder(store.read(), texts);
        const order = await plan();
        if (order !== null) await send(order, title);
      } catch (error) {
        refuse(error);
      } finally {
        set({ isOrdering: false });
      }
    },
    canRepeat: ({ id }) => orders.find(id) !== null,
    async repeat({ id }) {
      const known = orders.find(id);
      if (known === null) return;
      try {
        await send(known.order, known.title);
      } catch (error) {
        report.fail(error);
      }
    },
    async end({ id }) {
      try {
        await api.endTask(id);
        await readAgain();
      } catch (error) {
        const failure = toFailureOf(error);
        // It ended and was removed meanwhile; the list says so.
        if (failure.status === 404) await readAgain();
        else report.fail(failure);
      }
    },
    follow,
    async loadMore() {
      const { next } = store.read().downloads;
      if (next === null) return;
      try {
        const page = await api.listTasks({ limit: PAGE, after: next, types: FILE_TYPES });
        store.update((state) => {
          const { downloads } = state;
          if (downloads.next !== next) return state;
          const known = new Set(downloads.tasks?.map(({ id }) => id));
          const fresh = page.tasks.filter(({ id }) => !known.has(id));
          return {
            ...state,
            downloads: { ...downloads, tasks: [...(downloads.tasks ?? []), ...fresh], next: page.next },
          };
        });
      } catch (error) {
        // The task at the end of the page may be removed by now: the list begins anew.
        if (toFailureOf(error).status === 404) {
          set({ tasks: null, next: null });
          await readAgain();
        } else report.fail(error);
      }
    },
  };
};
