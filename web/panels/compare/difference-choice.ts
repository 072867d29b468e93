/** Which measure is subtracted, and where the colours end. */
import { measuresOf, planMeasure } from '../../scenes/measure.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import type { Side } from '../../state/comparison.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** Changes of indices, which mostly run from -1 to 1; other measures have the automatic limit. */
const LIMITS = [0.1, 0.2, 0.5, 1];

const toMeasureSide = ({ scene: { sensor }, picture }: Side) => ({ sensor, picture });

/** Builds the two lists; they are there for a difference only. */
export const makeDifferenceChoice = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const { compare, locale } = texts;
  const measures = el('select', { id: 'measure' });
  const limits = el('select', { id: 'limit' });
  measures.addEventListener('change', () =>
    actions.changeComparison({ measure: measures.value, limit: null }),
  );
  limits.addEventListener('change', () =>
    actions.changeComparison({ limit: limits.value === '' ? null : Number(limits.value) }),
  );
  const element = el(
    'div',
    { class: 'group' },
    el('div', { class: 'row' }, el('label', { for: 'measure' }, compare.measure), measures),
    el('div', { class: 'row' }, el('label', { for: 'limit' }, compare.limit), limits),
  );
  store.watch(
    ({ comparison }) => comparison,
    (comparison) => {
      element.hidden = comparison?.mode !== 'difference';
      if (comparison === null) return;
      const [left, right] = [toMeasureSide(comparison.left), toMeasureSide(comparison.right)];
      const names = measuresOf(left.sensor, right.sensor);
      const measure = planMeasure(left, right, comparison.measure);
      const offered = measure === null || names.includes(measure) ? names : [measure, ...names];
      measures.replaceChildren(
        ...offered.map((name) => {
          const index = right.sensor.indices.find((one) => one.name === name);
          const title = index === undefined ? name : `${name} ${wordsOfIndex(index, texts).title}`;
          return el('option', { value: name }, title);
        }),
      );
      measures.value = measure ?? '';
      const { limit } = comparison;
      const steps = limit === null || LIMITS.includes(limit) ? LIMITS : [...LIMITS, limit];
      limits.replaceChildren(
        el('option', { value: '' }, compare.automatic),
        ...steps.map((step) => el('option', { value: String(step) }, `± ${formatNumber(step, locale)}`)),
      );
      limits.value = limit === null ? '' : String(limit);
    },
  );
  return element;
};
