/** What the dock says instead of a chart or a table: how far it is, what failed, what is missing. */
import { sensorOfSeries, whyNoSeries } from '../../../actions/plan-series.ts';
import type { SeriesState } from '../../../state/series-state.ts';
import { formatPercent } from '../../../texts/format.ts';
import { el } from '../../dom.ts';
import type { PanelContext } from '../../panel-context.ts';
import { isClear } from './chart-data.ts';
import { readToday } from './today.ts';

interface StateEvents {
  onCancel(): void;
  onRetry(): void;
}

/** Makes the element for a state, always the same one while something is measured; `null` when there is a chart to show. */
export const makeSeriesStates = (
  { store, texts }: PanelContext,
  events: StateEvents,
): ((series: SeriesState) => HTMLElement | null) => {
  const words = texts.series;
  const state = (...children: readonly Node[]): HTMLElement => el('div', { class: 'state' }, ...children);
  const muted = (text: string): HTMLElement => el('p', { class: 'muted' }, text);
  const button = (text: string, run: () => void): HTMLElement => {
    const element = el('button', { type: 'button', class: 'secondary' }, text);
    element.addEventListener('click', run);
    return element;
  };

  // Progress comes every second or so: a button that were made anew would be gone under the pointer.
  const progressText = el('p', {});
  const progressBar = el('progress', { max: '1', 'aria-label': words.measuring });
  const loading = state(progressText, progressBar, button(words.cancel, events.onCancel));
  const showProgress = (progress: number | null): HTMLElement => {
    if (progress === null) progressBar.removeAttribute('value');
    else progressBar.value = progress;
    progressText.textContent =
      progress === null ? words.measuring : words.progress(formatPercent(100 * progress, texts.locale));
    return loading;
  };

  return ({ measured, choice, form }) => {
    const again = (): HTMLElement => button(texts.frame.tryAgain, events.onRetry);
    switch (measured.kind) {
      case 'loading':
        return showProgress(measured.progress);
      case 'failed':
        return state(el('h3', {}, texts.states.failed), el('p', { role: 'alert' }, measured.text), again());
      case 'cancelled':
        return state(muted(words.cancelled), again());
      case 'idle': {
        const reason = whyNoSeries(store.read(), readToday());
        return state(muted(reason === null ? words.measuring : words.nothingToMeasure[reason]));
      }
      case 'ready': {
        const { scenes } = measured.value;
        if (scenes.length === 0) {
          const title = sensorOfSeries(store.read())?.title ?? '';
          return state(el('h3', {}, words.empty), muted(words.emptyHint(title)));
        }
        const isAllCloudy = !scenes.some((scene) => isClear(scene, choice.maxCloudPercent));
        if (!isAllCloudy || form !== 'chart') return null;
        const limit = formatPercent(choice.maxCloudPercent, texts.locale);
        return state(muted(words.cloudy(scenes.length, limit)));
      }
    }
  };
};
