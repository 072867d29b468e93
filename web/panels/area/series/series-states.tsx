/** What the dock says instead of a chart or a table: how far it is, what failed, what is missing. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { sensorOfSeries, whyNoSeries } from '../../../actions/plan-series.ts';
import type { SeriesState } from '../../../state/series-state.ts';
import { formatPercent } from '../../../texts/format.ts';
import { Button } from '../../kit/controls.tsx';
import { usePanel } from '../../kit/panel.tsx';
import { Empty } from '../../kit/parts.tsx';
import { isClear } from './chart-data.ts';
import { readToday } from './today.ts';

/** True when there is a chart or a table to show. */
export const hasSeries = ({ measured, choice, form }: SeriesState): boolean =>
  measured.kind === 'ready' &&
  measured.value.scenes.length > 0 &&
  (form !== 'chart' || measured.value.scenes.some((scene) => isClear(scene, choice.maxCloudPercent)));

interface StateProps {
  readonly series: SeriesState;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
}

/** The state of a series that has nothing to show. */
export const SeriesStates: FunctionComponent<StateProps> = ({ series, onCancel, onRetry }) => {
  const { store, texts } = usePanel();
  const words = texts.series;
  const { measured, choice } = series;
  const again: ComponentChildren = <Button onClick={onRetry}>{texts.frame.tryAgain}</Button>;
  switch (measured.kind) {
    case 'loading': {
      const { progress } = measured;
      return (
        <div class="state">
          <p>
            {progress === null
              ? words.measuring
              : words.progress(formatPercent(100 * progress, texts.locale))}
          </p>
          <progress max={1} value={progress ?? undefined} aria-label={words.measuring} />
          <Button onClick={onCancel}>{words.cancel}</Button>
        </div>
      );
    }
    case 'failed':
      return (
        <div class="state">
          <h3>{texts.states.failed}</h3>
          <p role="alert">{measured.text}</p>
          {again}
        </div>
      );
    case 'cancelled':
      return <Empty text={words.cancelled}>{again}</Empty>;
    case 'idle': {
      const reason = whyNoSeries(store.read(), readToday());
      return <Empty text={reason === null ? words.measuring : words.nothingToMeasure[reason]} />;
    }
    case 'ready': {
      const { scenes } = measured.value;
      if (scenes.length === 0) {
        const title = sensorOfSeries(store.read())?.title ?? '';
        return <Empty title={words.empty} text={words.emptyHint(title)} />;
      }
      const limit = formatPercent(choice.maxCloudPercent, texts.locale);
      return <Empty text={words.cloudy(scenes.length, limit)} />;
    }
  }
};
