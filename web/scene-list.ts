/** The list of scenes in the side panel. */
import { el } from './dom.ts';
import { formatDate } from './readout-text.ts';
import type { Scene, ScenePage } from './scene.ts';

/** The list element and the mark on the scene that is shown. */
export interface SceneList {
  readonly element: HTMLElement;
  select(sceneId: string | null): void;
}

const makeCard = (scene: Scene): HTMLButtonElement => {
  const facts = el('span', { class: 'facts' });
  if (scene.cloudPercent !== null) {
    const cloud = `${Math.round(scene.cloudPercent)} %`;
    facts.append(
      el('span', { class: 'cloud', title: 'Cloud cover' }, el('span', { class: 'unseen' }, 'Cloud '), cloud),
    );
  }
  const detail = [
    scene.satellite,
    scene.sunElevationDeg === null ? null : `sun ${Math.round(scene.sunElevationDeg)}°`,
  ].filter((part) => part !== null);
  return el(
    'button',
    { type: 'button', class: 'scene', 'data-scene': scene.id },
    el('span', { class: 'date' }, formatDate(scene.date)),
    facts,
    el('span', { class: 'id' }, scene.id),
    ...(detail.length === 0 ? [] : [el('span', { class: 'detail' }, detail.join(' · '))]),
  );
};

/** Builds the list; `onSelect` is told which scene was clicked. */
export const makeSceneList = (page: ScenePage, onSelect: (sceneId: string) => void): SceneList => {
  const cards = page.scenes.map((scene) => makeCard(scene));
  const list = el('ul', { class: 'scenes' }, ...cards.map((card) => el('li', {}, card)));
  list.addEventListener('click', (event) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-scene]') : null;
    const sceneId = card?.dataset.scene;
    if (sceneId !== undefined) onSelect(sceneId);
  });

  const count =
    page.found > page.scenes.length ? `newest ${page.scenes.length} of ${page.found}` : `${page.found}`;
  const heading = el('h2', {}, 'Scenes ', el('span', { class: 'muted' }, count));
  return {
    element: el('section', { class: 'scene-section', 'aria-label': 'Scenes' }, heading, list),
    select(sceneId) {
      for (const card of cards) {
        const isShown = card.dataset.scene === sceneId;
        if (isShown) {
          card.setAttribute('aria-current', 'true');
          card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        } else card.removeAttribute('aria-current');
      }
    },
  };
};
