/** A list of which any number is chosen: names, what they are, and a note at the end of the line. */
import { el } from '../dom.ts';

/** An item to choose. */
interface CheckItem {
  readonly value: string;
  readonly name: string;
  readonly title: string;
  readonly note: string;
}

/** The list. */
export interface CheckList {
  readonly element: HTMLFieldSetElement;
  /** Offers other items. */
  offer(items: readonly CheckItem[]): void;
  /** Checks these. */
  show(chosen: readonly string[]): void;
}

/** Builds it; the chosen values come in the order of the items. */
export const makeCheckList = (legend: string, onChoose: (chosen: readonly string[]) => void): CheckList => {
  const rows = el('div', { class: 'check-rows' });
  let inputs: readonly HTMLInputElement[] = [];
  return {
    element: el('fieldset', { class: 'choice' }, el('legend', {}, legend), rows),
    offer(items) {
      inputs = items.map(({ value }) => {
        const input = el('input', { type: 'checkbox', value });
        input.addEventListener('change', () =>
          onChoose(inputs.filter(({ checked }) => checked).map((one) => one.value)),
        );
        return input;
      });
      rows.replaceChildren(
        ...items.map(({ name, title, note }, i) =>
          el(
            'label',
            { class: 'check check-row' },
            inputs[i] ?? '',
            el('span', { class: 'check-name' }, name),
            el('span', { class: 'check-title muted' }, title),
            el('span', { class: 'muted small' }, note),
          ),
        ),
      );
    },
    show(chosen) {
      for (const input of inputs) input.checked = chosen.includes(input.value);
    },
  };
};
