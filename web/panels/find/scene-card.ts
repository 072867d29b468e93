/** The card of one scene. */
import type { Scene } from '../../scenes/scene.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate, formatPercent } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';

/** Below this a card says how much of the tile has data; a whole tile is not worth a word. */
const WHOLE_PERCENT = 99.5;

/** A number with its icon; the whole words are read aloud. */
const makeFact = (icon: string, number: string, words: string): HTMLElement => {
  const fact = el('span', { class: `fact ${icon}`, title: words });
  fact.append(
    makeIcon(icon),
    el('span', { 'aria-hidden': 'true' }, number),
    el('span', { class: 'unseen' }, words),
  );
  return fact;
};

/** The card, and the canvas of its thumbnail. */
export const makeSceneCard = (
  scene: Scene,
  { locale, find }: Texts,
): { readonly card: HTMLButtonElement; readonly canvas: HTMLCanvasElement } => {
  const canvas = el('canvas', { class: 'thumbnail', width: '112', height: '112', 'aria-hidden': 'true' });
  const facts = el('span', { class: 'facts' });
  if (scene.cloudPercent !== null) {
    const percent = formatPercent(scene.cloudPercent, locale);
    facts.append(makeFact('cloud', percent, find.cloud(percent)));
  }
  if (scene.coveragePercent !== null && scene.coveragePercent < WHOLE_PERCENT) {
    const percent = formatPercent(scene.coveragePercent, locale);
    facts.append(makeFact('coverage', percent, find.coverage(percent)));
  }
  const card = el(
    'button',
    { type: 'button', class: 'scene', 'data-view': scene.viewId },
    canvas,
    el('span', { class: 'date' }, formatDate(scene.date, locale)),
    facts,
    el('span', { class: 'detail' }, scene.sensor.title),
    el('span', { class: 'id' }, scene.id),
  );
  return { card, canvas };
};
