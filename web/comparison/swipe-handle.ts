/** The divider of a swipe: dragged by mouse or finger, or moved by keys. */

import { el } from '../panels/dom.ts';
import { makeIcon } from '../panels/icon.ts';
import type { PanelContext } from '../panels/panel-context.ts';

/** How far a key moves the divider, in parts of the map. */
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.02,
  ArrowDown: -0.02,
  ArrowRight: 0.02,
  ArrowUp: 0.02,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

const toPart = (part: number): number => Math.min(1, Math.max(0, Math.round(part * 100) / 100));

/** The divider over `stage`; `onMove` is told of every step of a drag, the state only of its end. */
export const makeSwipeHandle = (
  stage: HTMLElement,
  onMove: (split: number) => void,
  { actions, texts }: PanelContext,
): { readonly element: HTMLElement; show(split: number): void } => {
  let split = 0.5;
  const element = el(
    'div',
    {
      class: 'swipe-handle',
      role: 'slider',
      tabindex: '0',
      'aria-label': texts.compare.divider,
      'aria-valuemin': '0',
      'aria-valuemax': '100',
    },
    el('span', {}, makeIcon('swipe')),
  );
  const show = (next: number): void => {
    split = toPart(next);
    element.style.left = `${split * 100}%`;
    element.setAttribute('aria-valuenow', String(Math.round(split * 100)));
    onMove(split);
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const { left, width } = stage.getBoundingClientRect();
    show((event.clientX - left) / width);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    element.addEventListener(end, () => actions.changeComparison({ split }));
  }
  element.addEventListener('keydown', (event) => {
    const step = KEY_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    actions.changeComparison({ split: toPart(split + step) });
  });
  return { element, show };
};
