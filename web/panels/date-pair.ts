/** Two fields for the first and the last day of a range, made to be typed into. */
import type { Texts } from '../texts/en.ts';
import { el } from './dom.ts';
import type { Dates } from './plan-dates.ts';
import { planDates } from './plan-dates.ts';

/** What the pair is made of. */
interface DatePairParts {
  /** The ids of the fields are `<name>-from` and `<name>-to`. */
  readonly name: string;
  readonly texts: Texts;
  /** Called with the range, and with the one when the focus came. */
  onChange(dates: Dates, before: Dates): void;
}

/** The pair. */
interface DatePair {
  readonly element: HTMLElement;
  /** Shows a range; a field that is being typed into takes it when the focus leaves. */
  show(dates: Dates): void;
}

/** Builds it. */
export const makeDatePair = ({ name, texts, onChange }: DatePairParts): DatePair => {
  let shown: Dates = { from: '', to: '' };
  let before = shown;
  const make = (end: keyof Dates): HTMLInputElement => {
    const input = el('input', { type: 'date', id: `${name}-${end}` });
    input.addEventListener('focus', () => {
      before = shown;
    });
    input.addEventListener('change', () => {
      // A date of which a part is missing has no value, but is not empty.
      if (input.validity.badInput) return;
      const dates = planDates(before, end, input.value);
      if (dates !== null) onChange(dates, before);
    });
    input.addEventListener('blur', () => {
      input.value = shown[end];
    });
    return input;
  };
  const [from, to] = [make('from'), make('to')];
  return {
    element: el(
      'div',
      { class: 'pair' },
      el('div', {}, el('label', { for: from.id }, texts.find.from), from),
      el('div', {}, el('label', { for: to.id }, texts.find.to), to),
    ),
    show(dates) {
      shown = dates;
      if (document.activeElement !== from) from.value = dates.from;
      if (document.activeElement !== to) to.value = dates.to;
    },
  };
};
