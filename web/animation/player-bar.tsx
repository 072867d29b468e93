/** The bar of the animation above the legend: play, dates, speed, clouds, repeat, save. */
import type { FunctionComponent } from 'preact';
import { Button, Icon, Select } from '../panels/kit/controls.tsx';
import { usePanel, usePart } from '../panels/kit/panel.tsx';
import type { Scene } from '../scenes/scene.ts';
import type { Animation } from '../state/animation.ts';
import { SPEEDS } from '../state/animation.ts';
import { formatDate, formatNumber, formatPercent } from '../texts/format.ts';

const CLOUDS = [0, 10, 30, 50, 100];

interface BarProps {
  readonly frames: readonly Scene[];
  /** The frame with this index was chosen. */
  readonly onSeek: (index: number) => void;
  readonly onSave: () => void;
}

/** The date of the frame and a slider over all dates; a sentence where there are none. */
const Dates: FunctionComponent<Omit<BarProps, 'onSave'> & { readonly animation: Animation }> = ({
  animation,
  frames,
  onSeek,
}) => {
  const {
    texts: { animate, locale },
  } = usePanel();
  const isLoading = usePart(({ results }) => results.isLoading);
  if (frames.length === 0)
    return (
      <div class="film-line">
        <p class="muted film-note" role="status">
          {isLoading ? animate.loading : animate.none}
        </p>
      </div>
    );
  const index = frames.findIndex(({ viewId }) => viewId === animation.viewId);
  const frame = frames[index];
  const date = frame === undefined ? '' : formatDate(frame.date, locale);
  return (
    <div class="film-line">
      <strong class="film-date">{date}</strong>
      <input
        type="range"
        class="film-dates"
        min={0}
        max={frames.length - 1}
        step={1}
        value={Math.max(0, index)}
        aria-label={animate.date}
        aria-valuetext={animate.frame(date, index + 1, frames.length)}
        onInput={({ currentTarget }) => onSeek(Number(currentTarget.value))}
      />
    </div>
  );
};

/** The bar. */
export const PlayerBar: FunctionComponent<BarProps> = ({ frames, onSeek, onSave }) => {
  const {
    actions,
    texts: { animate, find, locale },
  } = usePanel();
  const animation = usePart((state) => state.animation);
  if (animation === null) return null;
  const { isPlaying, isLooping, framesPerSecond, maxCloudPercent } = animation;
  // An address may hold another limit than those that are offered.
  const clouds = CLOUDS.includes(maxCloudPercent) ? CLOUDS : [...CLOUDS, maxCloudPercent];
  const toLimit = (percent: number): string =>
    percent === 100 ? find.anyClouds : `≤ ${formatPercent(percent, locale)}`;
  return (
    <>
      <Button
        look="plain"
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? animate.pause : animate.play}
        hint={isPlaying ? animate.pause : animate.play}
        isDisabled={frames.length < 2}
        onClick={() => actions.changeAnimation({ isPlaying: !isPlaying })}
      />
      <Dates animation={animation} frames={frames} onSeek={onSeek} />
      <div class="film-options">
        <span class="film-clouds">
          <Icon name="cloud" />
          <Select
            label={animate.clouds}
            hint={animate.clouds}
            choices={clouds.map((percent) => ({ value: String(percent), title: toLimit(percent) }))}
            value={String(maxCloudPercent)}
            onChoose={(percent) => actions.changeAnimation({ maxCloudPercent: Number(percent) })}
          />
        </span>
        <Select
          label={animate.speed}
          hint={animate.speed}
          choices={SPEEDS.map((speed) => ({
            value: String(speed),
            title: animate.perSecond(formatNumber(speed, locale)),
          }))}
          value={String(framesPerSecond)}
          onChoose={(speed) => actions.changeAnimation({ framesPerSecond: Number(speed) })}
        />
        <button
          type="button"
          class="plain"
          aria-label={animate.loop}
          title={animate.loop}
          aria-pressed={isLooping}
          onClick={() => actions.changeAnimation({ isLooping: !isLooping })}
        >
          <Icon name="loop" />
        </button>
        <Button icon="download" isDisabled={frames.length === 0} onClick={onSave}>
          {animate.save}
        </Button>
      </div>
      <Button
        look="plain"
        icon="close"
        label={animate.close}
        hint={animate.close}
        onClick={actions.leaveAnimation}
      />
    </>
  );
};
