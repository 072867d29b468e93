/** The contrast of one channel: its histogram, two handles over it, and both values as numbers. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Histogram } from '../../scenes/histogram.ts';
import { toHeights, valueAt } from '../../scenes/histogram.ts';
import type { Contrast } from '../../scenes/picture.ts';
import { formatNumber } from '../../texts/format.ts';
import { usePanel } from '../kit/panel.tsx';
import type { RowValues } from './contrast-state.ts';
import { HANDLE_STEPS, partOf, toContrast } from './handle-values.ts';

/** What a channel is called and coloured. */
export type ChannelName = 'all' | 'red' | 'green' | 'blue';

/** Bars without gaps from the bottom of a unit square, as a path. */
const toPath = (heights: readonly number[]): string => {
  const width = 1 / Math.max(1, heights.length);
  const bars = heights.map((height, i) => `V${(1 - height).toFixed(3)}H${((i + 1) * width).toFixed(4)}`);
  return `M0,1${bars.join('')}V1Z`;
};

interface BarsProps {
  readonly histogram: Histogram | null;
  readonly name: string;
  /** The chosen part, 0 to 1. */
  readonly left: number;
  readonly right: number;
}

const HistogramBars: FunctionComponent<BarsProps> = ({ histogram, name, left, right }) => {
  const { texts } = usePanel();
  const path = histogram === null ? '' : toPath(toHeights(histogram));
  const [from = '', to = ''] = [0.25, 0.75].map((share) => {
    const value = histogram === null ? null : valueAt(histogram, share);
    return value === null ? '' : formatNumber(value, texts.locale);
  });
  return (
    <svg
      class="histogram"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.contrast.histogram(name, from, to)}
      aria-hidden={path === '' ? 'true' : undefined}
    >
      <path class="histogram-all" d={path} />
      <path
        class="histogram-chosen"
        d={path}
        style={{ clipPath: `inset(0 ${(1 - right) * 100}% 0 ${left * 100}%)` }}
      />
    </svg>
  );
};

type End = keyof Contrast & ('min' | 'max');

interface RowProps {
  readonly channel: ChannelName;
  /** `null` disables the row, which shows what it had. */
  readonly values: RowValues | null;
  /** A handle came to rest, or a number was typed. */
  readonly onChoose: (contrast: Contrast) => void;
}

/** The row. */
export const ContrastRow: FunctionComponent<RowProps> = ({ channel, values, onChoose }) => {
  const { texts } = usePanel();
  const words = texts.contrast;
  const name = words.channels[channel];
  const last = useRef<RowValues | null>(null);
  last.current = values ?? last.current;
  const shown = last.current;
  /** Positions of the handles while one is moved. */
  const moved = useSignal<Readonly<Record<End, number>> | null>(null);
  /** A number that is being typed is not written over, for example when the histogram comes. */
  const typed = useSignal<{ readonly end: End; readonly text: string } | null>(null);
  const invalid = useSignal<End | null>(null);
  const numbers = { min: useRef<HTMLInputElement>(null), max: useRef<HTMLInputElement>(null) };
  useLayoutEffect(() => {
    moved.value = null;
    if (invalid.peek() !== null) typed.value = null;
    invalid.value = null;
  }, [values]);

  const toPosition = (value: number): number =>
    shown === null ? 0 : Math.round(partOf(value, shown.axis) * HANDLE_STEPS);
  const positions = moved.value ?? {
    min: toPosition(shown?.contrast.min ?? 0),
    max: toPosition(shown?.contrast.max ?? 0),
  };
  const read = ({ min, max }: Readonly<Record<End, number>>): Contrast | null =>
    shown && toContrast(shown.axis, min, max);
  const dragged = moved.value === null ? null : read(moved.value);
  const contrast =
    dragged ??
    (shown && {
      min: Number(shown.contrast.min.toPrecision(5)),
      max: Number(shown.contrast.max.toPrecision(5)),
    });
  const [left, right] =
    shown === null
      ? [0, 1]
      : dragged === null
        ? [partOf(shown.contrast.min, shown.axis), partOf(shown.contrast.max, shown.axis)]
        : [positions.min / HANDLE_STEPS, positions.max / HANDLE_STEPS];

  const move = (end: End, input: HTMLInputElement): void => {
    const to = Number(input.value);
    // Handles stop at each other.
    const stopped = end === 'min' ? Math.min(to, positions.max - 1) : Math.max(to, positions.min + 1);
    input.value = String(stopped);
    moved.value = { ...positions, [end]: stopped };
  };
  /** Tiles are requested when a handle comes to rest; the other end stays as exact as it was. */
  const rest = (end: End): void => {
    const next = read(positions);
    if (next !== null && shown !== null) onChoose({ ...shown.contrast, [end]: next[end] });
  };
  const enter = (end: End): void => {
    const [min = Number.NaN, max = Number.NaN] = [
      numbers.min.current?.valueAsNumber,
      numbers.max.current?.valueAsNumber,
    ];
    if (Number.isFinite(min) && Number.isFinite(max) && min < max) {
      typed.value = null;
      onChoose({ min, max });
    } else invalid.value = end;
  };

  const toLabel = (end: End): string => (channel === 'all' ? texts.look[end] : `${name}: ${texts.look[end]}`);
  const handleOf = (end: End) => (
    <input
      type="range"
      min={0}
      max={HANDLE_STEPS}
      step={1}
      value={shown === null ? undefined : positions[end]}
      disabled={values === null}
      aria-label={toLabel(end)}
      aria-valuetext={contrast === null ? undefined : formatNumber(contrast[end], texts.locale)}
      onInput={({ currentTarget }) => move(end, currentTarget)}
      onChange={() => rest(end)}
    />
  );
  const numberOf = (end: End) => (
    <input
      ref={numbers[end]}
      type="number"
      step="any"
      value={typed.value?.end === end ? typed.value.text : (contrast?.[end] ?? '')}
      disabled={values === null}
      aria-label={words.typed(toLabel(end))}
      aria-invalid={invalid.value === end}
      onInput={({ currentTarget }) => {
        typed.value = { end, text: currentTarget.value };
        // A mark is of what was entered before.
        invalid.value = null;
      }}
      onChange={() => enter(end)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its border and its legend.
    <div class={`contrast-row channel-${channel}`} role="group" aria-label={name}>
      <HistogramBars histogram={shown?.histogram ?? null} name={name} left={left} right={right} />
      <div class="two-handles">
        <span class="track">
          <span class="span" style={{ left: `${left * 100}%`, right: `${(1 - right) * 100}%` }} />
        </span>
        {handleOf('min')}
        {handleOf('max')}
      </div>
      <div class="ends">
        {numberOf('min')}
        <span class="muted small">{channel === 'all' ? '' : name}</span>
        {numberOf('max')}
      </div>
    </div>
  );
};
