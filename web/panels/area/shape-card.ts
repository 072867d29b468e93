/** What the area and the line have in common: a name, measures, and buttons. */
import { el } from '../dom.ts';
import { makeToolButton } from './tools.ts';

/** The words and deeds of the buttons. */
interface CardButton {
  readonly icon: string;
  readonly title: string;
  run(): void;
}

/** The card. */
export interface ShapeCard {
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly buttons: readonly HTMLButtonElement[];
  /** Shows pairs of a word and a measure. */
  showFacts(facts: readonly (readonly [name: string, value: string])[]): void;
}

/** Pairs of a word and a measure, in columns. */
export const makeFacts = (
  facts: readonly (readonly [name: string, value: string])[],
): readonly HTMLElement[] =>
  facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)));

/** Builds it, with further content below the buttons. */
export const makeShapeCard = (
  buttons: readonly CardButton[],
  ...content: readonly HTMLElement[]
): ShapeCard => {
  const title = el('h3', { class: 'ellipsis' });
  const facts = el('dl', { class: 'measures' });
  const made = buttons.map(({ icon, title: word, run }) => makeToolButton(icon, word, run));
  return {
    element: el(
      'section',
      { class: 'group shape-card' },
      title,
      facts,
      el('div', { class: 'tools' }, ...made),
      ...content,
    ),
    title,
    buttons: made,
    showFacts: (pairs) => facts.replaceChildren(...makeFacts(pairs)),
  };
};
