/** Area: what is measured of the area of interest. */
import { el } from '../dom.ts';
import type { MakePanel } from '../panel-context.ts';
import { makeSeriesSection } from './series/series-section.ts';
import { makeZonesSection } from './zones/zones-section.ts';

/** Builds the panel. */
export const makeAreaPanel: MakePanel = (context) => {
  const { store, texts } = context;
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, texts.area.nothing));
  const sections = el('div', { class: 'area' }, makeSeriesSection(context), makeZonesSection(context));
  store.watch(
    ({ area }) => area === null,
    (isNothing) => {
      nothing.hidden = !isNothing;
      sections.hidden = isNothing;
    },
  );
  return el('div', {}, nothing, sections);
};
