/** The choice of one dataset above the list of scenes. */
import type { ViewerSensor } from '../scenes/bands.ts';
import { el } from './dom.ts';

/** The control, unseen while there is nothing to choose between. */
export interface DatasetFilter {
  readonly element: HTMLElement;
  /** What can be chosen. */
  offer(sensors: readonly ViewerSensor[]): void;
  /** Makes it show a choice made elsewhere; `null` is all of them. */
  show(dataset: string | null): void;
}

/** Builds the control; `onDataset` is told what was chosen, `null` for all. */
export const makeDatasetFilter = (onDataset: (dataset: string | null) => void): DatasetFilter => {
  const all = el('option', { value: '' }, 'All sensors');
  const select = el('select', { id: 'dataset', 'aria-label': 'Sensor' }, all);
  select.hidden = true;
  select.addEventListener('change', () => onDataset(select.value === '' ? null : select.value));
  return {
    element: select,
    offer(sensors) {
      const chosen = select.value;
      select.replaceChildren(
        all,
        ...sensors.map(({ dataset, title }) => el('option', { value: dataset }, title)),
      );
      select.value = chosen;
      select.hidden = sensors.length < 2;
    },
    show(dataset) {
      select.value = dataset ?? '';
    },
  };
};
