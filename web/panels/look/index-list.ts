/** The indices of the sensor: a name, what it shows, its formula; filtered by what is typed. */
import { isMissing } from '../../scenes/bands.ts';
import type { SensorIndex, ViewerSensor } from '../../scenes/sensor.ts';
import { wordsOfIndex } from '../../scenes/titles.ts';
import { missingOf } from '../../state/viewer-state.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

interface Item {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly words: string;
}

/** Builds the list; it is hidden for sensors without indices. */
export const makeIndexList = ({ store, actions, texts }: PanelContext): HTMLElement => {
  let offered: ViewerSensor | null = null;
  let items: readonly Item[] = [];
  const filter = el('input', {
    type: 'search',
    placeholder: texts.look.filterIndices,
    'aria-label': texts.look.filterIndices,
  });
  const list = el('ul', { class: 'indices' });
  const nothing = el('p', { class: 'muted small' }, texts.look.noIndex);
  const summary = el('summary', {}, texts.look.indices);
  const details = el('details', { class: 'section', open: true }, summary, filter, list, nothing);

  const makeItem = (index: SensorIndex): Item => {
    const { title, description } = wordsOfIndex(index, texts);
    const input = el('input', {
      type: 'radio',
      name: 'index',
      value: index.name,
      'aria-label': `${index.name} ${title}`,
      'aria-describedby': `index-${index.name}`,
    });
    input.addEventListener('change', () => actions.chooseBands(index.name));
    const element = el(
      'li',
      {},
      el(
        'label',
        { class: 'index' },
        input,
        el('span', { class: 'index-name' }, el('strong', {}, index.name), ` ${title}`),
        el('span', { class: 'muted small', id: `index-${index.name}` }, description),
        el('code', {}, index.expression),
      ),
    );
    return { element, input, words: `${index.name} ${title} ${description}`.toLowerCase() };
  };
  const applyFilter = (): void => {
    const typed = filter.value.trim().toLowerCase();
    for (const { element, words } of items) element.hidden = !words.includes(typed);
    nothing.hidden = items.some(({ element }) => !element.hidden);
  };
  filter.addEventListener('input', applyFilter);
  const show = (): void => {
    const state = store.read();
    const { shown, picture } = state;
    if (shown === null) return;
    const { sensor, viewId } = shown;
    if (sensor !== offered) {
      offered = sensor;
      items = sensor.indices.map(makeItem);
      list.replaceChildren(...items.map(({ element }) => element));
      details.hidden = items.length === 0;
      applyFilter();
    }
    const missing = missingOf(state, viewId);
    for (const { input } of items) {
      input.checked = input.value === picture.bands;
      input.disabled = isMissing(sensor, input.value, missing);
    }
  };
  store.watch(({ shown }) => shown, show);
  store.watch(({ picture }) => picture.bands, show);
  store.watch(({ missing }) => missing, show);
  return details;
};
