/** Area: what is measured of the area of interest. */
import { el } from '../dom.ts';
import type { MakePanel } from '../panel-context.ts';

/** Builds the panel. */
export const makeAreaPanel: MakePanel = ({ store, texts }) => {
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, texts.area.nothing));
  const sections = el('div', { class: 'look' });
  store.watch(
    ({ area }) => area === null,
    (isNothing) => {
      nothing.hidden = !isNothing;
      sections.hidden = isNothing;
    },
  );
  return el('div', {}, nothing, sections);
};
