/** The shapes of a file with several, to choose one from. */
import { areaM2, lengthM } from '../../shapes/geodesic.ts';
import type { Shape } from '../../shapes/shape.ts';
import { formatArea, formatLength } from '../../texts/format-measures.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { PanelContext } from '../panel-context.ts';

/** A longer list is of no use to a reader; a program that cuts files is. */
const MAX_LISTED = 500;

const measure = (shape: Shape, { preferences: { units }, texts: { locale } }: PanelContext): string =>
  shape.kind === 'area'
    ? formatArea(areaM2(shape.outline), units, locale)
    : formatLength(lengthM(shape.positions), units, locale);

/** Builds the list; it is hidden while there is nothing to choose. */
export const makeOfferedShapes = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const words = texts.area;
  const title = el('h3', { class: 'ellipsis' });
  const close = el(
    'button',
    { type: 'button', class: 'plain', 'aria-label': words.cancel },
    makeIcon('close'),
  );
  close.addEventListener('click', actions.closeOffer);
  const count = el('p', { class: 'muted' });
  const list = el('ul', { class: 'offered' });
  const rest = el('p', { class: 'muted small' }, words.onlyFirst(MAX_LISTED));
  const section = el(
    'section',
    { class: 'group' },
    el('div', { class: 'heading-row' }, title, close),
    count,
    list,
    rest,
  );
  const makeItem = (shape: Shape, i: number): HTMLElement => {
    const button = el(
      'button',
      { type: 'button' },
      makeIcon(shape.kind === 'area' ? 'polygon' : 'line'),
      el('span', { class: 'ellipsis' }, shape.name ?? words.unnamed(i + 1)),
      el('span', { class: 'muted' }, measure(shape, context)),
    );
    button.addEventListener('click', () => {
      actions.chooseShape(shape);
      for (const item of list.querySelectorAll('button'))
        item.setAttribute('aria-pressed', String(item === button));
    });
    return el('li', {}, button);
  };
  store.watch(
    ({ drawing }) => drawing.offered,
    (offered) => {
      section.hidden = offered === null;
      if (offered === null) return list.replaceChildren();
      title.textContent = offered.fileName;
      count.textContent = words.chooseOne(offered.shapes.length);
      rest.hidden = offered.shapes.length <= MAX_LISTED;
      list.replaceChildren(...offered.shapes.slice(0, MAX_LISTED).map(makeItem));
    },
  );
  return section;
};
