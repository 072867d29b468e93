/** What the curve of a field shows: index, years, spread, weather, and another field next to it. */
import type { FunctionComponent } from 'preact';
import { indicesOf } from '../../actions/plan-series.ts';
import type { Field } from '../../api/fields.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import type { SeriesChoice, SeriesView } from '../../state/series-state.ts';
import { SERIES_LAYERS } from '../../state/series-state.ts';
import { Button, FieldRow, Select, Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Section } from '../kit/parts.tsx';
import { isNarrow } from '../narrow.ts';
import { useFields } from './field-context.ts';
import { fromOfYears, YEAR_CHOICES, yearsOf } from './plan-fields.ts';

/** More names are not a list that anyone reads. */
const MAX_OTHERS = 1000;

const without = <Value,>(list: readonly Value[], value: Value): readonly Value[] =>
  list.filter((one) => one !== value);

const Layers: FunctionComponent<{ readonly choice: SeriesChoice }> = ({ choice }) => {
  const { actions, texts } = usePanel();
  return (
    <fieldset>
      <legend>{texts.series.layers}</legend>
      {SERIES_LAYERS.map((layer) => (
        <Switch
          key={layer}
          isOn={choice.layers.includes(layer)}
          onSwitch={(isOn) =>
            actions.chooseSeries({
              // In the order of the chart.
              layers: SERIES_LAYERS.filter((one) => (one === layer ? isOn : choice.layers.includes(one))),
            })
          }
        >
          {texts.series.layerNames[layer].title}
        </Switch>
      ))}
    </fieldset>
  );
};

const Others: FunctionComponent<{ readonly field: Field }> = ({ field }) => {
  const { words, chosen, compare, comparedId } = useFields();
  const others = chosen.value.map((row) => row.field).filter(({ id }) => id !== field.id);
  if (others.length === 0) return null;
  return (
    <FieldRow label={words.compareWith}>
      {(id) => (
        <Select
          id={id}
          choices={[
            { value: '', title: words.noOther },
            ...others.slice(0, MAX_OTHERS).map((other) => ({ value: other.id, title: other.name })),
          ]}
          value={comparedId.value ?? ''}
          onChoose={(other) => void compare(others.find((one) => one.id === other) ?? null)}
        />
      )}
    </FieldRow>
  );
};

/** The section of the curve. */
export const FieldCurve: FunctionComponent<{ readonly field: Field }> = ({ field }) => {
  const { actions, texts } = usePanel();
  const { words, sensor } = useFields();
  const choice = usePart(({ series }) => series.choice);
  const isOpen = usePart(({ series }) => series.isOpen);
  const hasOther = usePart(({ series }) => series.field.other !== null);
  const of = sensor.value;
  const today = new Date().toISOString().slice(0, 10);
  const years = yearsOf(choice.from, today);
  const setView = (view: SeriesView, isOn: boolean): void => {
    const rest = without(choice.views, view);
    const views = isOn
      ? (['years', 'spread'] as const).filter((one) => one === view || rest.includes(one))
      : rest;
    // One year has nothing to lie over.
    const from = view === 'years' && isOn && years === '1' ? { from: fromOfYears('3', today), to: null } : {};
    actions.chooseSeries({ views, ...from });
  };
  return (
    <Section title={words.curveTitle} class="measure">
      {of !== null && (
        <FieldRow label={words.index}>
          {(id) => (
            <Select
              id={id}
              choices={indicesOf(of).map((index) => ({
                value: index.name,
                title: `${index.name} ${wordsOfIndex(index, texts).title}`,
              }))}
              value={choice.indices[0] ?? ''}
              onChoose={(index) => actions.chooseSeries({ indices: [index] })}
            />
          )}
        </FieldRow>
      )}
      <FieldRow label={words.period}>
        {(id) => (
          <Select
            id={id}
            choices={YEAR_CHOICES.map((value) => ({ value, title: words.years(Number(value)) }))}
            value={years}
            onChoose={(value) => actions.chooseSeries({ from: fromOfYears(value, today), to: null })}
          />
        )}
      </FieldRow>
      <div>
        <Switch
          isOn={choice.views.includes('years') && !hasOther}
          onSwitch={(isOn) => setView('years', isOn)}
        >
          {words.yearsOver}
        </Switch>
        <Switch isOn={choice.views.includes('spread')} onSwitch={(isOn) => setView('spread', isOn)}>
          {words.spread}
        </Switch>
      </div>
      <Others field={field} />
      <Layers choice={choice} />
      <Button
        look={isOpen ? 'secondary' : 'primary'}
        onClick={() => {
          actions.openSeries(!isOpen);
          // A phone has room for the panel or for the chart.
          if (!isOpen && isNarrow()) actions.openPanel(null);
        }}
      >
        {isOpen ? texts.series.hide : texts.series.show}
      </Button>
    </Section>
  );
};
