/** The choice of datasets: any number of those that have scenes. */
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** The control, unseen while there is nothing to choose between. */
export const makeDatasetChoice = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const summary = el('summary');
  const list = el('fieldset', { class: 'checks' }, el('legend', { class: 'unseen' }, texts.find.datasets));
  const details = el('details', { class: 'dropdown', id: 'datasets' }, summary, list);
  let boxes: readonly HTMLInputElement[] = [];

  const apply = (): void => {
    const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    void actions.setQuery({ datasets: chosen.length === 0 ? null : chosen });
  };
  const mark = (datasets: readonly string[] | null): void => {
    for (const box of boxes) box.checked = datasets?.includes(box.value) ?? false;
    const titles = store.read().knowledge?.sensors ?? [];
    const only =
      datasets?.length === 1 ? titles.find(({ dataset }) => dataset === datasets[0])?.title : undefined;
    if (datasets === null) summary.textContent = texts.find.allDatasets;
    else summary.textContent = only ?? texts.find.someDatasets(datasets.length);
  };
  store.watch(
    ({ datasets }) => datasets,
    (datasets, { knowledge, query }) => {
      const sensors = knowledge?.sensors.filter(({ dataset }) => datasets.includes(dataset)) ?? [];
      boxes = sensors.map(({ dataset }) => el('input', { type: 'checkbox', value: dataset }));
      for (const box of boxes) box.addEventListener('change', apply);
      const labels = sensors.map(({ title }, i) => el('label', { class: 'check' }, boxes[i] ?? '', title));
      list.replaceChildren(list.firstElementChild ?? '', ...labels);
      details.hidden = sensors.length < 2;
      mark(query.datasets);
    },
  );
  store.watch(({ query }) => query.datasets, mark);
  return details;
};
