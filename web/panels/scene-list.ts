/** The list of scenes in the side panel. */

import type { Scene, ScenePage } from '../scenes/scene.ts';
import { el } from './dom.ts';
import { formatDate } from './readout-text.ts';

/** The list element, its content, and the mark on the scene that is shown. */
export interface SceneList {
  readonly element: HTMLElement;
  show(page: ScenePage): void;
  select(viewId: string): void;
}

interface SceneListParts {
  /** What stands next to the heading. */
  readonly filter: HTMLElement;
  onSelect(viewId: string): void;
}

const makeCard = (scene: Scene): HTMLButtonElement => {
  const facts = el('span', { class: 'facts' });
  if (scene.cloudPercent !== null) {
    const cloud = `${Math.round(scene.cloudPercent)} %`;
    facts.append(
      el('span', { class: 'cloud', title: 'Cloud cover' }, el('span', { class: 'unseen' }, 'Cloud '), cloud),
    );
  }
  const sun = scene.sunElevationDeg === null ? [] : [`sun ${Math.round(scene.sunElevationDeg)}°`];
  return el(
    'button',
    { type: 'button', class: 'scene', 'data-view': scene.viewId },
    el('span', { class: 'date' }, formatDate(scene.date)),
    facts,
    el('span', { class: 'detail' }, [scene.sensor.title, ...sun].join(' · ')),
    el('span', { class: 'id' }, scene.id),
  );
};

const toCount = ({ found, scenes }: ScenePage): string =>
  found > scenes.length ? `newest ${scenes.length} of ${found}` : `${found}`;

/** Builds the list; `onSelect` is told which scene was clicked. */
export const makeSceneList = ({ filter, onSelect }: SceneListParts): SceneList => {
  let cards: readonly HTMLButtonElement[] = [];
  const list = el('ul', { class: 'scenes' });
  list.addEventListener('click', (event) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-view]') : null;
    const viewId = card?.dataset.view;
    if (viewId !== undefined) onSelect(viewId);
  });
  const count = el('span', { class: 'muted' });
  const head = el('div', { class: 'scene-head' }, el('h2', {}, 'Scenes ', count), filter);
  const element = el('section', { class: 'scene-section', 'aria-label': 'Scenes' }, head, list);
  return {
    element,
    show(page) {
      cards = page.scenes.map(makeCard);
      list.replaceChildren(...cards.map((card) => el('li', {}, card)));
      count.textContent = toCount(page);
      // Where room is short the sensor is named only when there are several.
      const isMixed = new Set(page.scenes.map(({ sensor }) => sensor.dataset)).size > 1;
      element.classList.toggle('is-mixed', isMixed);
    },
    select(viewId) {
      for (const card of cards) {
        const isShown = card.dataset.view === viewId;
        if (isShown) {
          card.setAttribute('aria-current', 'true');
          card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        } else card.removeAttribute('aria-current');
      }
    },
  };
};
