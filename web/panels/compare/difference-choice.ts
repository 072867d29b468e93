/** Which measure is subtracted, and where the colours end. */
import { measuresOf, planMeasure } from '../../scenes/measure.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import type { Side } from '../../state/comparison.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeOwnExpression, OWN } from './own-expression.ts';

/** Changes of indices, which mostly run from -1 to 1; other measures have the automatic limit. */
const LIMITS = [0.1, 0.2, 0.5, 1];

const toMeasureSide = ({ scene: { sensor }, picture }: Side) => ({ sensor, picture });

/** Builds the two lists; they are there for a difference only. */
export const makeDifferenceChoice = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const { compare, locale } = texts;
  const measures = el('select', { id: 'measure' });
  const limits = el('select', { id: 'limit' });
  /** An expression was begun, and nothing else has been chosen since. */
  let isWriting = false;
  const own = makeOwnExpression(context, {
    id: 'measure-expression',
    label: compare.expression,
    readViewIds() {
      const { comparison } = store.read();
      return comparison === null ? [] : [comparison.left.scene.viewId, comparison.right.scene.viewId];
    },
    refuse(text) {
      const { comparison } = store.read();
      if (comparison === null) return null;
      const [left, right] = [toMeasureSide(comparison.left), toMeasureSide(comparison.right)];
      return planMeasure(left, right, text) === text ? null : compare.oneValue;
    },
    onShow(text) {
      isWriting = false;
      actions.changeComparison({ measure: text, limit: null });
    },
  });
  measures.addEventListener('change', () => {
    isWriting = measures.value === OWN;
    if (!isWriting) return actions.changeComparison({ measure: measures.value, limit: null });
    own.show(store.read().comparison?.measure ?? '');
    own.focus();
  });
  limits.addEventListener('change', () =>
    actions.changeComparison({ limit: limits.value === '' ? null : Number(limits.value) }),
  );
  const element = el(
    'div',
    { class: 'group' },
    el('div', { class: 'row' }, el('label', { for: 'measure' }, compare.measure), measures),
    own.element,
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
        el('option', { value: OWN }, compare.ownExpression),
      );
      measures.value = isWriting ? OWN : (measure ?? '');
      const isOwn = measure !== null && !names.includes(measure);
      own.show(comparison.mode === 'difference' && (isWriting || isOwn) ? (measure ?? '') : null);
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
