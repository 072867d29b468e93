/** Area: draw, bring, measure, clip, search, profiles of lines, time series and zones. */
import { el } from '../dom.ts';
import { toPanel } from '../kit/panel.tsx';
import type { MakePanel } from '../panel-context.ts';
import { makeAreaCard } from './area-card.ts';
import { makeLineCard } from './line-card.ts';
import { makeOfferedShapes } from './offered-shapes.ts';
import { SeriesSection } from './series/series-section.tsx';
import { makeTools } from './tools.ts';
import { makeZonesSection } from './zones/zones-section.ts';

/** Builds the panel. */
export const makeAreaPanel: MakePanel = (context) => {
  const { store, texts } = context;
  const none = el('p', { class: 'muted' }, texts.area.none);
  store.watch(
    ({ area, drawing: { line, tool, offered } }) =>
      area === null && line === null && tool === null && offered === null,
    (isEmpty) => {
      none.hidden = !isEmpty;
    },
  );
  const measures = el(
    'div',
    { class: 'area-sections' },
    toPanel(SeriesSection)(context),
    makeZonesSection(context),
  );
  store.watch(
    ({ area }) => area === null,
    (isMissing) => {
      measures.hidden = isMissing;
    },
  );
  return el(
    'div',
    { class: 'area' },
    makeTools(context),
    none,
    makeOfferedShapes(context),
    makeAreaCard(context),
    makeLineCard(context),
    measures,
  );
};
