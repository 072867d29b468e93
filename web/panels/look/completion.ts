/** Names that begin like the one being typed, to be taken by a click or by keys. */
import { el } from '../dom.ts';
import type { KnownNames } from './highlight.ts';
import { planCompletion } from './highlight.ts';

interface CompletionParts {
  readonly area: HTMLTextAreaElement;
  /** What the list is called for screen readers. */
  readonly title: string;
  readNames(): KnownNames;
  /** The text was completed. */
  onText(): void;
}

/** Builds the list under the text; arrow keys move in it, Tab and Enter take, Escape closes. */
export const makeCompletion = ({ area, title, readNames, onText }: CompletionParts): HTMLElement => {
  const list = el('ul', { class: 'completion', role: 'listbox', id: 'completion', 'aria-label': title });
  area.setAttribute('aria-controls', list.id);
  area.setAttribute('aria-autocomplete', 'list');
  let offers: readonly string[] = [];
  let chosen = 0;
  const close = (): void => {
    offers = [];
    list.hidden = true;
    list.replaceChildren();
    area.removeAttribute('aria-activedescendant');
  };
  const mark = (): void => {
    for (const [i, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(i === chosen));
    area.setAttribute('aria-activedescendant', `completion-${chosen}`);
  };
  const take = (name: string): void => {
    const { typed } = planCompletion(area.value, area.selectionStart, readNames());
    const end = readNames().functions.includes(name) ? `${name}(` : name;
    area.setRangeText(end, area.selectionStart - typed.length, area.selectionStart, 'end');
    close();
    area.focus();
    onText();
  };
  const offer = (): void => {
    ({ offers } = planCompletion(area.value, area.selectionStart, readNames()));
    if (offers.length === 0) {
      close();
      return;
    }
    chosen = 0;
    const options = offers.map((name, i) => el('li', { role: 'option', id: `completion-${i}` }, name));
    for (const [i, option] of options.entries()) {
      // Before the text loses the focus.
      option.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        take(offers[i] ?? '');
      });
    }
    list.replaceChildren(...options);
    list.hidden = false;
    mark();
  };
  area.addEventListener('input', offer);
  area.addEventListener('blur', close);
  area.addEventListener('keydown', (event) => {
    if (offers.length === 0) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      chosen = (chosen + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length;
      mark();
    } else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') {
      take(offers[chosen] ?? '');
    } else if (event.key === 'Escape') {
      close();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  });
  close();
  return list;
};
