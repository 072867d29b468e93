/** The filters of a search: dates, clouds, datasets and where. */
import type { Where } from '../../state/search-state.ts';
import { formatPercent } from '../../texts/format.ts';
import { makeDatePair } from '../date-pair.ts';
import { el } from '../dom.ts';
import { isNarrow } from '../narrow.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeRadios } from '../radios.ts';
import { makeDatasetChoice } from './dataset-choice.ts';

const makeDates = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const pair = makeDatePair({
    name: 'date',
    texts,
    onChange: ({ from, to }) => void actions.setQuery({ from: from || null, to: to || null, day: null }),
  });
  store.watch(
    ({ query }) => query,
    ({ from, to }) => pair.show({ from: from ?? '', to: to ?? '' }),
  );
  return pair.element;
};

const makeClouds = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const range = el('input', { id: 'clouds', type: 'range', min: '0', max: '100', step: '5' });
  const output = el('output', { for: 'clouds' });
  const show = (percent: number): void => {
    output.value = percent === 100 ? texts.find.anyClouds : formatPercent(percent, texts.locale);
    range.setAttribute('aria-valuetext', output.value);
  };
  range.addEventListener('input', () => show(Number(range.value)));
  range.addEventListener('change', () => {
    const percent = Number(range.value);
    void actions.setQuery({ maxCloudPercent: percent === 100 ? null : percent });
  });
  store.watch(
    ({ query }) => query.maxCloudPercent ?? 100,
    (percent) => {
      range.value = String(percent);
      show(percent);
    },
  );
  return el('div', { class: 'row' }, el('label', { for: 'clouds' }, texts.find.clouds), range, output);
};

const makeWhere = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const kinds: Readonly<Record<string, Where>> = {
    everywhere: { kind: 'everywhere' },
    view: { kind: 'view' },
    area: { kind: 'area' },
    point: { kind: 'point', point: null },
  };
  const radios = makeRadios({
    name: 'where',
    legend: texts.find.where,
    choices: [
      { value: 'everywhere', title: texts.find.everywhere },
      { value: 'view', title: texts.find.inView },
      { value: 'point', title: texts.find.atPoint },
      { value: 'area', title: texts.area.inArea },
    ],
    onChoose(value) {
      const where = kinds[value];
      if (where !== undefined) void actions.setQuery({ where });
    },
  });
  const hint = el('p', { class: 'muted small' }, texts.find.pickPoint);
  const middle = el('button', { type: 'button', class: 'link' }, texts.find.useMiddle);
  middle.addEventListener('click', actions.takeMiddle);
  store.watch(
    ({ query }) => query.where,
    (where) => {
      radios.show(where.kind);
      middle.hidden = where.kind !== 'point';
      hint.hidden = where.kind !== 'point' || where.point !== null;
    },
  );
  const open = el('button', { type: 'button', class: 'link' }, texts.area.openArea);
  open.addEventListener('click', () => actions.openPanel('area'));
  const noArea = el('p', { class: 'muted small' }, `${texts.area.noneToSearch} `, open);
  store.watch(
    ({ query, area }) => query.where.kind === 'area' && area === null,
    (isWithout) => {
      noArea.hidden = !isWithout;
    },
  );
  return el('div', {}, radios.element, hint, middle, noArea);
};

/** Builds the filters. */
export const makeFilters = (context: PanelContext): HTMLElement =>
  el(
    'details',
    // A phone has room for the list or for the filters.
    { class: 'filters', open: !isNarrow() },
    el('summary', {}, context.texts.find.filters),
    makeDates(context),
    makeClouds(context),
    makeDatasetChoice(context),
    makeWhere(context),
  );
