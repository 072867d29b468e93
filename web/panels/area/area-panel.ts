/** Area: draw, bring, measure, clip, search, and profiles of lines. */
import { el } from '../dom.ts';
import type { MakePanel } from '../panel-context.ts';
import { makeAreaCard } from './area-card.ts';
import { makeLineCard } from './line-card.ts';
import { makeOfferedShapes } from './offered-shapes.ts';
import { makeTools } from './tools.ts';

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
  return el(
    'div',
    { class: 'area' },
    makeTools(context),
    none,
    makeOfferedShapes(context),
    makeAreaCard(context),
    makeLineCard(context),
  );
};
