/** Download: an order of the shown scene, and the files of the key. */
import { makeDownloadActions } from '../../actions/downloads.ts';
import { makeOrderStore } from '../../state/order-store.ts';
import { formatDate } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { MakePanel } from '../panel-context.ts';
import { whenVisible } from '../when-visible.ts';
import { makeOrderForm } from './order-form.ts';
import { makeTaskList } from './task-list.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Builds the panel. */
export const makeDownloadPanel: MakePanel = (context) => {
  const { store, api, texts, actions } = context;
  const downloads = makeDownloadActions({
    store,
    api,
    texts,
    sleep,
    whenVisible,
    report: actions.report,
    orders: makeOrderStore(() => localStorage),
    now: () => new Date(),
  });
  const date = el('h3', {});
  const sensor = el('p', { class: 'muted' });
  const form = makeOrderForm(context, downloads);
  const head = el('div', {}, date, sensor);
  const nothing = el('p', { class: 'muted' }, texts.download.nothing);
  store.watch(
    ({ shown }) => shown,
    (shown) => {
      nothing.hidden = shown !== null;
      head.hidden = shown === null;
      form.hidden = shown === null;
      date.textContent = shown === null ? '' : formatDate(shown.date, texts.locale);
      sensor.textContent = shown?.sensor.title ?? '';
    },
  );
  // The list is read whenever the panel is opened: other devices and programs order with the same key.
  store.watch(
    ({ panel, phase }) => panel === 'download' && phase.kind === 'ready',
    (isOpen) => {
      if (isOpen) void downloads.follow();
    },
  );
  return el('div', { class: 'download' }, nothing, head, form, makeTaskList(context, downloads));
};
