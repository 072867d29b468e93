/** The list of fields: which ones, in which order, what was measured in them, and their colours on the map. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { indicesOf, seriesSensorsOf } from '../../actions/plan-series.ts';
import { MAX_LISTED_FIELDS } from '../../api/fields.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import { formatDate, formatNumber } from '../../texts/format.ts';
import { formatArea } from '../../texts/format-measures.ts';
import { Button, FieldRow as ControlRow, Segments, Select, useOwnId } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';
import { COLORINGS } from './field-colors.ts';
import { useFields } from './field-context.ts';
import type { FieldRow, RowChoice, Sort } from './field-rows.ts';
import { ALL_ROWS, namesOf, SORTS, toSparkline } from './field-rows.ts';
import { MEASURED_AT_ONCE } from './fields-model.ts';

/** Rows that are shown at first, and that are added. */
const PAGE_ROWS = 100;
const [CURVE_WIDTH, CURVE_HEIGHT] = [64, 22];

/** The values of a column have the same number of digits. */
export const formatValue = (value: number, locale: string, isSigned = false): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  })
    .format(value)
    .replace('-', '−');

const Sparkline: FunctionComponent<{ readonly row: FieldRow; readonly index: string }> = ({ row, index }) => {
  const { texts } = usePanel();
  const { words } = useFields();
  const { values } = row;
  const [first, last] = [values[0], values.at(-1)];
  if (values.length < 2 || first === undefined || last === undefined) return <span />;
  const date = (day: string): string => formatDate(day, texts.locale);
  return (
    <svg
      class="sparkline"
      viewBox={`-2 -2 ${CURVE_WIDTH + 4} ${CURVE_HEIGHT + 4}`}
      role="img"
      aria-label={words.curve(values.length, index, date(first.date), date(last.date))}
    >
      <polyline points={toSparkline(values, CURVE_WIDTH, CURVE_HEIGHT)} />
    </svg>
  );
};

const Row: FunctionComponent<{ readonly row: FieldRow; readonly index: string }> = ({ row, index }) => {
  const { texts, preferences } = usePanel();
  const { words, page, hovered, measured } = useFields();
  const { field, last, change } = row;
  const { locale } = texts;
  const isMeasured = measured.value.kind === 'ready';
  const about = [
    formatArea(field.hectares * 10_000, preferences.units, locale),
    ...[field.crop, field.group].filter((name) => name !== null),
  ].join(' · ');
  return (
    <li>
      <button
        type="button"
        class={`field-row${hovered.value === field.id ? ' is-hovered' : ''}`}
        onClick={() => {
          page.value = { kind: 'field', id: field.id };
        }}
        onMouseEnter={() => {
          hovered.value = field.id;
        }}
        onMouseLeave={() => {
          hovered.value = null;
        }}
      >
        <span class="field-name ellipsis">{field.name}</span>
        <span class="muted small ellipsis field-about">{about}</span>
        <Sparkline row={row} index={index} />
        {last === null ? (
          <span class="muted small field-value">{isMeasured ? words.noValue : words.notMeasured}</span>
        ) : (
          <span class="field-value" title={words.valueOn(index, formatDate(last.date, locale))}>
            {formatValue(last.value, locale)}
            {change !== null && (
              <span class={`field-change ${change < 0 ? 'is-less' : 'is-more'}`}>
                {formatValue(change, locale, true)}
              </span>
            )}
          </span>
        )}
      </button>
    </li>
  );
};

const Filters: FunctionComponent = () => {
  const { texts } = usePanel();
  const { words, fields, choice } = useFields();
  const choose = (change: Partial<RowChoice>): void => {
    choice.value = { ...choice.value, ...change };
  };
  const id = useOwnId();
  const { crop, group, sort, isDescending, text } = choice.value;
  const names = (of: 'crop' | 'group', all: string) => [
    { value: '', title: all },
    ...namesOf(fields.value, of, texts.locale).map((name) => ({ value: name, title: name })),
  ];
  const [crops, groups] = [names('crop', words.allCrops), names('group', words.allGroups)];
  return (
    <div class="field-filters">
      <label class="unseen" for={id}>
        {words.filter}
      </label>
      <input
        id={id}
        type="search"
        placeholder={words.filter}
        value={text}
        onInput={({ currentTarget }) => choose({ text: currentTarget.value })}
      />
      {(crops.length > 1 || groups.length > 1) && (
        <div class="pair">
          {crops.length > 1 && (
            <Select
              label={words.crop}
              choices={crops}
              value={crop ?? ''}
              onChoose={(name) => choose({ crop: name || null })}
            />
          )}
          {groups.length > 1 && (
            <Select
              label={words.group}
              choices={groups}
              value={group ?? ''}
              onChoose={(name) => choose({ group: name || null })}
            />
          )}
        </div>
      )}
      <ControlRow label={words.sort}>
        {(rowId) => (
          <>
            <Select<Sort>
              id={rowId}
              choices={SORTS.map((value) => ({ value, title: words.sorts[value] }))}
              value={sort}
              onChoose={(value) => choose({ sort: value, isDescending: value === 'hectares' })}
            />
            <Button
              look="plain"
              icon={isDescending ? 'descending' : 'ascending'}
              label={isDescending ? words.descending : words.ascending}
              onClick={() => choose({ isDescending: !isDescending })}
            />
          </>
        )}
      </ControlRow>
    </div>
  );
};

/** What is measured, and how far that is. */
const Measuring: FunctionComponent = () => {
  const { texts } = usePanel();
  const model = useFields();
  const { words, measured, measuring, sensor, mayChange, fields } = model;
  const known = usePart((state) => state.knowledge);
  const datasets = usePart((state) => state.datasets);
  const shown = usePart((state) => state.shown);
  const sensors = seriesSensorsOf({ knowledge: known, datasets, shown });
  const of = sensor.value;
  if (of === null) return <Notice kind="hint">{words.noDataset}</Notice>;
  const able = sensors.filter(({ indices }) => indices.some(({ name }) => name === measuring.value.index));
  const state = measured.value;
  return (
    <>
      <ControlRow label={words.index}>
        {(id) => (
          <Select
            id={id}
            choices={indicesOf(of).map((index) => ({
              value: index.name,
              title: `${index.name} ${wordsOfIndex(index, texts).title}`,
            }))}
            value={measuring.value.index}
            onChoose={(index) => model.chooseMeasuring({ index })}
          />
        )}
      </ControlRow>
      {able.length > 1 && (
        <ControlRow label={words.dataset}>
          {(id) => (
            <Select
              id={id}
              choices={able.map(({ dataset, title }) => ({ value: dataset, title }))}
              value={of.dataset}
              onChoose={(dataset) => model.chooseMeasuring({ dataset })}
            />
          )}
        </ControlRow>
      )}
      <div aria-live="polite">
        {state.kind === 'loading' && (
          <progress
            aria-label={words.measuring}
            {...(state.progress === null ? {} : { value: state.progress })}
          />
        )}
        {state.kind === 'failed' && (
          <>
            <Notice kind="error">{state.text}</Notice>
            <Button look="link" onClick={() => void model.measure()}>
              {words.again}
            </Button>
          </>
        )}
        {state.kind === 'idle' && mayChange.value && fields.value.length > MEASURED_AT_ONCE && (
          <Button onClick={() => void model.measure()}>{words.measure(fields.value.length)}</Button>
        )}
      </div>
    </>
  );
};

const Colors: FunctionComponent = () => {
  const { texts } = usePanel();
  const { words, coloring, scale, measuring, shapes } = useFields();
  const { locale } = texts;
  const now = scale.value;
  const { index } = measuring.value;
  const name = coloring.value === 'change' ? words.changeOf(index) : index;
  return (
    <>
      <Segments
        name="field-colors"
        legend={words.onMap}
        choices={COLORINGS.map((value) => ({ value, title: words.colorings[value] }))}
        value={coloring.value}
        onChoose={(value) => {
          coloring.value = value;
        }}
      />
      {now !== null && (
        <div class="field-legend">
          <div
            role="img"
            aria-label={words.legend(name, formatNumber(now.min, locale), formatNumber(now.max, locale))}
            class="field-ramp"
            ref={(ramp) =>
              ramp?.style.setProperty('background', `linear-gradient(to right, ${now.colors.join()})`)
            }
          />
          <p class="legend-values">
            <span>{formatNumber(now.min, locale)}</span>
            <span>{name}</span>
            <span>{formatNumber(now.max, locale)}</span>
          </p>
        </div>
      )}
      {shapes.value.kind === 'failed' && <Notice kind="error">{words.noOutlines(shapes.value.text)}</Notice>}
    </>
  );
};

/** The list, for at least one field. */
export const List: FunctionComponent = () => {
  const { texts, preferences } = usePanel();
  const { words, list, fields, chosen, choice, measuring, fit } = useFields();
  const limit = useSignal(PAGE_ROWS);
  const rows = chosen.value;
  const { index } = measuring.value;
  const hectares = rows.reduce((sum, { field }) => sum + field.hectares, 0);
  const hasMore = list.value.kind === 'ready' && list.value.value.hasMore;
  const rest = rows.length - limit.value;
  return (
    <>
      <Measuring />
      <Colors />
      <Filters />
      <div class="heading-row">
        <p class="muted small" role="status">
          {rows.length === fields.value.length
            ? words.count(rows.length, formatArea(hectares * 10_000, preferences.units, texts.locale))
            : words.someOf(rows.length, fields.value.length)}
        </p>
        {rows.length > 0 && (
          <Button look="link" onClick={() => fit(rows.map(({ field }) => field.box))}>
            {words.fit}
          </Button>
        )}
      </div>
      {hasMore && <Notice kind="hint">{words.hasMore(MAX_LISTED_FIELDS)}</Notice>}
      {rows.length === 0 && (
        <div class="state">
          <p class="muted">{words.noMatch}</p>
          <Button
            onClick={() => {
              choice.value = ALL_ROWS;
            }}
          >
            {words.resetFilter}
          </Button>
        </div>
      )}
      <ul class="field-rows" aria-label={words.list}>
        {rows.slice(0, limit.value).map((row) => (
          <Row key={row.field.id} row={row} index={index} />
        ))}
      </ul>
      {rest > 0 && (
        <Button
          onClick={() => {
            limit.value += PAGE_ROWS;
          }}
        >
          {words.more(Math.min(rest, PAGE_ROWS))}
        </Button>
      )}
    </>
  );
};
