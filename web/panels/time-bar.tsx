/** The bar over the map that says which days it shows: the clear view with its day, or one scene. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { addDays, daysBetween } from '../api/days.ts';
import type { Scene } from '../scenes/scene.ts';
import type { ClearView } from '../state/clear-view.ts';
import { CLEAR_DAYS, dayOfClearView } from '../state/clear-view.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { formatDate } from '../texts/format.ts';
import { ClearSources } from './clear-sources.tsx';
import { Button, Select } from './kit/controls.tsx';
import { usePanel, usePart } from './kit/panel.tsx';

/** The first and the last day that the slider reaches: those with scenes, and the one that is shown. */
const firstDay = (state: ViewerState, day: string): string => {
  const [oldest] = state.results.days;
  return oldest !== undefined && oldest.day < day ? oldest.day : day;
};
const lastDay = ({ newestDay }: ViewerState, day: string): string =>
  newestDay !== null && newestDay > day ? newestDay : day;

/** A day on a line; the map follows when the slider is let go, the words at once. */
const DaySlider: FunctionComponent<{ readonly day: string }> = ({ day }) => {
  const { actions, texts } = usePanel();
  const first = usePart((state) => firstDay(state, day));
  const last = usePart((state) => lastDay(state, day));
  const moved = useSignal<string | null>(null);
  const shown = moved.value ?? day;
  const toDay = (value: string): string => addDays(first, Number(value));
  return (
    <div class="day-slider">
      <Button
        look="plain"
        icon="newer"
        label={texts.clear.earlier}
        onClick={() => actions.stepClearDay(-1)}
      />
      <input
        type="range"
        min={0}
        max={daysBetween(first, last)}
        step={1}
        value={daysBetween(first, shown)}
        aria-label={texts.clear.day}
        aria-valuetext={formatDate(shown, texts.locale)}
        onInput={({ currentTarget }) => {
          moved.value = toDay(currentTarget.value);
        }}
        onChange={({ currentTarget }) => {
          moved.value = null;
          actions.showClearView({ date: toDay(currentTarget.value) });
        }}
      />
      <Button look="plain" icon="older" label={texts.clear.later} onClick={() => actions.stepClearDay(1)} />
      <output>{formatDate(shown, texts.locale)}</output>
    </div>
  );
};

const ClearBar: FunctionComponent<{ readonly clearView: ClearView; readonly day: string }> = ({
  clearView,
  day,
}) => {
  const { actions, texts } = usePanel();
  const words = texts.clear;
  const [isListed, setListed] = useState(false);
  return (
    <div class="time-bar">
      <div class="time-bar-row">
        <strong title={words.latestHint}>
          {clearView.date === null ? words.latest : words.around(formatDate(day, texts.locale))}
        </strong>
        {clearView.date !== null && (
          <Button look="link" onClick={() => actions.showClearView({ date: null })}>
            {words.newest}
          </Button>
        )}
        <Select
          label={words.window}
          choices={CLEAR_DAYS.map((count) => ({ value: String(count), title: words.days(count) }))}
          value={String(clearView.days)}
          onChoose={(days) => actions.showClearView({ days: Number(days) })}
        />
        <Button look="link" isPressed={isListed} onClick={() => setListed(!isListed)}>
          {words.sources}
        </Button>
      </div>
      <DaySlider day={day} />
      {isListed && <ClearSources />}
    </div>
  );
};

const SceneBar: FunctionComponent<{ readonly scene: Scene }> = ({ scene }) => {
  const { actions, texts } = usePanel();
  return (
    <div class="time-bar">
      <div class="time-bar-row">
        <strong>{formatDate(scene.date, texts.locale)}</strong>
        <span class="muted">{scene.sensor.title}</span>
        <Button look="link" onClick={() => actions.showClearView({ date: null })}>
          {texts.clear.latest}
        </Button>
      </div>
    </div>
  );
};

/** The bar; two scenes and animations have their own, and a shape that is drawn needs the whole map. */
export const TimeBar: FunctionComponent = () => {
  const isReady = usePart(
    ({ phase, comparison, animation, drawing }) =>
      phase.kind === 'ready' && comparison === null && animation === null && drawing.tool === null,
  );
  const clearView = usePart((state) => state.clearView);
  const shown = usePart((state) => state.shown);
  const day = usePart(dayOfClearView);
  if (!isReady || shown === null) return null;
  if (clearView === null) return <SceneBar scene={shown} />;
  return day === null ? null : <ClearBar clearView={clearView} day={day} />;
};
