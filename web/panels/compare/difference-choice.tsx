/** Which measure is subtracted, and where the colours end. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { measuresOf, planMeasure } from '../../scenes/measure.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import type { Comparison, Side } from '../../state/comparison.ts';
import { formatNumber } from '../../texts/format.ts';
import { Select } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { OWN, OwnExpression } from './own-expression.tsx';

/** Changes of indices, which mostly run from -1 to 1; other measures have the automatic limit. */
const LIMITS = [0.1, 0.2, 0.5, 1];

const toMeasureSide = ({ scene: { sensor }, picture }: Side) => ({ sensor, picture });

/** The two lists; they are there for a difference only. */
export const DifferenceChoice: FunctionComponent<{ readonly comparison: Comparison }> = ({ comparison }) => {
  const { actions, texts } = usePanel();
  const { compare, locale } = texts;
  /** An expression was begun, and nothing else has been chosen since. */
  const isWriting = useSignal(false);
  const [left, right] = [toMeasureSide(comparison.left), toMeasureSide(comparison.right)];
  const names = measuresOf(left.sensor, right.sensor);
  const measure = planMeasure(left, right, comparison.measure);
  const isOwn = measure !== null && !names.includes(measure);
  const { limit } = comparison;
  const limits = limit === null || LIMITS.includes(limit) ? LIMITS : [...LIMITS, limit];
  const toTitle = (name: string): string => {
    const index = right.sensor.indices.find((one) => one.name === name);
    return index === undefined ? name : `${name} ${wordsOfIndex(index, texts).title}`;
  };
  return (
    <div class="group">
      <div class="row">
        <label for="measure">{compare.measure}</label>
        <Select
          id="measure"
          choices={[
            ...(isOwn ? [measure, ...names] : names).map((name) => ({ value: name, title: toTitle(name) })),
            { value: OWN, title: compare.ownExpression },
          ]}
          value={isWriting.value ? OWN : (measure ?? '')}
          onChoose={(chosen) => {
            isWriting.value = chosen === OWN;
            if (!isWriting.value) actions.changeComparison({ measure: chosen, limit: null });
          }}
        />
      </div>
      {(isWriting.value || isOwn) && (
        <OwnExpression
          id="measure-expression"
          label={compare.expression}
          text={measure ?? ''}
          hasFocus={isWriting.value}
          viewIds={[comparison.left.scene.viewId, comparison.right.scene.viewId]}
          refuse={(text) => (planMeasure(left, right, text) === text ? null : compare.oneValue)}
          onShow={(text) => {
            isWriting.value = false;
            actions.changeComparison({ measure: text, limit: null });
          }}
        />
      )}
      <div class="row">
        <label for="limit">{compare.limit}</label>
        <Select
          id="limit"
          choices={[
            { value: '', title: compare.automatic },
            ...limits.map((one) => ({ value: String(one), title: `± ${formatNumber(one, locale)}` })),
          ]}
          value={limit === null ? '' : String(limit)}
          onChoose={(chosen) => actions.changeComparison({ limit: chosen === '' ? null : Number(chosen) })}
        />
      </div>
    </div>
  );
};
