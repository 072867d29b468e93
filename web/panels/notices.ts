/** Short messages over the map: errors stay until they are closed, confirmations go by themselves. */
import { el } from './dom.ts';

/** A button in a message. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** Shows and clears messages. */
export interface Notices {
  showError(text: string, action?: NoticeAction): void;
  showDone(text: string): void;
  clear(): void;
}

/** Long enough to read two short sentences. */
const DONE_MS = 6000;
/** More than this would cover the map; the oldest makes room. */
const MAX_SHOWN = 3;

/** Messages inside `host`, which the page marks as a live region so that they are read aloud. */
export const makeNotices = (host: HTMLElement): Notices => {
  const show = (kind: 'error' | 'done', text: string, action?: NoticeAction): HTMLElement | null => {
    // Twenty tiles that fail alike are one message.
    for (const shown of host.children) if ((shown as HTMLElement).dataset.text === text) return null;
    while (host.children.length >= MAX_SHOWN) host.firstElementChild?.remove();

    const notice = el('div', { class: `notice notice-${kind}`, 'data-text': text }, el('p', {}, text));
    if (action !== undefined) {
      const button = el('button', { type: 'button', class: 'link' }, action.label);
      button.addEventListener('click', () => {
        notice.remove();
        action.run();
      });
      notice.append(button);
    }
    const close = el('button', { type: 'button', class: 'close', 'aria-label': 'Close message' }, '×');
    close.addEventListener('click', () => notice.remove());
    notice.append(close);
    host.append(notice);
    return notice;
  };

  return {
    showError: (text, action) => void show('error', text, action),
    showDone(text) {
      const notice = show('done', text);
      if (notice !== null) setTimeout(() => notice.remove(), DONE_MS);
    },
    clear: () => host.replaceChildren(),
  };
};
