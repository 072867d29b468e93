/** What is on which half of the map. */

import { el } from '../panels/dom.ts';
import { bandsOfPicture } from '../scenes/picture.ts';
import { titleOfShown } from '../scenes/titles.ts';
import type { Comparison, Side, SideName } from '../state/comparison.ts';
import type { Texts } from '../texts/en.ts';
import { formatDate } from '../texts/format.ts';

/** Two labels, each inside of its half, so that none reaches over the divider. */
export interface SideLabels {
  readonly elements: readonly HTMLElement[];
  show(comparison: Comparison): void;
  /** The divider is at this part of the width. */
  divide(split: number): void;
}

/** Builds them. */
export const makeSideLabels = (texts: Texts): SideLabels => {
  const make = (name: SideName) => {
    const date = el('strong', {});
    const title = el('span', { class: 'side-title' });
    const half = el(
      'div',
      { class: `side-half side-${name}` },
      el('p', { class: 'side-label' }, date, title),
    );
    return { date, title, half };
  };
  const [left, right] = [make('left'), make('right')];
  const fill = ({ date, title }: ReturnType<typeof make>, { scene, picture }: Side): void => {
    date.textContent = formatDate(scene.date, texts.locale);
    title.textContent = titleOfShown(scene.sensor, bandsOfPicture(scene.sensor, picture), texts);
  };
  return {
    elements: [left.half, right.half],
    show(comparison) {
      fill(left, comparison.left);
      fill(right, comparison.right);
      for (const { half } of [left, right]) half.hidden = comparison.mode === 'difference';
    },
    divide(split) {
      left.half.style.width = `${split * 100}%`;
      right.half.style.width = `${(1 - split) * 100}%`;
    },
  };
};
