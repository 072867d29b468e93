/** A row of segments of which one is chosen. */
import { el } from './dom.ts';

interface RadiosParts {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly { readonly value: string; readonly title: string; readonly hint?: string }[];
  onChoose(value: string): void;
}

/** The segments; the real controls are radio buttons, which clicks, keys and screen readers meet. */
export interface Radios {
  readonly element: HTMLFieldSetElement;
  /** Checks the segment of a value; none for another value. */
  show(value: string | null): void;
  /** Segments that cannot be chosen. */
  disable(isDisabled: (value: string) => boolean): void;
}

/** Builds the row. */
export const makeRadios = ({ name, legend, choices, onChoose }: RadiosParts): Radios => {
  const inputs = choices.map(({ value }) => el('input', { type: 'radio', name, value }));
  for (const input of inputs) input.addEventListener('change', () => onChoose(input.value));
  const labels = choices.map(({ title, hint }, i) => {
    const attributes = hint === undefined ? {} : { title: hint };
    return el('label', { class: 'segment', ...attributes }, inputs[i] ?? '', el('span', {}, title));
  });
  return {
    element: el(
      'fieldset',
      { class: 'choice' },
      el('legend', {}, legend),
      el('div', { class: 'segments' }, ...labels),
    ),
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
    disable(isDisabled) {
      for (const input of inputs) input.disabled = isDisabled(input.value);
    },
  };
};
