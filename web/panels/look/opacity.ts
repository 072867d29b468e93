/** How much of the scene covers what lies below it. */
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** Builds a slider; several may show the same opacity. */
export const makeOpacity = (
  { store, actions }: PanelContext,
  { id, label }: { readonly id: string; readonly label: string },
): HTMLElement => {
  const output = el('output', { for: id });
  const range = el('input', { id, type: 'range', min: '0', max: '100', step: '1' });
  range.addEventListener('input', () => actions.setOpacity(Number(range.value) / 100));
  store.watch(
    ({ opacity }) => opacity,
    (opacity) => {
      range.value = String(Math.round(opacity * 100));
      output.value = `${range.value} %`;
    },
  );
  return el('div', { class: 'row' }, el('label', { for: id }, label), range, output);
};
