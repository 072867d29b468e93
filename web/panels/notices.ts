/** Short messages over the map: errors stay until they are closed, confirmations go by themselves. */
import type { Notice } from '../state/viewer-state.ts';
import { el } from './dom.ts';
import { makeIcon } from './icon.ts';
import type { PanelContext } from './panel-context.ts';

/** Long enough to read two short sentences. */
const DONE_MS = 6000;

/** Messages inside `host`, which the page marks as a live region so that they are read aloud. */
export const makeNotices = (host: HTMLElement, { store, actions, texts }: PanelContext): void => {
  const shown = new Map<number, HTMLElement>();
  const make = ({ id, kind, text, action }: Notice): HTMLElement => {
    const notice = el('div', { class: `notice notice-${kind}` }, el('p', {}, text));
    if (action !== null) {
      const button = el('button', { type: 'button', class: 'link' }, action.label);
      button.addEventListener('click', () => {
        actions.report.dismiss(id);
        action.run();
      });
      notice.append(button);
    }
    const close = el('button', { type: 'button', class: 'plain', 'aria-label': texts.frame.closeMessage });
    close.append(makeIcon('close'));
    close.addEventListener('click', () => actions.report.dismiss(id));
    notice.append(close);
    if (kind === 'done') setTimeout(() => actions.report.dismiss(id), DONE_MS);
    return notice;
  };
  store.watch(
    ({ notices }) => notices,
    (notices) => {
      for (const [id, element] of shown) {
        if (notices.some((notice) => notice.id === id)) continue;
        element.remove();
        shown.delete(id);
      }
      for (const notice of notices) {
        if (shown.has(notice.id)) continue;
        const element = make(notice);
        shown.set(notice.id, element);
        host.append(element);
      }
    },
  );
};
